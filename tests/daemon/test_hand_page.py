"""A player's hand over HTTP: worked out by a process of its own, shown when it is there, forgotten with the player."""

import asyncio
import contextlib
import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daemon.history import board_health, coach
from daemon.history.board_health_answer import ENOUGH_DARTS, MOST_MATCHES
from daemon.history.hand_answer import VERSION
from daemon.history.player_matches import FEWEST_DARTS, state_of, word_of
from daemon.people import hand_files
from daemon.record.match_list import Filter
from daemon.record.reader import History
from daemon.web.work_queue import WorkQueue
from tests.mqtt_clients import Referee, watching
from tests.rig import LIMIT_SECONDS, Daemon, Mosquitto, oche, until
from tests.twin.record import record

LONG_SECONDS = 600.0
"""For a process that computes for seconds while the machine does other things."""


def hand_work(data: Path, nice: int = 19) -> WorkQueue:
    return WorkQueue("daemon.history.coach", "the hand of a player", data, nice)


def ask(daemon: Daemon, method: str, path: str) -> tuple[int, Any]:
    with contextlib.closing(http.client.HTTPConnection("localhost", daemon.http, timeout=LIMIT_SECONDS)) as client:
        client.request(method, path)
        answer = client.getresponse()
        return answer.status, json.load(answer)


@pytest.fixture
def known(tmp_path: Path) -> Iterator[tuple[Daemon, Referee]]:
    """A daemon that knows the hand of Ann, and nothing of Bob."""
    data = tmp_path / "data"
    data.mkdir()
    record(data, darts=90)
    coach.main(data, "Ann", state_of(History(data), "Ann"))
    with (
        Mosquitto(tmp_path) as broker,
        watching(broker.port) as watcher,
        Daemon(tmp_path, "--board", "lounge=virtual@sim:", "--broker", broker.url) as daemon,
    ):
        referee = Referee(watcher, "lounge")
        referee.online()
        until(lambda: "display is at" in daemon.log(), "the pages")
        yield daemon, referee


def test_the_page_the_hint_and_forgetting(known: tuple[Daemon, Referee]) -> None:
    daemon, referee = known
    status, page = ask(daemon, "GET", "/players/Ann/hand.json")
    assert (status, page["state"], page["darts"]) == (200, "ready", 90)
    assert not {"player", "of", "version", "legs"} & set(page)
    assert ask(daemon, "GET", "/players/Bob/hand.json") == (200, {"state": "few", "darts": 0})
    # People are advised for their own hand where it is known.
    for players, skill in ((["Ann", "Bob"], page["hand"]["skill_mm"]), (["Bob", "Ann"], 25.0)):
        assert referee.ask({"start": {"game": "x01", "players": players, "options": {}}})["ok"]
        assert referee.ask({"hint": True})["hint"]["skill"] == skill
        assert referee.ask({"stop": True})["ok"]
    file = hand_files.path_of(daemon.data, "Ann")
    assert file.exists()
    assert ask(daemon, "DELETE", "/players/Ann")[1]["ok"]
    assert not file.exists()
    # A file that could not be removed is removed by a second attempt, when no match has the name.
    hand_files.write(daemon.data, "Ann", {"state": "few"})
    assert ask(daemon, "DELETE", "/players/Ann")[1] == {"ok": True, "matches": 0}
    assert not file.exists()
    assert ask(daemon, "GET", "/players/Ann/hand.json") == (200, {"state": "few", "darts": 0})


def test_the_command_forgets_the_hand(tmp_path: Path) -> None:
    record(tmp_path, darts=12)
    hand_files.write(tmp_path, "Ann", {"state": "few"})
    oche("forget", "Ann", "--data", str(tmp_path))
    assert list((tmp_path / hand_files.FOLDER).iterdir()) == []
    # A file that could not be removed is removed by a second attempt, when no match has the name.
    hand_files.write(tmp_path, "Ann", {"state": "few"})
    oche("forget", "Ann", "--data", str(tmp_path))
    assert list((tmp_path / hand_files.FOLDER).iterdir()) == []


def test_the_work_is_done_in_a_process(tmp_path: Path) -> None:
    record(tmp_path, darts=12)
    state = state_of(History(tmp_path), "Ann")

    async def work() -> None:
        hands = hand_work(tmp_path, nice=0)
        task = hands.want("Ann", state)
        assert task is not None and hands.want("Ann", state) is task
        await asyncio.wait_for(task, LONG_SECONDS)
        assert not hands.failed("Ann", state)

    asyncio.run(work())
    kept = hand_files.read(tmp_path, "Ann")
    assert kept is not None
    assert kept.pop("legs").keys() == {hand_files.ALL, "2026-03"}
    assert kept == {
        "state": "few",
        "darts": 12,
        "needed": FEWEST_DARTS,
        "player": "Ann",
        "version": VERSION,
        "of": state,
    }


def test_stopping_waits_for_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written afterwards."""
    children: list[asyncio.subprocess.Process] = []
    started = asyncio.Event()

    async def sleeping(*_: str, **how: Any) -> asyncio.subprocess.Process:
        child = await start("sleep", str(LONG_SECONDS), **how)
        children.append(child)
        started.set()
        return child

    start = asyncio.create_subprocess_exec
    monkeypatch.setattr(asyncio, "create_subprocess_exec", sleeping)

    async def work() -> None:
        hands = hand_work(tmp_path)
        hands.want("Bob", "x")
        await started.wait()
        [child] = children
        assert child.returncode is None
        await hands.stop("Ann")
        assert child.returncode is None
        await hands.stop("Bob")
        assert child.returncode is not None

    asyncio.run(asyncio.wait_for(work(), LIMIT_SECONDS))


def test_what_fails_is_not_tried_again_until_more_is_thrown(tmp_path: Path) -> None:
    async def work() -> None:
        hands = hand_work(tmp_path / "missing", nice=0)
        task = hands.want("Ann", "a")
        assert task is not None
        await asyncio.wait_for(task, LONG_SECONDS)
        assert hands.failed("Ann", "a")
        assert not hands.failed("Ann", "b")

    asyncio.run(work())


def test_the_health_of_a_board_is_worked_out_for_a_referee(known: tuple[Daemon, Referee]) -> None:
    daemon, _ = known
    (board,) = ask(daemon, "GET", "/history/choices.json")[1]["boards"]
    path = f"/board/{board['name']}/health.json"
    assert ask(daemon, "GET", path) == (200, {"state": "computing"})
    # The process does the same when it gets the time to.
    history = History(daemon.data)
    played = word_of(history.listed(Filter(board=board["name"]), None, MOST_MATCHES, {}))
    board_health.main(daemon.data, board["name"], f"{played}-", None)
    few = {"state": "few", "darts": 0, "players": 0, "needed": ENOUGH_DARTS, "lines": False}
    assert ask(daemon, "GET", path) == (200, few)
    assert ask(daemon, "GET", "/board/cellar/health.json") == (
        200,
        {"state": "few", "darts": 0, "needed": ENOUGH_DARTS},
    )
