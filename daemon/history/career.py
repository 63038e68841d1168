"""What grows with the matches of a player: rates by month, head to head, and lists of their best.

The games declare which rates and lists there are (`engine/statistics.py`). Careers add up like the figures that they
are part of (`statistics.py`), so each match is counted once; those of a game that is gone still add up. Pure functions.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final, NamedTuple

import league.classes
from daemon.history.legs import Leg
from engine.matchfile import Games
from engine.statistics import GameFigures, added, rate, statistics_of

Counts = Mapping[str, int]
_COUNT: Final = " count"
_PER: Final = " per"
"""What the names of the two sums of a rate end with."""


class Best(NamedTuple):
    """A value, and when, in which match and at which game it was reached. Of two, the lower `rank` is better."""

    rank: float
    value: float
    started: str
    match: str
    game: str


class LegRate(NamedTuple):
    """A finished leg: its match, its number in it, and the two sums of its rate."""

    match: str
    leg: int
    counted: int
    per: int


BEST: Final = 5
"""How many of the best are kept of each kind."""


@dataclass(frozen=True, slots=True)
class Career:
    """`months` by `2026-11` and `opponents` by name hold sums; `bests` are by kind, the best first. `legs` are the last
    legs of each game that has classes (`league/classes.py`), the newest last."""

    months: Mapping[str, Counts] = field(default_factory=dict)
    opponents: Mapping[str, Counts] = field(default_factory=dict)
    bests: Mapping[str, tuple[Best, ...]] = field(default_factory=dict)
    legs: Mapping[str, tuple[LegRate, ...]] = field(default_factory=dict)


NONE: Final = Career()


def careers(
    match: str,
    started: str,
    sides: Mapping[str, str],
    winners: Iterable[str],
    legs: Iterable[Leg],
    sums: Mapping[str, Mapping[str, GameFigures]],
    games: Games,
) -> dict[str, Career]:
    """What one finished match adds for each player of `sides`, which has the name of their side. `sums` are what each
    game has counted for each player.

    Partners of one side are not opponents. A match in which neither or both of two won is a draw between them.
    """
    won, legs = frozenset(winners), list(legs)
    about = {name: _sums(sums[name], games) for name in sides}
    opponents: dict[str, dict[str, Counts]] = {name: {} for name in sides}
    for one, other in combinations(sides, 2):
        if sides[one] != sides[other]:
            opponents[one][other] = _against(one, other, won, about)
            opponents[other][one] = _against(other, one, won, about)
    return {
        name: Career(
            {started[:7]: {"matches": 1, "won": int(name in won)} | about[name]},
            opponents[name],
            _bests(name, match, started, legs, games),
            _leg_rates(name, match, legs, games),
        )
        for name in sides
    }


def total(parts: Iterable[Career]) -> Career:
    """Several careers as one."""
    parts = [part for part in parts if part != NONE]
    return Career(
        dict(sorted(_together(part.months for part in parts).items())),
        _together(part.opponents for part in parts),
        _first((kind, best) for part in parts for kind, some in part.bests.items() for best in some),
        _last((game, leg) for part in parts for game, some in part.legs.items() for leg in some),
    )


def dump(career: Career) -> dict[str, Any]:
    """A career as JSON."""
    return {"months": career.months, "opponents": career.opponents, "bests": career.bests, "legs": career.legs}


def load(value: Mapping[str, Any]) -> Career:
    """The career that `dump` wrote."""
    bests = {kind: tuple(Best(*best) for best in some) for kind, some in value["bests"].items()}
    legs = {game: tuple(LegRate(*leg) for leg in some) for game, some in value.get("legs", {}).items()}
    return Career(value["months"], value["opponents"], bests, legs)


def classes(career: Career) -> dict[str, Any]:
    """The player's class in each game that has classes; and over all of these games, with its flight."""
    exact = {
        game: league.classes.exact(league.classes.SCALES[game], sum(leg.counted for leg in some), per)
        for game, some in career.legs.items()
        if len(some) >= league.classes.FEWEST_LEGS and (per := sum(leg.per for leg in some))
    }
    found: dict[str, Any] = {game: league.classes.down(level) for game, level in exact.items()}
    if (both := league.classes.overall(exact)) is not None:
        found |= {"overall": league.classes.down(both), "flight": league.classes.flight(both)}
    return found


