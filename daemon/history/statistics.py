"""What recorded matches say of the players: averages, marks per round, beds, bests. Pure functions.

Counted is what counts in the end: a dart that was taken back was never
thrown, and one that was put right is where it was put. The figures of several
matches add up, so each match has to be looked at once only.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from engine.actions import Foul, Throw
from engine.darts import Dart, Position
from engine.games import cricket, x01
from engine.games.x01_checkouts import checkout
from engine.geometry import segment_at
from engine.match import Match
from engine.refusals import Refusal
from engine.segments import Segment

FIRST_VISITS: Final = 3
"""The first nine darts of a leg are those of its first three visits."""
TONS: Final = (100, 140, 180)


@dataclass(frozen=True, slots=True)
class X01Figures:
    """A player at X01. `points` and `darts` make the average; the darts of a bust count, its points do not.

    `chances` are the darts with which the leg could have been finished. A best of 0 is none.
    """

    points: int = 0
    darts: int = 0
    first_points: int = 0
    first_darts: int = 0
    legs: int = 0
    chances: int = 0
    tons: Mapping[int, int] = field(default_factory=dict)
    """How many visits were worth at least so much: each is counted at its highest step alone."""
    best_visit: int = 0
    best_checkout: int = 0
    best_leg: int = 0
    """The fewest darts that won a leg from 501; of other starts and of teams none is kept, for they do not compare."""


@dataclass(frozen=True, slots=True)
class CricketFigures:
    """A player at Cricket: marks that closed or scored, the rounds that he threw, and his best match."""

    marks: int = 0
    rounds: int = 0
    best: float = 0.0
    """Marks per round of the best match that was played to its end."""


@dataclass(frozen=True, slots=True)
class Figures:
    """A player over some matches. `beds` says how many darts landed where, as far as the boards told."""

    matches: int = 0
    won: int = 0
    games: Mapping[str, int] = field(default_factory=dict)
    beds: Mapping[str, int] = field(default_factory=dict)
    x01: X01Figures = X01Figures()
    cricket: CricketFigures = CricketFigures()


def of_match(match: Match) -> dict[str, Figures]:
    """The figures of everyone who threw in a match or was to."""
    names, winners = match.header.players, match.game.winners(match.state) or ()
    beds: dict[str, Counter[str]] = {name: Counter() for name in names}
    visits: dict[str, list[X01Figures]] = {name: [] for name in names}
    rounds: dict[str, list[int]] = {name: [] for name in names}
    legs: dict[tuple[int, str], list[X01Figures]] = {}
    played = tuple(match.played)
    ends = [start.at for start in match.turns.since(1)] + [len(played)]
    for turn, end in zip(match.turns, ends, strict=True):
        state, last, chances = turn.state, turn.state, 0
        for action in played[turn.at : end]:
            step = match.game.apply(state, action)
            if isinstance(step, Refusal):
                # A dart that a correction left behind the end of its visit, or one of which the bed is still asked.
                continue
            if isinstance(action, Throw | Foul):
                actor = match.game.turn(state).actor
                chances += isinstance(state, x01.State) and _can_finish(state)
                if isinstance(action, Throw) and (bed := _bed(action.dart)) is not None and actor in beds:
                    beds[actor][bed] += 1
            last, state = (step.state if isinstance(action, Throw | Foul) else last), step.state
        name = match.game.turn(turn.state).player
        if isinstance(turn.state, x01.State):
            leg = legs.setdefault((turn.state.leg, name), [])
            leg.append(_visit(turn.state, last, leg, chances))
            visits[name].append(leg[-1])
        elif isinstance(last, cricket.State) and (last.darts or end > turn.at):
            rounds[name].append(last.marked)
    return {
        name: Figures(
            1,
            int(name in winners),
            {match.game.name: 1},
            dict(beds[name]),
            total_x01(visits[name]),
            _cricket(rounds[name], match.finished),
        )
        for name in names
    }


def total(parts: Iterable[Figures]) -> Figures:
    """The figures of several matches as one."""
    parts = list(parts)
    return Figures(
        sum(part.matches for part in parts),
        sum(part.won for part in parts),
        _added(part.games for part in parts),
        _added(part.beds for part in parts),
        total_x01([part.x01 for part in parts]),
        CricketFigures(
            sum(part.cricket.marks for part in parts),
            sum(part.cricket.rounds for part in parts),
            max((part.cricket.best for part in parts), default=0.0),
        ),
    )


def total_x01(parts: list[X01Figures]) -> X01Figures:
    """Sums of what is counted, the best of what is a best."""
    sums = {
        one.name: sum(getattr(part, one.name) for part in parts)
        for one in fields(X01Figures)
        if one.name != "tons" and not one.name.startswith("best")
    }
    return X01Figures(
        **sums,
        tons=_added(part.tons for part in parts),
        best_visit=max((part.best_visit for part in parts), default=0),
        best_checkout=max((part.best_checkout for part in parts), default=0),
        best_leg=min((part.best_leg for part in parts if part.best_leg), default=0),
    )


def to_json(figures: Figures) -> dict[str, Any]:
    """As the pages get it: rates instead of sums, and no key for a game that was never played."""
    about: dict[str, Any] = {"matches": figures.matches, "won": figures.won, "games": dict(figures.games)}
    about["beds"] = dict(figures.beds)
    at, marks = figures.x01, figures.cricket
    if at.darts:
        about["x01"] = {
            "average": _rate(3 * at.points, at.darts),
            "first_nine": _rate(3 * at.first_points, at.first_darts),
            "darts": at.darts,
            "legs": at.legs,
            "tons": {str(step): count for step, count in at.tons.items()},
            "best_visit": at.best_visit,
        }
        about["x01"] |= {"checkout_rate": _rate(100 * at.legs, at.chances)} if at.chances else {}
        about["x01"] |= {"best_checkout": at.best_checkout} if at.best_checkout else {}
        about["x01"] |= {"best_leg": at.best_leg} if at.best_leg else {}
    if marks.rounds:
        about["cricket"] = {"mpr": _rate(marks.marks, marks.rounds), "rounds": marks.rounds}
        about["cricket"] |= {"best_mpr": marks.best} if marks.best else {}
    return about


def _bed(dart: Dart) -> str | None:
    match dart:
        case Segment():
            return dart.text
        case Position():
            return segment_at(dart).text
        case _:
            return None


def _can_finish(state: x01.State) -> bool:
    seat, rules = state.seats[state.player], state.rules
    return seat.is_in and bool(checkout(seat.left, 1, rules.closing, rules.full_bull))


def _visit(start: x01.State, end: x01.State, leg: list[X01Figures], chances: int) -> X01Figures:
    """One visit; `leg` are those before it by the same player in the same leg."""
    at = start.player
    before, after = start.seats[at], end.seats[at]
    points, darts = after.kept - before.kept, after.darts - before.darts
    ton = max((step for step in TONS if points >= step), default=0)
    first = len(leg) < FIRST_VISITS
    won = points == before.left
    leg_darts = darts + sum(visit.darts for visit in leg)
    return X01Figures(
        points,
        darts,
        points if first else 0,
        darts if first else 0,
        int(won),
        chances,
        {ton: 1} if ton else {},
        points,
        points if won else 0,
        leg_darts if won and start.rules.starts[at] == 501 and len(start.seats) == len(start.rules.players) else 0,
    )


def _cricket(marks: list[int], finished: bool) -> CricketFigures:
    rate = _rate(sum(marks), len(marks)) if finished else 0.0
    return CricketFigures(sum(marks), len(marks), rate)


def _added(parts: Iterable[Mapping[Any, int]]) -> dict[Any, int]:
    found: Counter[Any] = Counter()
    for part in parts:
        found.update(part)
    return dict(sorted(found.items(), key=lambda item: (-item[1], str(item[0]))))


def _rate(of: int, by: int) -> float:
    """Two decimals, a half rounded up, as in the games."""
    return (200 * of + by) // (2 * by) / 100 if by else 0.0
