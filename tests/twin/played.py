"""Matches of a player whose hand is known: they aim as the game advises, and hit where their hand throws."""

from collections import Counter

from daemon.system.catalogue import faces, games
from engine.actions import Next, Throw
from engine.geometry import BOARD_MM
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from engine.play import apply
from engine.refusals import Refusal
from engine.statistics import visits
from tests.twin.thrower import Thrower

LONGEST = 3000
"""Actions of a match; a wide hand may never finish one."""


def play(game: str, thrower: Thrower, skill_mm: float, darts: int, **options: object) -> list[Match]:
    """Matches of `Ann` alone with so many darts in all, the last one unfinished."""
    found: list[Match] = []
    while darts > 0:
        match, darts = _one(game, thrower, skill_mm, darts, dict(options))
        found.append(match)
    return found


def _one(game: str, thrower: Thrower, skill_mm: float, darts: int, options: dict[str, object]) -> tuple[Match, int]:
    match = open_match(Header(game, ("Ann",), options, NEWEST), games(), faces())
    assert isinstance(match, Match)
    for _ in range(LONGEST):
        if match.finished or not darts:
            break
        action: Next | Throw = Next()
        if match.turn.awaits == "throw":
            aim = match.game.advice(match.state, skill_mm).aim
            assert aim is not None
            action, darts = Throw(thrower.at((aim.x * BOARD_MM, aim.y * BOARD_MM))), darts - 1
        after = apply(match, action)
        assert not isinstance(after, Refusal), after
        match = after
    return match, darts


def aims_of(matches: list[Match], skill_mm: float) -> Counter[tuple[float, float]]:
    """How often each point in mm was aimed at."""
    found: Counter[tuple[float, float]] = Counter()
    for match in matches:
        for visit in visits(match):
            state = visit.start
            for action, after in visit.played:
                if isinstance(action, Throw):
                    aim = match.game.advice(state, skill_mm).aim
                    assert aim is not None
                    found[aim.x * BOARD_MM, aim.y * BOARD_MM] += 1
                state = after
    return found
