"""The cards of Dards: how they move the target, how they stack, and how they are dealt.

The board is a ring of 20 numbers. A card moves the target by its value, red cards
clockwise, black ones anticlockwise. Cards of one rank played in succession make a
stack, whose height is the multiplier.
"""

from dataclasses import dataclass
from typing import Final

from engine.cards import Card
from engine.segments import CLOCKWISE

LARGEST_HAND: Final = 6


@dataclass(frozen=True, slots=True)
class Pile:
    """The cards played: the place of the target in the ring, and the rank and height of the stack (0: no card)."""

    place: int = 0
    rank: str = ""
    height: int = 0

    @property
    def number(self) -> int:
        """The target: a number of the board, 1 to 20."""
        return CLOCKWISE[self.place]


EMPTY: Final = Pile()
"""No card is played; the place is that of the 20."""


def moved(place: int, card: Card) -> int:
    """The place in the ring after a card."""
    return (place + (card.paces if card.is_red else -card.paces)) % len(CLOCKWISE)


def laid(pile: Pile, card: Card, wild: str | None) -> Pile:
    """The pile with one more card on it. `wild` is the rank of the wild cards, or None."""
    place = moved(pile.place, card)
    if pile.height and card.rank in (pile.rank, wild):
        return Pile(place, pile.rank, pile.height + 1)
    return Pile(place, card.rank, 1)


def before(pile: Pile, card: Card) -> Pile:
    """The pile before its last card, this one: the place only, without the stack."""
    return Pile((pile.place + (-card.paces if card.is_red else card.paces)) % len(CLOCKWISE))


def hand_sizes(cards: int) -> tuple[int, ...]:
    """The cards per player in each round: the fewest rounds possible, evenly sized, larger ones first."""
    rounds = -(-cards // LARGEST_HAND)
    size, more = divmod(cards, rounds)
    return (size + 1,) * more + (size,) * (rounds - more)


def dealt(cards: tuple[Card, ...], players: int) -> tuple[tuple[Card, ...], ...]:
    """The hands of the players, dealt one card at a time."""
    return tuple(cards[seat::players] for seat in range(players))
