"""Fixtures of the browser's tests: a real Chromium, and the daemon as a process with a board on a pty."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect, sync_playwright

from tests.rig import LIMIT_SECONDS, Daemon, PtyBoard, takes_connections, until

NETWORK_NAME = "oche.test"
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # A name for the loopback address that does not count as this machine: a client that uses it comes from the network.
    f"--host-resolver-rules=MAP {NETWORK_NAME} 127.0.0.1",
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
"""The system's, if it has one; else Playwright brings its own."""
BROKERS = pytest.mark.parametrize("page_daemon", ["embedded:", "demo:"], indirect=True)
TELEVISION = (1920, 1080)
PHONE = (390, 844)

OpenPage = Callable[..., Page]

LIMIT_MS = LIMIT_SECONDS * 1000
# Far beyond what anything takes, so that a busy machine fails no test.
expect.set_options(timeout=LIMIT_MS)


def patient(browser: Browser) -> Browser:
    """Returns the browser; loading a page and a click may take as long as `expect` may, not Playwright's 30 seconds."""
    # Playwright takes a limit for each context and each page, not for a browser.
    new_context, new_page = browser.new_context, browser.new_page

    def limited_context(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.set_default_timeout(LIMIT_MS)
        return context

    def limited_page(**options: Any) -> Page:
        page = new_page(**options)
        page.set_default_timeout(LIMIT_MS)
        return page

    browser.new_context, browser.new_page = limited_context, limited_page  # type: ignore[method-assign]
    return browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The system's Chromium, or the one that Playwright brought where the system has none.

    One for each file, not for the session: as long as it is open, Playwright's own loop runs in this thread, and no
    other test could run one.
    """
    with sync_playwright() as playwright:
        browser = patient(playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS)))
        yield browser
        browser.close()


class PageDaemon(Daemon):
    """A daemon with the board `lounge`, and others if `more` names them, that serves the pages."""

    def __init__(self, folder: Path, board: PtyBoard, broker: str, model: str = "maddarts", *more: str) -> None:
        super().__init__(folder, "--board", f"lounge={model}@{board.path}", "--broker", broker, *more)
        self.board = board

    def start(self) -> None:
        super().start()
        until(lambda: takes_connections(self.http), "the pages' port")

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.http}"

    def throw(self, *darts: str) -> None:
        """Darts as the board reports them: `20;3` is the triple 20."""
        self.board.say("".join(f"{dart}\r\n" for dart in darts).encode())


class Cable:
    """The WebSocket of one page, which the test can interrupt."""

    def __init__(self) -> None:
        self.pulled = False
        self.heard: list[bytes] = []
        """What came from the broker."""
        self._sockets: list[WebSocketRoute] = []

    def join(self, socket: WebSocketRoute) -> None:
        if self.pulled:
            socket.close()
            return
        server = socket.connect_to_server()

        def down(message: str | bytes) -> None:
            self.heard.append(message.encode() if isinstance(message, str) else message)
            socket.send(message)

        server.on_message(down)
        self._sockets.append(socket)

    def pull(self) -> None:
        self.pulled = True
        for wire in self._sockets:
            wire.close()
        self._sockets.clear()

    def plug(self) -> None:
        self.pulled = False


@pytest.fixture
def page_daemon(request: pytest.FixtureRequest, tmp_path: Path, pty: PtyBoard) -> Iterator[PageDaemon]:
    """The daemon with the embedded broker; a test with `BROKERS` runs with each broker the daemon brings."""
    with PageDaemon(tmp_path, pty, getattr(request, "param", "embedded:")) as running:
        yield running


@pytest.fixture
def complaints() -> list[str]:
    """Console errors and uncaught exceptions of the pages. A test that expects some clears the list."""
    return []


@pytest.fixture
def open_page(chromium: Browser, page_daemon: PageDaemon, complaints: list[str]) -> Iterator[OpenPage]:
    """Opens a page in a browser context of its own. At the end, no page may have logged an error."""
    contexts = []

    def opened(
        path: str,
        size: tuple[int, int] = TELEVISION,
        language: str = "en",
        scheme: str = "dark",
        cable: Cable | None = None,
    ) -> Page:
        context = chromium.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            color_scheme="light" if scheme == "light" else "dark",
            # Without it, half of what the browser computes is frames of animations.
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        if cable is not None:
            page.route_web_socket("**/mqtt", cable.join)
        page.goto(f"{page_daemon.origin}{path}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def television(open_page: OpenPage) -> Page:
    return open_page("/board/lounge", TELEVISION)


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    return open_page("/board/lounge/control", PHONE)
