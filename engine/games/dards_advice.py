"""What to do in Dards: where to aim at a number, and which card of a hand to lay.

A card is worth what three darts bring on the number it leads to, times the
stack, less a share of what the next player can be expected to make of the pile.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb
from typing import Final

from engine.aiming import aim
from engine.cards import Card
from engine.game import Aim
from engine.games.dards_cards import Pile, laid
from engine.segments import CLOCKWISE

_DARTS: Final = 3

_DENY: Final = 0.5
"""How much what the next player may make of the pile counts against a card."""

_KEEP: Final = 1.0
"""What it costs to spend a wild card early, in turns at an average number: it doubles any other stack."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What the player who chooses a card can know. `rival_cards` is how many cards the next player holds, if any."""

    hand: tuple[Card, ...]
    pile: Pile
    wild: str | None
    unseen: tuple[Card, ...]
    rival_cards: int


@lru_cache(maxsize=256)
def aim_at_bull(skill_mm: float) -> Aim:
    """Where to aim to be near the centre."""
    return aim(skill_mm, lambda bed: -float(bed.ring))


def aim_at_number(skill_mm: float, number: int, multiplier: int) -> Aim:
    """Where to aim when this number alone scores, and the points that a dart brings on average."""
    found = _aim_at(skill_mm, number)
    return replace(found, value=found.value * multiplier)


@lru_cache(maxsize=1024)
def _aim_at(skill_mm: float, number: int) -> Aim:
    return aim(skill_mm, lambda bed: bed.points if bed.number == number else 0)


def card_to_play(prospect: Prospect, skill_mm: float) -> Card:
    """The card of the hand that is worth most; the first of equals."""
    values = {number: _DARTS * _aim_at(skill_mm, number).value for number in CLOCKWISE}
    mean = sum(values.values()) / 20

    def worth(one: Card) -> float:
        pile = laid(prospect.pile, one, prospect.wild)
        now = values[pile.number] * pile.height
        following = [laid(pile, other, prospect.wild) for other in prospect.unseen]
        later = _best_of([values[p.number] * p.height for p in following], prospect.rival_cards)
        spent = mean if one.rank == prospect.wild and len(prospect.hand) > 1 else 0.0
        return now - _DENY * later - _KEEP * spent

    return max(prospect.hand, key=worth)


def _best_of(values: list[float], count: int) -> float:
    """The highest of `count` of the values, drawn without knowing which, on average; 0 where none is drawn."""
    if count == 0:
        return 0.0
    total = comb(len(values), count)
    ordered = sorted(values, reverse=True)
    return sum(value * comb(len(values) - 1 - i, count - 1) for i, value in enumerate(ordered)) / total
