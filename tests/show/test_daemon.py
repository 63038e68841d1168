"""Rules and the door beside the real daemon: `oche run` starts `oche show`, and ends it."""

import asyncio
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import socketio
from aiohttp import ClientSession, web
from pydantic import TypeAdapter

from daemon.system.show_config import Shout
from tests.mqtt_clients import ReceivedMessage, Referee, Watcher
from tests.rig import LIMIT_SECONDS, OCHE, Daemon, Mosquitto, again_and_again, free_port, until

SLOW_HOOK: Final = "http://127.0.0.1:9"
"""Nothing listens at the discard port."""
VIRTUAL: Final = "den=virtual@sim:"
MATCH: Final = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 501}}


def config(folder: Path, wled: str, door: int) -> str:
    path = folder / "oche.toml"
    path.write_text(
        f"""
        [boards]
        den = "virtual@sim:?pace=0"

        [caller_door]
        address = "127.0.0.1:{door}"

        [[show]]
        when = {{ event = "turn" }}
        wled = {{ at = "{wled}", color = "#00a0ff" }}
        http = {{ url = "{SLOW_HOOK}/$player" }}

        [[show]]
        when = {{ total = 180 }}
        wled = {{ at = "{wled}", preset = 7, seconds = 600 }}
        mqtt = {{ topic = "house/darts", payload = {{ who = "$player", total = "$total" }} }}
        words = "$player: one hundred and eighty!"
        sound = "180.mp3"
        """
    )
    return str(path)


@asynccontextmanager
async def strip() -> AsyncIterator[tuple[str, list[Any]]]:
    """A WLED controller that takes what WLED's documentation of `/json/state` allows."""
    shown: list[Any] = []

    async def take(request: web.Request) -> web.Response:
        state = await request.json()
        assert state.keys() <= {"on", "bri", "ps", "seg"}
        assert all(segment.keys() <= {"col", "fx", "pal"} for segment in state.get("seg", []))
        shown.append(state)
        return web.json_response({"success": True})

    app = web.Application()
    app.router.add_post("/json/state", take)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        yield f"http://127.0.0.1:{port}", shown
    finally:
        await runner.cleanup()


def child_of(pid: int) -> int | None:
    """Returns the process of `oche show` below a daemon; None while there is none."""
    for line in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        try:
            words = Path(f"/proc/{line}/cmdline").read_bytes().split(b"\0")
        except (FileNotFoundError, ProcessLookupError):  # It ended since the list was read.
            continue
        if b"daemon.main" in words and b"show" in words:
            return int(line)
    return None


def another_child(pid: int, before: int) -> int:
    """Waits for a process of `oche show` other than `before`, and returns it.

    It is kept from when it was seen: while a process replaces its program, its command line is empty for a moment.
    """
    found: set[int] = set()

    def is_there() -> bool:
        found.update({child_of(pid) or before} - {before})
        return bool(found)

    until(is_there, "another process")
    return found.pop()


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_match_is_shown(tmp_path: Path, broker: Mosquitto) -> None:
    door = free_port()

    async def work() -> None:
        async with asyncio.timeout(LIMIT_SECONDS), strip() as (wled, shown), ClientSession() as session:
            arguments = ("--config", config(tmp_path, wled, door), "--broker", broker.url)
            with Daemon(tmp_path, *arguments) as daemon:
                watcher, referee = await asyncio.to_thread(join, broker.port)
                messages: asyncio.Queue[Any] = asyncio.Queue()
                client = socketio.AsyncClient(http_session=session, reconnection_delay=0.1, reconnection_delay_max=0.1)
                client.on("message", messages.put_nowait)
                await connect(client, door)
                # The process subscribes after it has opened its port: matches are started until it tells of one.
                while messages.empty():
                    assert (await asyncio.to_thread(referee.ask, {"start": MATCH}))["ok"]
                    await asyncio.sleep(0.2)
                found = [await messages.get()]
                for command in ("T20", "T20", "T20"):
                    assert (await asyncio.to_thread(referee.ask, {"throw": command}))["ok"]
                while found[-1]["event"] != "darts-thrown":
                    found.append(await messages.get())
                assert found[-1]["game"]["dartValue"] == "180"
                assert [m["event"] for m in found[-4:-1]] == [f"dart{n}-thrown" for n in (1, 2, 3)]
                await client.emit("message", "correct:2:s20")
                await client.emit("message", "next")
                while found[-1]["event"] != "darts-pulled":
                    found.append(await messages.get())
                await asyncio.to_thread(seen, watcher)
                show = await asyncio.to_thread(another_child, daemon.pid, 0)
                os.kill(show, signal.SIGKILL)
                again = await asyncio.to_thread(another_child, daemon.pid, show)
                await client.disconnect()
                await asyncio.to_thread(watcher.close)
                await asyncio.to_thread(daemon.stop)
                await asyncio.to_thread(until, lambda: gone(again), "its end with the daemon")
        assert {"on": True, "ps": 7} in shown
        assert "127.0.0.1 is refused" not in daemon.log()

    asyncio.run(work())


