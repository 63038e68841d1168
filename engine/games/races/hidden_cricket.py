"""Hidden Cricket: the numbers are there, but you must find them; the rest is Random Cricket."""

from collections.abc import Hashable
from dataclasses import replace
from functools import lru_cache
from typing import Final

from engine import kit
from engine.games.races import _cricket, random_cricket
from engine.games.races._cricket import Options, Own, S
from engine.kit import About, Chooser, Kit, Segment, Show, Text
from engine.segments import BULL, CLOCKWISE

SEARCH: Final = 0.8
"""The share of its worth that a number has of which only the odds are known."""


def known(state: S) -> tuple[int, ...]:
    """The numbers that everyone knows: the bull, and those that a dart has found. At the end all are."""
    own = state.own
    return tuple(number for number in own.numbers if state.finished or number == BULL or number in own.tried)


def untried(state: S) -> list[int]:
    return [number for number in sorted(CLOCKWISE) if number not in state.own.tried]


def dart(state: S, bed: Segment) -> S:
    own = state.own
    if 0 < bed.number != BULL and bed.number not in own.tried:
        state = state.keep(replace(own, tried=own.tried | {bed.number}))
    return _cricket.dart(state, bed)


def targets(state: S) -> list[kit.Target]:
    return _cricket.named(number for number in known(state) if _cricket.is_open(state, number))


@lru_cache(64)
def odds(numbers: tuple[int, ...], tried: frozenset[int]) -> float:
    """The chance of a number that nobody has tried to be one of these, as everyone knows it."""
    return sum(number != BULL and number not in tried for number in numbers) / (len(CLOCKWISE) - len(tried))


def worth(state: S, bed: Segment) -> float:
    own = state.own
    if not bed.number or bed.number == BULL or bed.number in own.tried:
        return _cricket.worth(state, bed)
    return odds(own.numbers, own.tried) * SEARCH * _cricket.worth_of(state, bed)


def matters(state: S) -> Hashable:
    numbers = (*known(state), *untried(state))
    return known(state), state.own.tried, tuple([_cricket.mark_worth(state, number) for number in numbers])


def show(state: S, viewer: str | None) -> Show:
    own, numbers = state.own, known(state)
    match = {
        "numbers": _cricket.named(numbers),
        "hidden": (len(own.numbers) if own.drawn else state.options.count) - len(numbers),
        "empty": sorted(own.tried.difference(own.numbers)),
        "mode": state.options.mode,
    }
    return Show(match, {"marks": own.marked}, _cricket.players(state, numbers))


def disguise(state: S, viewer: str | None, choose: Chooser) -> S:
    """Other numbers in the place of those that nobody has found, which have no marks."""
    own, numbers = state.own, known(state)
    others = choose.sample(untried(state), len(own.numbers) - len(numbers))
    return state.keep(replace(own, numbers=_cricket.in_order((*numbers, *others), BULL in numbers)))


GAME: Final[Kit[Options, Own]] = replace(
    random_cricket.GAME,
    name="hidden_cricket",
    title="Hidden Cricket",
    about=About(
        "B",
        Text(
            "Cricket on six numbers that you must find first.",
            "Cricket auf sechs Zahlen, die ihr erst finden müsst.",
            "Un Cricket sur six numéros qu’il faut d’abord trouver.",
        ),
        aim=_cricket.AIM,
        turn=Text(
            "A number is shown from the first dart of anybody in it, and that dart counts. Three marks close it, "
            "further marks score until the others have closed it too. The bull is known.",
            "Eine Zahl zeigt sich mit dem ersten Dart, den jemand hineinwirft, und der zählt. Drei Treffer schließen "
            "sie, weitere punkten, bis die anderen sie auch geschlossen haben. Das Bull ist bekannt.",
            "Un numéro se montre à la première fléchette qui le touche, et elle compte. Trois marques le ferment, les "
            "suivantes marquent tant que les autres ne l’ont pas fermé. Le bull est connu.",
        ),
        end=_cricket.END,
    ),
    dart=dart,
    targets=targets,
    show=show,
    disguise=disguise,
    worth=worth,
    matters=matters,
)
