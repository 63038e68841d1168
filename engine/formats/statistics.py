"""A leg of a match in a format as its game counts it: a match of that game, with the game's own states."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.formats.series import Series
from engine.formats.state import State, inner
from engine.game import Game
from engine.refusals import Refusal
from engine.statistics import GameFigures, Visit, statistics_of


def counted(
    series: Series, visits: Iterable[Visit[State[Any]]], over: bool
) -> tuple[Game[Any], Mapping[str, GameFigures]]:
    """The game of a leg, and the figures of each player in it. `visits` are those of the leg alone, at least one;
    `over` says whether the leg is."""
    visits = list(visits)
    game = series.plan.legs[visits[0].start.playing].game
    return game, statistics_of(game).count(_of_game(game, visits), over)


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
