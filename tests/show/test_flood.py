"""10,000 events with a dead light, a dead web hook and a listener that does not read: the others get everything."""

import asyncio
import contextlib
import json
import socket
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any, Final

import socketio
from aiohttp import ClientSession, web

from daemon.show import outputs
from daemon.show.app import COMMANDS, Show
from daemon.system.config import Settings, load_settings
from tests.rig import LIMIT_SECONDS, free_port
from tests.show.test_outputs import server

EVENTS: Final = 10_000
TOLD: Final = 10
"""Of as many events one is told to the listeners: the rest of the time would be the client's."""
EVENT: Final = "oche/test/board/lounge/event"
STATE: Final = {
    "game": "x01",
    "turn": {"player": "Ann", "darts": ["T20"], "awaits": "throw"},
    "players": [{"name": "Ann", "score": 441}],
}


@contextlib.contextmanager
def nobody_answers() -> Iterator[str]:
    """An address that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def settings(folder: Path, door: int, dead: str, alive: str) -> Settings:
    path = folder / "oche.toml"
    path.write_text(
        f"""
        [caller_door]
        address = "127.0.0.1:{door}"

        [[show]]
        when = {{ event = "dart" }}
        wled = [{{ at = "{dead}", preset = 1 }}, {{ at = "{alive}", preset = 2 }}]
        http = [{{ url = "{dead}/$segment" }}]
        words = "$segment"

        [[show]]
        when = {{ event = "bust" }}
        wled = {{ at = "{alive}", preset = 3 }}
        """
    )
    return load_settings(str(path), [], "mqtt://127.0.0.1:1", None, None, "test")


def dart(number: int) -> bytes:
    event = {"id": f"lounge-{number}", "revision": number, "event": "dart", "player": "Ann", "dart": "T20"}
    return json.dumps(event | {"points": number, "left": 441}).encode()


async def listener(session: ClientSession, door: int) -> tuple[socketio.AsyncClient, "asyncio.Queue[Any]"]:
    client, messages = socketio.AsyncClient(reconnection=False, http_session=session), asyncio.Queue[Any]()
    client.on("message", messages.put_nowait)
    await client.connect(f"ws://127.0.0.1:{door}", transports=["websocket"])
    return client, messages


async def soon(coming: Awaitable[Any]) -> Any:
    """Returns what comes; AssertionError if it does not."""
    try:
        return await asyncio.wait_for(coming, LIMIT_SECONDS)
    except TimeoutError as error:
        raise AssertionError("it never came") from error


def test_ten_thousand_events(tmp_path: Path) -> None:
    shown: asyncio.Queue[int] = asyncio.Queue()
    door = free_port()

    async def strip(request: web.Request) -> web.Response:
        shown.put_nowait((await request.json())["ps"])
        return web.json_response({"success": True})

    async def work(dead: str, alive: str) -> None:
        async with ClientSession() as session, contextlib.AsyncExitStack() as open_things:
            show = Show(settings(tmp_path, door, dead, alive), session)
            open_things.push_async_callback(show.close)
            assert show.door is not None
            runner = await show.door.open()
            open_things.push_async_callback(runner.cleanup)
            deaf = await open_things.enter_async_context(
                session.ws_connect(f"ws://127.0.0.1:{door}/socket.io/?EIO=4&transport=websocket")
            )
            await deaf.send_str("40")
            client, messages = await listener(session, door)
            open_things.push_async_callback(client.disconnect)
            show.take("oche/test/board/lounge/match", json.dumps(STATE).encode())
            for number in range(EVENTS):
                told = show.take(EVENT, dart(number))
                if number % TOLD == 0:
                    await show.door.tell(*told)
                assert show._waiting.qsize() <= COMMANDS
                if number % 100 == 0:
                    await asyncio.sleep(0)
            assert all(len(hook._waiting) <= outputs.REQUESTS for hook in show._hooks.values())
            for number in range(0, EVENTS, TOLD):
                assert (await soon(messages.get()))["game"]["dartValue"] == str(number)
            show.take(EVENT, json.dumps({"id": "last", "event": "bust", "player": "Ann"}).encode())
            while await soon(shown.get()) != 3:
                pass

    async def with_servers() -> None:
        with nobody_answers() as dead:
            async with server(strip) as alive:
                await work(dead, alive)

    asyncio.run(with_servers())
