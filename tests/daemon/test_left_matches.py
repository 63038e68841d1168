"""Matches on a board that do not count any more: their players, their boards, and what is taken back in time."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final

from daemon.session.commands import Start
from daemon.system.catalogue import faces, games
from daemon.tournament.boards import LATER, SeenMatch
from daemon.tournament.fixture_boards import FixtureBoards
from daemon.tournament.fixture_match import ABILITIES
from engine.refusals import Refusal
from league.calls import VOID_SECONDS
from league.events import event_from_json
from league.record import Record
from league.state import Tournament

NAMES: Final = ("Ann", "Bob", "Cem", "Dora")
FINALISTS: Final = frozenset(("Bob", "Cem"))
"""Who is in the final, by the draw."""


class Board:
    """A board that starts and stops whatever it is told to, and tells when its match has begun."""

    is_ready = is_connected = True
    can: Any = ABILITIES

    def __init__(self, hall: "Hall") -> None:
        self.hall = hall
        self.match: SeenMatch | None = None
        self.stopped: list[str] = []

    def has_begun(self, match: SeenMatch, call: str, called: float) -> bool:
        return match.started is not None and match.started >= called - LATER

    async def start(self, start: Start, call: str) -> None:
        self.hall.matches += 1
        header = start.header
        self.match = SeenMatch(f"m{self.hall.matches}", header.game, header.players, 1, started=self.hall.now)

    def is_answered(self, call: str) -> bool:
        return True

    async def end_turn(self, revision: int) -> None:
        raise AssertionError("nobody has won")

    async def stop(self, revision: int) -> None:
        assert self.match is not None
        assert self.match.revision == revision
        self.stopped.append(self.match.id)
        self.match = None

    @property
    def players(self) -> frozenset[str]:
        return frozenset() if self.match is None or self.match.finished else frozenset(self.match.players)

    def end(self, *, home: bool) -> None:
        """Ends the match."""
        assert self.match is not None
        players = self.match.players if home else self.match.players[::-1]
        self.match = SeenMatch(
            self.match.id,
            self.match.game,
            self.match.players,
            2,
            finished=True,
            started=self.match.started,
            winners=(players[0],),
        )


class Hall:
    """A knock-out of four on two boards."""

    def __init__(self) -> None:
        self.now, self.matches, self.record = 1000.0, 0, Record()
        self.one, self.two = Board(self), Board(self)
        self.restart()

    def restart(self) -> None:
        """The record and the boards stay, what was noted of them is gone."""
        boards = {"hall/one": self.one, "hall/two": self.two}
        self.boards = FixtureBoards({}, boards, games(), faces(), lambda: self.now, lambda: self.record, self.do)

    @property
    def tournament(self) -> Tournament:
        assert self.record.tournament is not None
        return self.record.tournament

    async def do(self, body: dict[str, Any]) -> Refusal | None:
        event = event_from_json(body)
        assert not isinstance(event, Refusal), event
        after = self.record.act(event, self.now)
        if isinstance(after, Refusal):
            return after
        self.record = after
        return None

    async def wait(self, seconds: float) -> None:
        """Looks once a second, as the director does; nobody is on two boards meanwhile."""
        for _ in range(max(1, int(seconds))):
            self.now += seconds / max(1, int(seconds))
            await self.boards.look()
            assert not self.one.players & self.two.players

    async def final_then(self, **command: Any) -> None:
        """Plays until the final is on the board `one`, and then does something to the tournament."""
        setup: dict[str, Any] = {"tournament": 1, "name": "Hall", "format": "knockout", "best_of": 1, "pause": 0}
        for body in (setup, *({"enter": {"name": name}} for name in NAMES), {"draw": "x"}):
            assert await self.do(body) is None
        await self.wait(1)
        self.one.end(home=True)
        self.two.end(home=True)
        await self.wait(1)
        assert (self.tournament.calls, self.one.players) == ({"R2-1": "hall/one"}, FINALISTS)
        self.now += 20
        assert await self.do(command) is None


def run(play: Coroutine[Any, Any, None]) -> None:
    asyncio.run(play)


def test_players_of_a_void_match_are_called_elsewhere_once_it_has_ended() -> None:
    async def play() -> None:
        hall = Hall()
        await hall.final_then(correct={"fixture": "R1-1", "score": [0, 1]})
        wrong = hall.one.players
        await hall.wait(VOID_SECONDS - 2)
        # Whoever takes the correction back finds the match as it was.
        assert hall.one.players == wrong
        assert hall.two.players == frozenset()
        await hall.wait(3)
        assert hall.one.stopped == ["m3"]
        called = hall.tournament.calls["R2-1"]
        final = hall.tournament.standing.pairings["R2-1"]
        names = {hall.tournament.by_number(side or 0).name for side in (final.home, final.away)}
        assert (hall.one if called == "hall/one" else hall.two).players == names != wrong

    run(play())


def test_a_void_match_ends_after_a_restart_too() -> None:
    async def play() -> None:
        hall = Hall()
        await hall.final_then(withdraw="Bob")
        hall.restart()
        await hall.wait(VOID_SECONDS + 1)
        assert hall.one.stopped == ["m3"]

    run(play())


def test_who_takes_a_withdrawal_back_in_time_plays_on_and_later_plays_again() -> None:
    async def play() -> None:
        for seconds, number in ((VOID_SECONDS - 5, "m3"), (VOID_SECONDS + 5, "m4")):
            hall = Hall()
            await hall.final_then(withdraw="Bob")
            await hall.wait(seconds)
            assert await hall.do({"undo": True}) is None
            await hall.wait(2)
            assert hall.tournament.held == frozenset()
            board = hall.one if hall.one.players else hall.two
            board.end(home=True)
            await hall.wait(1)
            assert hall.tournament.results["R2-1"].match == number
            assert hall.tournament.over

    run(play())


def test_a_match_whose_call_is_moved_ends_at_once_and_begins_on_the_other_board() -> None:
    async def play() -> None:
        hall = Hall()
        await hall.final_then(call={"fixture": "R2-1", "board": "hall/two"})
        await hall.wait(2)
        assert hall.one.stopped == ["m3"]
        assert (len(hall.one.players), len(hall.two.players)) == (0, 2)

    run(play())


def test_a_call_that_is_taken_back_and_made_again_begins_again() -> None:
    async def play() -> None:
        hall = Hall()
        await hall.final_then(call={"fixture": "R2-1"})
        assert await hall.do({"call": {"fixture": "R2-1", "board": "hall/one"}}) is None
        await hall.wait(3)
        assert hall.one.stopped == ["m3"]
        assert hall.one.match is not None
        assert hall.one.match.id == "m4"

    run(play())


def test_a_match_that_the_same_players_begin_later_is_theirs() -> None:
    async def play() -> None:
        hall = Hall()
        await hall.final_then(result={"fixture": "R2-1", "score": [1, 0]})
        assert hall.one.match is not None
        void = hall.one.match
        await hall.wait(VOID_SECONDS + 1)
        assert hall.one.stopped == ["m3"]
        hall.now += 60
        hall.one.match = SeenMatch("own", void.game, void.players, 1, started=hall.now)
        await hall.wait(VOID_SECONDS + 1)
        assert hall.one.stopped == ["m3"]

    run(play())
