"""What a page hears over its WebSocket."""

from playwright.sync_api import Page, WebSocketRoute


def recorded_frames(page: Page) -> list[bytes]:
    """Returns a list that gets each message to the page from now on. Call it before the page is opened."""
    heard: list[bytes] = []

    def join(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def down(message: str | bytes) -> None:
            heard.append(message if isinstance(message, bytes) else message.encode())
            socket.send(message)

        server.on_message(down)

    page.route_web_socket("**/mqtt", join)
    return heard
