"""One match on two boards of a running daemon: take-out, buttons, lights, bots, replies, and a SIGKILL."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.record.reader import History
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard

START: Final[dict[str, Any]] = {
    "start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 301}, "boards": ["lounge", "kitchen"]}
}
THROWING, TAKEOUT = b"BAUS\n", b"BAN\n"


class Two:
    """A daemon with two boards that have a lamp, a button and a sensor for the take-out, and with two virtual ones."""

    def __init__(self, folder: Path, broker: Mosquitto, watcher: Watcher) -> None:
        self.watcher = watcher
        self.boards = {name: PtyBoard(folder, name) for name in ("lounge", "kitchen")}
        self.daemon = Daemon(
            folder,
            *(part for name, pty in self.boards.items() for part in ("--board", f"{name}=loewen-darts@{pty.path}")),
            *("--board", "attic=virtual@sim:?pace=0", "--board", "cellar=virtual@sim:?pace=0"),
            *("--broker", broker.url),
        )
        self.referees = {name: Referee(watcher, name) for name in ("lounge", "kitchen", "attic", "cellar")}

    def online(self, since: int = 0) -> None:
        for referee in self.referees.values():
            referee.online(since)

    def say(self, board: str, *lines: str) -> None:
        self.boards[board].say("".join(f"{line}\r\n" for line in lines).encode())

    def is_told(self, board: str, words: bytes) -> None:
        """Reads what the daemon writes to a board until it ends with these words."""
        told = b""
        while not told.endswith(words):
            told += self.boards[board].heard()

    def shows(self, board: str, player: str, *darts: str, since: int = 0) -> dict[str, Any]:
        """Waits until a board shows the darts of a player's turn."""
        return self.referees[board].state(
            lambda s: s["turn"]["player"] == player and s["turn"]["darts"] == list(darts), f"{darts} on {board}", since
        )

    def ignores(self, board: str, hit: int) -> dict[str, Any]:
        """Waits for the event of a hit that does not count."""
        topic, hit_id = f"{self.referees[board].root}/event", f"{board}-{hit}"
        found: dict[str, Any] = self.watcher.wait(
            lambda m: m.topic == topic and m.payload["event"] == "ignored" and m.payload["hit"] == hit_id, hit_id
        ).payload
        return found


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    folder = tmp_path_factory.mktemp("two")
    with Mosquitto(folder) as broker:
        watcher = Watcher(broker.port)
        two = Two(folder, broker, watcher)
        with two.daemon:
            two.online()
            yield two
        watcher.close()
        for pty in two.boards.values():
            pty.unplug()


def test_an_evening_on_two_boards(two: Two) -> None:
    for board in two.boards:
        two.is_told(board, THROWING)  # The greeting of this dialect.
    assert two.referees["lounge"].ask(START)["ok"]
    two.is_told("lounge", THROWING)
    two.say("lounge", "320", "319", "318")
    assert two.shows("kitchen", "Ann", "T20", "T19", "T18")["turn"]["awaits"] == "next"
    two.is_told("lounge", TAKEOUT)

    # The kitchen's sensor and button are about the kitchen's darts.
    two.say("kitchen", "PFEILE", "KNOPF", "105")
    assert two.ignores("kitchen", 1)["reason"] == "not_awaited"
    assert two.watcher.last("kitchen/match")["turn"]["player"] == "Ann"
    two.say("lounge", "PFEILE")
    two.shows("lounge", "Bob")
    two.is_told("kitchen", THROWING)

    two.say("lounge", "301")
    ignored = two.ignores("lounge", 4)
    assert ignored["reason"] == "not_your_turn"
    assert ignored["message"] == "It is Bob's turn, at the board kitchen."
    two.say("kitchen", "220")
    shown = two.shows("kitchen", "Bob", "D20")
    assert two.shows("lounge", "Bob", "D20") == shown

    since = len(two.watcher.seen)
    two.daemon.kill()
    two.daemon.start()
    two.online(since)
    assert two.shows("lounge", "Bob", "D20", since=since) == shown
    assert two.shows("kitchen", "Bob", "D20", since=since) == shown
    two.say("kitchen", "117", "KNOPF")
    two.shows("lounge", "Ann", since=since)
    assert two.referees["kitchen"].ask({"undo": True})["ok"]
    two.shows("lounge", "Bob", "D20", "S17", since=since)

    topics = {f"{two.referees[name].root}/event" for name in two.boards}
    ids: dict[str, set[str]] = {topic: set() for topic in topics}
    for message in two.watcher.seen:
        if message.topic in topics and message.payload["event"] not in ("ignored", "stopped"):
            ids[message.topic].add(message.payload["id"])
    assert len({frozenset(found) for found in ids.values()}) == 1, "both boards have the same events"


def test_what_cannot_be_is_refused_with_a_reason(two: Two) -> None:
    lounge, attic = two.referees["lounge"], two.referees["attic"]
    assert lounge.ask(START)["ok"]
    players = {"game": "x01", "players": ["Cid", "Dee"]}
    busy = attic.ask({"start": {**players, "boards": ["attic", "kitchen"]}})
    assert (busy["ok"], busy["reason"]) == (False, "board_busy")
    assert "kitchen" in busy["message"]
    for boards in (["attic", "loft"], ["cellar", "cellar"]):
        refused = attic.ask({"start": {**players, "boards": boards}})
        assert (refused["ok"], refused["reason"]) == (False, "bad_boards"), boards
    for wrong in (["attic"], "attic", [1, 2]):
        refused = attic.ask({"start": {**players, "boards": wrong}})
        assert (refused["ok"], refused["reason"]) == (False, "bad_value"), wrong
    # The rematch replaces the match of its own boards.
    assert two.referees["kitchen"].ask(START)["ok"]
    stale = lounge.ask({"throw": "T20"}, revision=1)
    assert (stale["ok"], stale["reason"]) == (False, "stale_revision")


def test_each_bot_throws_at_its_own_board(two: Two) -> None:
    start = {
        "game": "x01",
        "players": ["Rex", "Max"],
        "options": {"start": 101, "out": "open"},
        "bots": {"Rex": 12, "Max": 14},
        "boards": ["attic", "cellar"],
    }
    since = len(two.watcher.seen)
    assert two.referees["cellar"].ask({"start": start})["ok"]
    ended = two.referees["attic"].state(lambda s: s["finished"], "the end", since)
    assert two.referees["cellar"].state(lambda s: s["finished"], "the end", since) == ended
    history = History(two.daemon.data)
    record = history.actions(ended["match"])
    thrown = [line for line in record if '"throw"' in line]
    assert all('"by":"board"' in line.replace(" ", "") for line in thrown), "every dart came from a board"
    hits = {m.payload["id"] for m in two.watcher.seen[since:] if m.topic.endswith("/hit")}
    assert len(hits) >= len(thrown) > 0
    assert any(hit.startswith("attic-") for hit in hits)
