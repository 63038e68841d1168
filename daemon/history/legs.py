"""The legs of a match: who won each, and what its game counts for each player. Pure functions.

A match without legs is one leg. `best_of` and a medley play legs of other games; X01 has legs and sets of its own.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from engine.formats import sides
from engine.formats.series import Series
from engine.formats.statistics import counted
from engine.game import Game
from engine.match import Match
from engine.statistics import GameFigures, Visit, statistics_of

LegKey = tuple[int, bool]
"""The number of a leg from 0, and whether it was shared and is played again."""
ONLY: Final[LegKey] = (0, False)

ByGame = Mapping[str, Mapping[str, GameFigures]]
"""What each game counts for each player, by the name of the game."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg. `winners` is empty for a leg that is shared, or not over; `over` says which."""

    key: LegKey
    game: str
    over: bool
    winners: tuple[str, ...] = ()
    figures: ByGame = field(default_factory=dict)


def leg_key(game: Game[Any], state: Any) -> LegKey:
    """Which leg a state of a match is in."""
    if isinstance(game, Series):
        return state.leg, state.again
    try:
        return statistics_of(game).leg(state), False
    except Exception:  # The log gets it where the legs are counted (`statistics.py`).
        return ONLY


def legs_of(match: Match, visits: Iterable[Visit[Any]]) -> Iterator[Leg]:
    """The legs of a match from its visits, which are read once, in order. Raises what a faulty game raises."""
    for key, some in groupby(visits, key=lambda visit: leg_key(match.game, visit.start)):
        of_leg = list(some)
        if isinstance(match.game, Series):
            # Without the throw for the bull and the choice of the game.
            begun = [visit for visit in of_leg if visit.start.phase == "leg" and visit.start.bull is None]
            if begun and any(visit.played for visit in of_leg):
                yield _leg_of_series(match, match.game, key, begun, of_leg[-1])
        elif any(visit.played for visit in of_leg):
            yield _leg(match, key, of_leg)


def totals(match: Match, legs: Iterable[Leg]) -> ByGame:
    """What each game of the match counts for each player over all legs."""
    parts: dict[str, dict[str, list[GameFigures]]] = {}
    for leg in legs:
        for game, players in leg.figures.items():
            for name, figures in players.items():
                parts.setdefault(game, {}).setdefault(name, []).append(figures)
    games = {game.name: game for game in games_of(match)}
    found: dict[str, dict[str, GameFigures]] = {}
    for game, lists in parts.items():
        counts = statistics_of(games[game])
        # Each leg has counted its own best; that of a match is over all of its legs.
        found[game] = {name: counts.whole(counts.total(some), match.finished) for name, some in lists.items()}
    return found


def games_of(match: Match) -> tuple[Game[Any], ...]:
    """The games that are played in a match."""
    return tuple(leg.game for leg in match.game.plan.legs) if isinstance(match.game, Series) else (match.game,)


def _leg(match: Match, key: LegKey, visits: list[Visit[Any]]) -> Leg:
    counts, name = statistics_of(match.game), match.game.name
    figures = {name: counts.count(visits, match.finished)}
    if won := counts.leg_winners(visits[-1].last):
        return Leg(key, name, over=True, winners=won, figures=figures)
    return Leg(key, name, match.finished, match.game.winners(match.state) or (), figures)


def _leg_of_series(match: Match, series: Series, key: LegKey, visits: list[Visit[Any]], last_visit: Visit[Any]) -> Leg:
    last = last_visit.played[-1][1] if last_visit.played else last_visit.start
    over = leg_key(series, last) != key
    won = sides.names_of(series.plan, visits[0].start, last.last) if last.leg != key[0] else ()
    game, figures = counted(series, visits, over or match.finished)
    return Leg(key, game.name, over, won, {game.name: figures})
