"""What grows with the matches of a player: averages by month, head to head, and the best legs and checkouts.

Careers add up like the figures they are part of (`statistics.py`), so each match is counted once. Pure functions.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final

from daemon.history.legs import ByGame, Leg
from engine.statistics import added, rate

Counts = Mapping[str, int]
Best = tuple[int, str, str]
"""A value, and when and in which match it was reached."""

BEST: Final = 5
"""How many of the best are kept of each kind."""
_KINDS: Final = {"leg": ("best_leg", 1), "checkout": ("best_checkout", -1)}
"""The figure of X01 that each kind comes from, and the sign that puts the best first."""
_RATES: Final = (("x01", "points"), ("x01", "darts"), ("cricket", "marks"), ("cricket", "rounds"))


@dataclass(frozen=True, slots=True)
class Career:
    """`months` by `2026-11` and `opponents` by name hold sums; `bests` are by kind, the best first."""

    months: Mapping[str, Counts] = field(default_factory=dict)
    opponents: Mapping[str, Counts] = field(default_factory=dict)
    bests: Mapping[str, tuple[Best, ...]] = field(default_factory=dict)


NONE: Final = Career()


def careers(
    match: str, started: str, sides: Mapping[str, str], winners: Iterable[str], legs: Iterable[Leg], sums: ByGame
) -> dict[str, Career]:
    """What one finished match adds for each player of `sides`, which has the name of their side.

    Partners of one side are not opponents. A match in which neither or both of two won is a draw between them.
    """
    won, legs = frozenset(winners), list(legs)
    about = {name: _sums(name, sums) for name in sides}
    opponents: dict[str, dict[str, Counts]] = {name: {} for name in sides}
    for one, other in combinations(sides, 2):
        if sides[one] != sides[other]:
            opponents[one][other] = _against(one, other, won, about)
            opponents[other][one] = _against(other, one, won, about)
    return {
        name: Career(
            {started[:7]: {"matches": 1, "won": int(name in won)} | about[name]},
            opponents[name],
            {kind: best for kind in _KINDS if (best := _bests(kind, name, match, started, legs))},
        )
        for name in sides
    }


def total(parts: Iterable[Career]) -> Career:
    """Several careers as one."""
    parts = [part for part in parts if part != NONE]
    return Career(
        dict(sorted(_together(part.months for part in parts).items())),
        _together(part.opponents for part in parts),
        {
            kind: tuple(sorted((best for part in parts for best in part.bests.get(kind, ())), key=_order(kind))[:BEST])
            for kind in _KINDS
            if any(kind in part.bests for part in parts)
        },
    )


def dump(career: Career) -> dict[str, Any]:
    """A career as JSON."""
    return {"months": career.months, "opponents": career.opponents, "bests": career.bests}


def load(value: Mapping[str, Any]) -> Career:
    """The career that `dump` wrote."""
    bests = {kind: tuple((best[0], best[1], best[2]) for best in some) for kind, some in value["bests"].items()}
    return Career(value["months"], value["opponents"], bests)


def to_json(career: Career) -> dict[str, Any]:
    """What the page of a player gets: averages instead of sums, opponents by the number of matches."""
    met = sorted(career.opponents.items(), key=lambda item: (-item[1]["matches"], item[0]))
    return {
        "months": [
            {"month": month, "matches": sums["matches"], "won": sums["won"]} | averages(sums)
            for month, sums in career.months.items()
        ],
        "opponents": [
            {"name": name, "matches": sums["matches"], "won": sums["won"], "lost": sums["lost"]}
            | averages(sums)
            | {f"their_{key}": value for key, value in averages(sums, "their_").items()}
            for name, sums in met
        ],
        "bests": {
            kind: [{"value": value, "started": started, "match": match} for value, started, match in some]
            for kind, some in career.bests.items()
        },
    }


def averages(sums: Counts, whose: str = "") -> dict[str, float]:
    """The average of X01 and the marks per round of Cricket, each only if it was played."""
    shown = {}
    if darts := sums.get(f"{whose}darts", 0):
        shown["average"] = rate(3 * sums.get(f"{whose}points", 0), darts)
    if rounds := sums.get(f"{whose}rounds", 0):
        shown["mpr"] = rate(sums.get(f"{whose}marks", 0), rounds)
    return shown


def _sums(name: str, sums: ByGame) -> dict[str, int]:
    found = {}
    for game, key in _RATES:
        value = sums.get(game, {}).get(name, {}).get(key, 0)
        if isinstance(value, int) and value:
            found[key] = value
    return found


def _against(one: str, other: str, won: frozenset[str], about: Mapping[str, Counts]) -> dict[str, int]:
    result = {"matches": 1, "won": int(one in won and other not in won), "lost": int(other in won and one not in won)}
    return {**result, **about[one], **{f"their_{key}": value for key, value in about[other].items()}}


def _bests(kind: str, name: str, match: str, started: str, legs: Iterable[Leg]) -> tuple[Best, ...]:
    key = _KINDS[kind][0]
    found = (leg.figures.get("x01", {}).get(name, {}).get(key, 0) for leg in legs)
    some = [(value, started, match) for value in found if isinstance(value, int) and value]
    return tuple(sorted(some, key=_order(kind))[:BEST])


def _order(kind: str) -> Any:
    sign = _KINDS[kind][1]
    return lambda best: (sign * best[0], best[1], best[2])


def _together(parts: Iterable[Mapping[str, Counts]]) -> dict[str, Counts]:
    some: dict[str, list[Counts]] = {}
    for part in parts:
        for key, counts in part.items():
            some.setdefault(key, []).append(counts)
    return {key: added(counts) for key, counts in some.items()}
