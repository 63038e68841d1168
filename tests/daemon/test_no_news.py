"""What is no news is not sent; what is wrong is said on the terminal, once for each change."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.links import supervisor
from daemon.links.link import Chunk, Disconnected, Link
from daemon.links.opener import open_link
from daemon.links.supervisor import Arrival, Lost, Opened
from daemon.mqtt.bus import Bus
from daemon.system import console
from daemon.system.console import TroublePrinter
from daemon.system.urls import board_url, broker_url
from drivers import DRIVERS
from tests.daemon.house import changed
from tests.daemon.listening import Listening
from tests.mqtt_clients import Referee, Watcher, watching
from tests.rig import LIMIT_SECONDS, Daemon, Mosquitto, PtyBoard, free_port, until

TALKATIVE: Final = ("from daemon.system import console", "console.PAUSE_SECONDS = 0.05")


class _Enough(BaseException):
    """Ends a `keep` that would go on for ever."""


async def _arrivals(open_next: Callable[[int], Any], tries: int) -> list[Arrival]:
    """What `supervise` reports during this many searches for a board."""
    seen: list[Arrival] = []
    tried = 0

    async def opened() -> Link:
        link: Link = await open_next(tried)
        return link

    async def arrived(what: Arrival) -> None:
        seen.append(what)

    async def pause(_gone: Disconnected) -> None:
        nonlocal tried
        tried += 1
        if tried == tries:
            raise _Enough

    with pytest.raises(_Enough):
        await supervisor.supervise(opened, DRIVERS["sector-multiplier"], arrived, pause)
    return seen


def test_a_board_that_stays_away_is_reported_once(tmp_path: Path) -> None:
    async def absent(_n: int) -> Link:
        return await open_link(board_url(str(tmp_path / "nosuch")), 9600)

    seen = asyncio.run(_arrivals(absent, 20))
    assert [type(what) for what in seen] == [Lost]


class _Gone:
    """A link whose board goes at once."""

    async def read(self) -> Chunk:
        raise Disconnected("gone", "The board went away.")

    def write(self, data: bytes) -> bool:
        return True

    def close(self) -> None:
        pass


@given(st.lists(st.sampled_from(["missing", "busy", "there", "fault"]), min_size=1, max_size=12))
def test_every_change_is_reported(states: list[str]) -> None:
    """Away for another reason, back, and away again are reported; a repetition is not."""

    async def opened(n: int) -> Link:
        match states[n]:
            case "there":
                return _Gone()
            case "fault":
                raise ValueError("a fault of the program")
        raise Disconnected(states[n], f"It is {states[n]}.")

    seen = asyncio.run(_arrivals(opened, len(states)))
    said = ["there" if isinstance(what, Opened) else what.why.reason for what in seen if not isinstance(what, Chunk)]
    wanted: list[str] = []
    for state in states:
        if state == "there":
            wanted += ["there", "gone"]
        else:
            reason = "unreachable" if state == "fault" else state
            wanted += [reason] if wanted[-1:] != [reason] else []
    assert said == wanted


def test_what_a_topic_shows_already_is_not_sent_again(broker: Mosquitto) -> None:
    first, second = {"state": "offline", "reason": "missing"}, {"state": "online"}

    async def play(watcher: Watcher) -> None:
        bus = Bus("test", lambda _: None)
        running = asyncio.create_task(bus.run(broker_url(broker.url), {"state": "online"}))
        await bus.connected.wait()
        for payload in (first, first, first, second, second, first):
            bus.retain("board/lounge/status", payload)
        bus.retain("board/lounge/last", {})
        await asyncio.to_thread(watcher.wait, lambda m: m.topic.endswith("/last"), "the last of them")
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    with watching(broker.port, "oche/test/board/#") as watcher:
        asyncio.run(play(watcher))
        assert watcher.all("lounge/status") == [first, second, first]


def test_an_absent_board_is_said_once_and_when_it_is_back(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard
) -> None:
    pty.unplug()
    program, board = changed(tmp_path, *TALKATIVE), f"lounge=maddarts@{pty.path}"
    with Daemon(tmp_path, "--board", board, "--broker", broker.url, program=program) as daemon:
        message = f"Board lounge: {pty.path} is not there; is the board plugged in?"
        until(lambda: message in daemon.log(), "the sentence")
        topic = "oche/test/board/lounge/status"
        watcher.wait(lambda m: m.topic == topic and m.payload.get("reason") == "missing", "the status")
        pty.plug()
        Referee(watcher, "lounge").online()
        until(lambda: "Board lounge: all is well again." in daemon.log(), "that it is back")
        assert daemon.log().count(message) == 1
        reasons = [m.payload.get("reason") for m in watcher.seen if m.topic == topic]
        assert reasons in (["starting", "missing", None], ["missing", None])


def test_a_broker_that_is_not_there_is_said(tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> None:
    broker.stop()
    url, program = broker.url.replace("//", "//ann:secret@"), changed(tmp_path, *TALKATIVE)
    with Daemon(tmp_path, "--board", "lounge=virtual@sim:", "--broker", url, program=program) as daemon:
        until(lambda: "Broker: " in daemon.log(), "the sentence")
        assert re.search(rf"^Broker: {broker.url} cannot be reached: Connection refused\.", daemon.log(), re.MULTILINE)
        assert "secret" not in daemon.log() and "Errno" not in daemon.log()
        broker.start()
        until(lambda: "Broker: all is well again." in daemon.log(), "that it is there")
        assert daemon.log().count("cannot be reached") == 1


def test_listen_prints_it_once(pty: PtyBoard) -> None:
    pty.unplug()
    process = Listening(f"maddarts@{pty.path}")
    until(lambda: "is not there" in " ".join(process.words), "the sentence")
    pty.plug()
    process.ready()
    process.stop()
    assert " ".join(process.words).count("is not there") == 1


def test_what_comes_and_goes_fills_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(console, "say", lambda message, _to: said.append(message))
    monkeypatch.setattr(console, "PAUSE_SECONDS", 0.01)

    async def play() -> None:
        trouble = TroublePrinter("Board lounge")
        for _ in range(100):
            trouble.now("It went away.")
            trouble.now(None)
        trouble.now("It is busy.")
        async with asyncio.timeout(LIMIT_SECONDS):
            while said[-1] != "Board lounge: It is busy.":  # noqa: ASYNC110
                await asyncio.sleep(0)

    asyncio.run(play())
    assert said == ["Board lounge: It went away.", "Board lounge: It is busy."]


def test_an_address_of_the_network_is_said_in_words() -> None:
    async def opened() -> Link:
        return await open_link(board_url(f"tcp://127.0.0.1:{free_port()}"), 0)

    with pytest.raises(Disconnected, match="cannot be opened: Connection refused"):
        asyncio.run(opened())
