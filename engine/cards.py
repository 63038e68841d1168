"""Playing cards: rank `A 2 3 4 5 6 7 8 9 T J Q K`, suit `C D H S`."""

from dataclasses import dataclass
from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"


@dataclass(frozen=True, slots=True)
class Card:
    """One card of 52."""

    rank: str
    suit: str

    @property
    def paces(self) -> int:
        """The value of the rank: 1 for an ace to 13 for a king."""
        return RANKS.index(self.rank) + 1

    @property
    def is_red(self) -> bool:
        return self.suit in "DH"

    def __str__(self) -> str:
        return self.rank + self.suit


PACK: Final = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
"""The 52 cards, in a fixed order."""

_BY_TEXT: Final = {str(c): c for c in PACK} | {f"10{suit}": Card("T", suit) for suit in SUITS}


def card(text: str) -> Card | None:
    """The card with this text (`TH` and `10H` are the same), or None."""
    return _BY_TEXT.get(text)


NUMBERS: Final = {
    card: card.paces + (10 if card.suit == "S" else 0) for card in PACK if card.paces <= 10 and card.suit in "HS"
}
"""The number deck, for games that draw numbers: hearts from ace to ten are 1 to 10, spades 11 to 20."""
