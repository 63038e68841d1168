"""The boards of other nodes as an organizer sees them: restarts, lost connections, and other people's commands."""

import asyncio
from pathlib import Path
from typing import Any, Final

from daemon.system.catalogue import faces, games
from daemon.system.urls import broker_url
from daemon.tournament.fixture_boards import FixtureBoards
from daemon.tournament.left_matches import START_SECONDS
from daemon.tournament.node_boards import MOST_CALLS, NodeBoard, OtherNodes
from engine.refusals import Refusal
from league.events import event_from_json
from league.record import Record
from tests.mqtt_clients import Watcher, watching
from tests.rig import Mosquitto, until

STATUS: Final = {"state": "online", "can": {"ring": True}}
SETUP: Final[list[dict[str, Any]]] = [
    {
        "tournament": 1,
        "name": "Hall",
        "format": "knockout",
        "best_of": 1,
        "options": {"start": 101, "out": "open"},
        "nodes": ["annex"],
        "pause": 0,
    },
    {"enter": {"name": "Ann"}},
    {"enter": {"name": "Bob"}},
    {"draw": "x"},
]


def match(revision: int, *, finished: bool = False) -> dict[str, Any]:
    """The match of Ann and Bob on the bus; if it is over, Ann has won."""
    players = [{"name": "Ann", "legs": int(finished)}, {"name": "Bob", "legs": 0}]
    winners = ["Ann"] if finished else []
    about = {"match": "m1", "game": "x01", "revision": revision, "turn": {}}
    return about | {"players": players, "finished": finished, "winners": winners}


class Organizer:
    """A tournament of Ann and Bob on one board of another node."""

    def __init__(self) -> None:
        self.now, self.is_there = 1000.0, True
        self.sent: list[dict[str, Any]] = []
        self.done: list[dict[str, Any]] = []
        self.record = Record()
        self.restart()

    def restart(self) -> None:
        """The record stays; what was heard of the board is gone until the broker says it again."""
        self.board = NodeBoard("annex/two", self.sent.append, lambda: self.is_there)
        others = {"annex/two": self.board}
        self.boards = FixtureBoards({}, others, games(), faces(), lambda: self.now, lambda: self.record, self.do)

    async def do(self, body: dict[str, Any]) -> Refusal | None:
        event = event_from_json(body)
        assert not isinstance(event, Refusal), event
        after = self.record.act(event, self.now)
        if isinstance(after, Refusal):
            return after
        self.record = after
        self.done.append(body)
        return None

    async def call(self) -> str:
        """Calls the match to the board, and returns the id of the command that starts it."""
        for body in SETUP:
            assert await self.do(body) is None
        self.board.take("status", STATUS)
        await self.boards.look()
        self.done.clear()
        call: str = self.sent[-1]["id"]
        return call

    async def begin(self) -> None:
        """Calls the match, and sees it on the board."""
        call = await self.call()
        self.board.take("reply", {"id": call, "ok": True, "revision": 5})
        self.board.take("match", match(5))
        await self.boards.look()

    async def end(self) -> list[dict[str, Any]]:
        """Ends the match on the board; returns what the organizer has done."""
        self.board.take("match", match(90, finished=True))
        await self.boards.look()
        return self.done


RESULT: Final = [{"result": {"fixture": "R1-1", "score": [0, 1], "match": "m1"}}]
"""Bob is drawn as the home side."""


def test_a_result_counts_if_the_organizer_was_restarted_in_the_match() -> None:
    async def play() -> None:
        organizer = Organizer()
        await organizer.begin()
        organizer.restart()
        organizer.board.take("status", STATUS)
        organizer.board.take("match", match(10))
        await organizer.boards.look()
        assert await organizer.end() == RESULT

    asyncio.run(play())


def test_a_match_that_was_over_before_the_call_is_not_its_match() -> None:
    async def play() -> None:
        organizer = Organizer()
        call = await organizer.call()
        assert await organizer.end() == []
        organizer.board.take("reply", {"id": call, "ok": True, "revision": 91})
        assert await organizer.end() == []

    asyncio.run(play())


def test_replies_to_others_do_not_push_out_the_reply_to_the_call() -> None:
    async def play() -> None:
        organizer = Organizer()
        call = await organizer.call()
        organizer.board.take("reply", {"id": call, "ok": True, "revision": 5})
        for number in range(MOST_CALLS + 1):
            organizer.board.take("reply", {"id": f"phone-{number}", "ok": True, "revision": 6 + number})
        assert organizer.board.is_answered(call)
        assert not organizer.board.is_answered("phone-1")
        assert await organizer.end() == RESULT

    asyncio.run(play())


def test_a_start_is_asked_for_again_after_its_node_was_away() -> None:
    async def play() -> None:
        organizer = Organizer()
        call = await organizer.call()
        organizer.is_there = False
        organizer.now += START_SECONDS + 1
        await organizer.boards.look()
        organizer.is_there = True
        await organizer.boards.look()
        assert organizer.done == []
        assert [command["id"] for command in organizer.sent] == [call, call]
        # A board that is there has as long as before.
        organizer.now += START_SECONDS + 1
        await organizer.boards.look()
        assert {"call": {"fixture": "R1-1"}} in organizer.done

    asyncio.run(play())


RETAINED: Final = {"status": {"state": "online"}, "board/two/status": STATUS, "board/two/match": match(5)}
"""The node `annex` is online, and Ann and Bob play on its board `two`."""


def retain(watcher: Watcher) -> None:
    for leaf, value in RETAINED.items():
        watcher.publish(f"oche/annex/{leaf}", value, retain=True)


def test_a_board_is_ready_with_its_match_and_not_without_the_broker(tmp_path: Path) -> None:
    async def follow(bus: Mosquitto) -> None:
        with_match: list[bool] = []
        is_ready = asyncio.Event()

        def look() -> None:
            with_match.extend(board.match is not None for board in nodes.boards.values() if board.is_ready)
            if with_match:
                is_ready.set()

        nodes = OtherNodes(broker_url(bus.url), "hall", look)
        nodes.follow(["annex"])
        await is_ready.wait()
        assert with_match == [True]
        board = nodes.boards["annex/two"]
        await asyncio.to_thread(bus.stop)
        await asyncio.to_thread(until, lambda: not board.is_ready, "the board is not ready")
        assert board.match is None
        nodes.close()

    with Mosquitto(tmp_path) as bus:
        with watching(bus.port) as watcher:
            retain(watcher)
        asyncio.run(follow(bus))


def test_a_daemon_that_waits_for_its_name_commands_no_board(tmp_path: Path) -> None:
    async def follow(bus: Mosquitto) -> None:
        has_name = False
        news = asyncio.Semaphore(0)
        nodes = OtherNodes(broker_url(bus.url), "hall", news.release, lambda: has_name)
        nodes.follow(["annex"])
        for _ in RETAINED:
            await news.acquire()
        board = nodes.boards["annex/two"]
        assert (board.is_ready, board.is_connected) == (False, False)
        await board.end_turn(5)
        has_name = True
        assert (board.is_ready, board.is_connected) == (True, True)
        await board.end_turn(6)
        command = "oche/annex/board/two/command"
        await asyncio.to_thread(watcher.wait, lambda m: m.topic == command, "the command")
        assert watcher.all(command) == [{"next": True, "revision": 6}]
        nodes.close()

    with Mosquitto(tmp_path) as bus, watching(bus.port) as watcher:
        retain(watcher)
        asyncio.run(follow(bus))