def to_json(career: Career) -> dict[str, Any]:
    """What the page of a player gets: averages instead of sums, opponents by the number of matches."""
    met = sorted(career.opponents.items(), key=lambda item: (-item[1]["matches"], item[0]))
    return {
        "months": [
            {"month": month, "matches": sums["matches"], "won": sums["won"]} | averages(sums)
            for month, sums in career.months.items()
        ],
        "opponents": [
            {"name": name, "matches": sums["matches"], "won": sums["won"], "lost": sums["lost"]} | averages(sums)
            for name, sums in met
        ],
        "bests": {
            kind: [{"value": b.value, "started": b.started, "match": b.match, "game": b.game} for b in some]
            for kind, some in career.bests.items()
        },
    }


def averages(sums: Counts) -> dict[str, float]:
    """Each rate that has been played for."""
    names = (key.removesuffix(_PER) for key in sums if key.endswith(_PER))
    return {name: rate(sums.get(name + _COUNT, 0), sums[name + _PER]) for name in names}


def _sums(by_game: Mapping[str, GameFigures], games: Games) -> dict[str, int]:
    """The two sums of each rate; those that are 0 are left out."""
    found: list[dict[str, int]] = []
    for game, figures in by_game.items():
        for shown, ratio in statistics_of(games.get(game)).rates.items():
            count, per = figures.get(ratio.count, 0), figures.get(ratio.per, 0)
            if isinstance(count, int) and isinstance(per, int) and per > 0:
                found.append({shown + _COUNT: ratio.times * count, shown + _PER: per})
    return {key: value for key, value in added(found).items() if value}


def _against(one: str, other: str, won: frozenset[str], about: Mapping[str, Counts]) -> dict[str, int]:
    result = {"matches": 1, "won": int(one in won and other not in won), "lost": int(other in won and one not in won)}
    return {**result, **about[one], **{f"their_{key}": value for key, value in about[other].items()}}


def _bests(name: str, match: str, started: str, legs: Iterable[Leg], games: Games) -> dict[str, tuple[Best, ...]]:
    found = []
    for leg in legs:
        for game, players in leg.figures.items():
            counts, figures = statistics_of(games.get(game)), players.get(name, {})
            for kind, figure in counts.bests.items():
                value = figures.get(figure)
                if isinstance(value, int | float) and value:
                    rank = value if counts.best.get(figure) is min else -value
                    found.append((kind, Best(rank, value, started, match, game)))
    return _first(found)


def _leg_rates(name: str, match: str, legs: Iterable[Leg], games: Games) -> dict[str, tuple[LegRate, ...]]:
    found = []
    for number, leg in enumerate(legs):
        scale = league.classes.SCALES.get(leg.game)
        figures = leg.figures.get(leg.game, {}).get(name)
        if leg.over and scale is not None and figures is not None:
            ratio = statistics_of(games.get(leg.game)).rates[scale.rate]
            count, per = figures.get(ratio.count), figures.get(ratio.per)
            if isinstance(count, int) and isinstance(per, int) and per > 0:
                found.append((leg.game, LegRate(match, number, ratio.times * count, per)))
    return _last(found)


def _last(legs: Iterable[tuple[str, LegRate]]) -> dict[str, tuple[LegRate, ...]]:
    """The last legs of each game that count for its classes. Ids of matches are in the order of their times."""
    by_game: dict[str, list[LegRate]] = {}
    for game, leg in legs:
        by_game.setdefault(game, []).append(leg)
    return {game: tuple(sorted(some)[-league.classes.LEGS :]) for game, some in sorted(by_game.items())}


def _first(bests: Iterable[tuple[str, Best]]) -> dict[str, tuple[Best, ...]]:
    """The best of each kind, the best first."""
    kinds: dict[str, list[Best]] = {}
    for kind, best in bests:
        kinds.setdefault(kind, []).append(best)
    return {kind: tuple(sorted(some)[:BEST]) for kind, some in sorted(kinds.items())}


def _together(parts: Iterable[Mapping[str, Counts]]) -> dict[str, Counts]:
    some: dict[str, list[Counts]] = {}
    for part in parts:
        for key, counts in part.items():
            some.setdefault(key, []).append(counts)
    return {key: added(counts) for key, counts in some.items()}
