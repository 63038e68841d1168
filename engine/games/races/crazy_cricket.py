"""Crazy Cricket (Wild Card): numbers that nobody has touched change every round; the rest is Random Cricket."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Final

from engine import kit
from engine.games.races import _cricket, random_cricket
from engine.games.races._cricket import Options, Own, S
from engine.kit import About, Kit, Segment, Show, Text
from engine.segments import BULL

LOOSE: Final = 0.8
"""The share of its worth that a number without marks has: it may change."""


def is_loose(state: S, number: int) -> bool:
    """Whether a number changes in the next round: the bull never does, nor one with a mark of anybody."""
    return number != BULL and not any(marks[number] for marks in state.own.marks)


def begin(state: S) -> S:
    """A round in which no number changes has its numbers already."""
    after, own = _cricket.begin(state), state.own
    if own.drawn in (0, state.round) or any(is_loose(state, number) for number in own.numbers):
        return after
    return after.keep(kit.replaced(after.own, drawn=state.round))


def drawn(state: S, cards: tuple[int, ...]) -> S:
    own, deck = state.own, iter(cards)
    if not own.drawn:
        return _cricket.dealt(state, cards)
    numbers = list(own.numbers)
    for at, number in enumerate(numbers):
        if is_loose(state, number):
            # Cards of numbers that are in play are passed over; without a card the number stays.
            numbers[at] = next((card for card in deck if card not in numbers), number)
    return state.keep(kit.replaced(own, numbers=_cricket.in_order(numbers, BULL in numbers), drawn=state.round))


def worth(state: S, bed: Segment) -> float:
    worth = _cricket.worth(state, bed)
    return worth * LOOSE if worth and is_loose(state, bed.number) else worth


def matters(state: S) -> Hashable:
    return _cricket.matters(state), tuple([is_loose(state, number) for number in state.own.numbers])


def show(state: S, viewer: str | None) -> Show:
    own = state.own
    fixed = [number for number in own.numbers if any(marks[number] for marks in own.marks)]
    match = {
        "numbers": _cricket.named(own.numbers),
        "fixed": _cricket.named(fixed),
        "mode": state.options.mode,
    }
    return Show(match, {"marks": own.marked}, _cricket.players(state, own.numbers))


GAME: Final[Kit[Options, Own]] = replace(
    random_cricket.GAME,
    name="crazy_cricket",
    title="Crazy Cricket",
    about=About(
        "B",
        Text(
            "Cricket where untouched numbers change every round.",
            "Cricket, bei dem unberührte Zahlen jede Runde wechseln.",
            "Un Cricket où les numéros intacts changent à chaque tour.",
        ),
        aim=_cricket.AIM,
        turn=Text(
            "As in Cricket: three marks close a number, further marks score until the others have closed it too. But "
            "numbers without a mark of anybody are drawn again at the start of each round.",
            "Wie Cricket: drei Treffer schließen eine Zahl, weitere punkten, bis die anderen sie auch geschlossen "
            "haben. Aber Zahlen ohne jeden Treffer werden zu Beginn jeder Runde neu gezogen.",
            "Comme au Cricket : trois marques ferment un numéro, les suivantes marquent tant que les autres ne l’ont "
            "pas fermé. Mais les numéros sans aucune marque sont tirés à nouveau à chaque tour.",
        ),
        end=_cricket.END,
    ),
    begin=begin,
    chance=lambda state: None if state.own.drawn == state.round else kit.NUMBER_DECK,
    drawn=drawn,
    show=show,
    worth=worth,
    matters=matters,
)
