"""Every game on boards of each kind: refused with the reason, or played to the end with what such a board reports."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

import pytest

from boards.board import Can
from daemon.session.chance import draw, landed
from drivers.score_only import DRIVER as SCORE_ONLY
from drivers.score_only import beds_worth
from engine.about import about, needs, unplayable
from engine.actions import Action, Choose, Throw
from engine.darts import Dart, Points, Position
from engine.games import GAMES
from engine.geometry import centre_of, segment_at
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from engine.play import apply
from engine.random_play import LONGEST
from engine.refusals import Refusal
from engine.segments import Segment, plain
from tests.games.setups import FACES

SKILL_MM: Final = 15.0


def points_of(bed: Segment) -> Dart:
    """What a board says that reports points alone. A miss is told by a button or the phone."""
    return Points(bed.points, beds_worth(bed.points)) if bed.points else bed


BOARDS: Final[Mapping[str, tuple[Can, Callable[[Segment], Dart]]]] = {
    "points": (SCORE_ONLY.can, points_of),
    "62 beds": (Can(ring=True), plain),
    "82 beds": (Can(ring=True, inner_outer=True), lambda bed: bed),
    "positions": (Can(ring=True, inner_outer=True, position=True), centre_of),
}


def begun(name: str) -> Match:
    """A match of bots in the seats, with options that make it short."""
    rules = GAMES[name]
    players = ("Ann", "Bob", "Cid")[: max(2, rules.seats.start)]
    short: dict[str, dict[str, Any]] = {"x01": {"start": 101}, "dart_wars": {"order": "listed"}}
    match = open_match(Header(name, players, short.get(name, {}), NEWEST), GAMES, FACES)
    assert isinstance(match, Match)
    return match


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("name", GAMES)
def test_game_is_refused_or_played_to_the_end(name: str, board: str) -> None:
    can, reported = BOARDS[board]
    refusal = unplayable(GAMES[name], can.to_json())
    if refusal is not None:
        assert refusal.reason == "board_cannot"
        assert GAMES[name].title in refusal.message
        assert (board, needs(GAMES[name])) == ("points", ("ring",))
        return
    asked = play(begun(name), reported, Random(1))
    found = about(GAMES[name])
    assert found is not None
    if board != "points" or found.board == "P":
        assert asked == 0


def play(match: Match, reported: Callable[[Segment], Dart], random: Random) -> int:
    """Plays bots to the end, with darts as the board reports them; how often the bed was asked for."""
    asked = 0
    bed = None
    while not match.finished:
        assert len(match.played) < LONGEST
        action: Action | None = draw(match, random)
        if match.unsure is not None:
            assert bed is not None
            asked, action = asked + 1, Choose("segment", bed.text)
        elif action is None:
            advice = match.game.advice(match.state, SKILL_MM)
            action = advice.action
            if action is None:
                assert advice.aim is not None
                bed = segment_at(landed(Position(advice.aim.x, advice.aim.y), SKILL_MM, random))
                action = Throw(reported(bed))
                bed = plain(bed)
        outcome = apply(match, action)
        assert not isinstance(outcome, Refusal), outcome
        match = outcome
    return asked
