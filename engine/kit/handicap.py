"""The handicap of games of the kit: targets done at the start, lives of one's own, or points to begin with."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, cast

from engine.kit.awards import points_counted
from engine.kit.options import options_of
from engine.kit.state import G, O, State
from engine.options import Number, Option, PerPlayer
from engine.refusals import Refusal
from engine.statistics import GameFigures, Statistics, Visit
from engine.texts import Text

if TYPE_CHECKING:
    from engine.kit.game import Kit

MOST_POINTS: Final = 1000
"""The most points to begin with in a game that does not say."""
NAME: Final = "handicap"


def option_of(game: "Kit[Any, Any]") -> tuple[Option, ...]:
    """The option `handicap`, in a race, a game of lives or one whose score is points; else none."""
    if game.head_start:
        # Also where the race has lives: the score is what is ahead.
        label = Text("Head start: targets done", "Vorsprung: geschaffte Ziele", "Avance : cibles déjà faites")
        return (Option(NAME, PerPlayer(1, game.head_start), {}, "targets that some players have done", label=label),)
    lives = next((option for option in options_of(game.rules) if option.name == "lives"), None)
    # Where they are secret, the score is something else.
    if lives is not None and isinstance(lives.kind, Number) and game.all_public:
        label = Text("Lives of their own", "Eigene Zahl der Leben", "Vies personnelles")
        own = PerPlayer(1, lives.kind.high, instead_of=lives.name)
        return (Option(NAME, own, {}, "lives of some players' own", label=label),)
    most = game.points_to_begin or (MOST_POINTS if game.counted_of is points_counted else 0)
    if most:
        label = Text("Score to begin with", "Stand zu Beginn", "Score au départ")
        return (Option(NAME, PerPlayer(1, most), {}, "points that some players begin with", label=label),)
    return ()


def below(target: Callable[[State[O, G]], int]) -> Callable[[State[O, G]], Refusal | None]:
    """For `refuses_head_start`: nobody may begin with the score that wins, or a higher one."""

    def refuses(state: State[O, G]) -> Refusal | None:
        if max(state.scores) < target(state):
            return None
        return Refusal("bad_option", f"Everybody must begin below {target(state)}; give a smaller handicap.")

    return refuses


def given(game: "Kit[O, G]", state: State[O, G], handicap: dict[str, int]) -> State[O, G] | Refusal:
    """The first state with the handicap of each side."""
    first = state.players[: len(state.scores)]
    if not set(handicap) <= set(first):
        return Refusal("bad_option", f"A handicap is for the first player of each team: {', '.join(first)}.")
    lives = not game.head_start and any(each.name == "lives" for each in fields(cast(Any, game.rules)))
    for name, value in handicap.items():
        side = first.index(name)
        state = state.with_score(value, side) if lives else state.gains(value, side)
    return (game.refuses_head_start(state) if handicap else None) or state


def without_bests(game: "Kit[O, G]", counted: Statistics[State[Any, Any]]) -> Statistics[State[Any, Any]]:
    """The same statistics, in which a score is no best one if the match began with a part of it."""

    def count(visits: Iterable[Visit[State[Any, Any]]], finished: bool) -> Mapping[str, GameFigures]:
        reading = iter(visits)
        first = next(reading, None)
        if first is None:
            return {}
        found, begun = counted.count(chain([first], reading), finished), first.start
        none = begun.changed(scores=(0,) * len(begun.scores), own=cast(Any, game.own)())
        helped = [side for side in begun.sides if begun.scores[side] != game.start(none).scores[side]]
        names = {name for side in helped for name in begun.names(side)}
        return {
            name: {key: value for key, value in figures.items() if key != "best_score" or name not in names}
            for name, figures in found.items()
        }

    return replace(counted, count=count)
