"""The legs of a match as their games count them: each leg is a match of its game, with that game's own states."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from engine.formats.series import Series
from engine.formats.state import State, inner
from engine.game import Game
from engine.refusals import Refusal
from engine.statistics import GameFigures, Visit, statistics_of

Figures = dict[str, Mapping[str, GameFigures]]
"""What is counted of each player, by the name of the game."""


def counted(series: Series, visits: Iterable[Visit[State[Any]]], finished: bool) -> Figures:
    """The figures of each player by the name of the game. It reads all visits."""
    parts: dict[str, dict[str, list[GameFigures]]] = {}
    for (number, again), legs in groupby(visits, key=lambda visit: (visit.start.leg, visit.start.again)):
        of_leg = list(legs)
        in_leg = [visit for visit in of_leg if visit.start.bull is None and visit.start.phase == "leg"]
        if not in_leg:
            continue
        game = series.plan.legs[in_leg[0].start.playing].game
        statistics = statistics_of(game)
        if statistics is None:
            continue
        last = of_leg[-1].played[-1][1] if of_leg[-1].played else of_leg[-1].start
        over = (last.leg, last.again) != (number, again) or finished
        for player, figures in statistics.count(_of_game(game, in_leg), over).items():
            parts.setdefault(game.name, {}).setdefault(player, []).append(figures)
    found: Figures = {}
    for name, players in parts.items():
        game = next(leg.game for leg in series.plan.legs if leg.game.name == name)
        together = statistics_of(game)
        if together is not None:
            found[name] = {player: together.whole(together.total(some), finished) for player, some in players.items()}
    return found


def _of_game(game: Game[Any], visits: Iterable[Visit[State[Any]]]) -> Iterator[Visit[Any]]:
    """The visits with the states of the game. After the last one the match holds the next leg already."""
    for visit in visits:
        state, played = inner(visit.start), []
        for action, _ in visit.played:
            step = game.apply(state, action)
            if isinstance(step, Refusal):
                continue
            state = step.state
            played.append((action, state))
        yield Visit(visit.player, inner(visit.start), tuple(played))
