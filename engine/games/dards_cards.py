"""The cards of Dards: how they move round the board, how they stack, and how they are dealt.

The board is a ring of 20 numbers. A card goes its paces from the last number
played, red clockwise, black the other way; cards of one rank, laid one upon
the other, make a stack, and its height is the multiplier.
"""

from dataclasses import dataclass
from typing import Final

from engine.cards import Card
from engine.segments import CLOCKWISE

LARGEST_HAND: Final = 6


@dataclass(frozen=True, slots=True)
class Pile:
    """What is laid: the place in the ring of the number played last, and the stack's rank and height (0: no card)."""

    place: int = 0
    rank: str = ""
    height: int = 0

    @property
    def number(self) -> int:
        """The number of the board, 1 to 20, where the pile stands."""
        return CLOCKWISE[self.place]


EMPTY: Final = Pile()
"""No card is laid, and the place is 20's."""


def moved(place: int, card: Card) -> int:
    """The place in the ring after a card's paces."""
    return (place + (card.paces if card.is_red else -card.paces)) % len(CLOCKWISE)


def laid(pile: Pile, card: Card, wild: str | None) -> Pile:
    """The pile with one more card on it. `wild` is the rank of the wild cards, where they are in play."""
    place = moved(pile.place, card)
    if pile.height and card.rank in (pile.rank, wild):
        return Pile(place, pile.rank, pile.height + 1)
    return Pile(place, card.rank, 1)


def before(pile: Pile, card: Card) -> Pile:
    """Where the pile stood before this card, its last one, was laid. What was laid before is not said."""
    return Pile((pile.place + (-card.paces if card.is_red else card.paces)) % len(CLOCKWISE))


def hand_sizes(cards: int) -> tuple[int, ...]:
    """How many cards each player gets in each round: as few rounds as can be, as even as can be, larger ones first."""
    rounds = -(-cards // LARGEST_HAND)
    size, more = divmod(cards, rounds)
    return (size + 1,) * more + (size,) * (rounds - more)


def dealt(cards: tuple[Card, ...], players: int) -> tuple[tuple[Card, ...], ...]:
    """The players' hands, dealt one card at a time round the table."""
    return tuple(cards[seat::players] for seat in range(players))