def join(broker: int) -> tuple[Watcher, Referee]:
    watcher = Watcher(broker, "oche/#", "house/#")
    referee = Referee(watcher, "den")
    referee.online()
    return watcher, referee


async def connect(client: socketio.AsyncClient, door: int) -> None:
    while True:
        try:
            await client.connect(f"ws://127.0.0.1:{door}", transports=["websocket"])
        except socketio.exceptions.ConnectionError:
            await asyncio.sleep(0.1)
        else:
            return


def seen(watcher: Watcher) -> None:
    """Waits for what the rules publish, and for what the listener asked for."""
    wanted: list[tuple[str, Callable[[Any], bool]]] = [
        ("house/darts", lambda payload: payload == {"who": "Ann", "total": "180"}),
        (
            "oche/test/board/den/show",
            lambda payload: payload.items() >= {"words": "Ann: one hundred and eighty!", "sound": "180.mp3"}.items(),
        ),
        (
            "oche/test/board/den/match",
            lambda payload: payload["turn"]["player"] == "Bob" and payload["players"][0]["score"] == 361,
        ),
    ]
    for topic, is_it in wanted:

        def is_wanted(message: ReceivedMessage, topic: str = topic, is_it: Callable[[Any], bool] = is_it) -> bool:
            return message.topic == topic and bool(message.payload) and is_it(message.payload)

        watcher.wait(is_wanted, topic)


def test_rules_at_the_embedded_broker(tmp_path: Path) -> None:
    port = free_port()
    path = tmp_path / "oche.toml"
    path.write_text("[[show]]\nwhen = { event = 'started' }\nwords = '$game'\n")
    with Daemon(tmp_path, "--config", str(path), "--broker", f"embedded://127.0.0.1:{port}", "--board", VIRTUAL):
        watcher, referee = join(port)
        with again_and_again(lambda: referee.ask({"start": MATCH}), 0.2):
            watcher.wait(lambda message: message.topic.endswith("/show"), "what the rule shows")
        shown = TypeAdapter(Shout).validate_python(watcher.all("/show")[0])
        assert shown["words"] == "x01"
        watcher.close()


def test_an_address_of_the_network_needs_a_rule(tmp_path: Path) -> None:
    path = tmp_path / "oche.toml"
    path.write_text('[caller_door]\naddress = "0.0.0.0:8079"\n')
    command = [OCHE, "run", "--config", str(path), "--data", str(tmp_path / "data")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    assert ended.returncode == 2
    assert "give it a token" in ended.stderr


def test_nothing_to_show_starts_nothing(tmp_path: Path) -> None:
    with Daemon(tmp_path, "--board", VIRTUAL, "--broker", f"embedded://127.0.0.1:{free_port()}") as daemon:
        until(lambda: "Stop with Ctrl-C" in daemon.log(), "the start")
        assert child_of(daemon.pid) is None
