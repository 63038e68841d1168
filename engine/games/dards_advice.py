"""Advice in Dards: where to aim at a number, and which card of a hand to play.

A card is worth what three darts score on its target, times the height of the
stack, less a share of what the next player can expect from the pile.
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
"""The share of the next player's expected score that counts against a card."""

_KEEP: Final = 1.0
"""The cost of playing a wild card early, in turns on an average number: it can double a stack later."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What the player who chooses a card knows. `rival_cards` is the number of cards of the next player, 0 if alone."""

    hand: tuple[Card, ...]
    pile: Pile
    wild: str | None
    unseen: tuple[Card, ...]
    rival_cards: int


@lru_cache(maxsize=256)
def aim_at_bull(skill_mm: float) -> Aim:
    """The aim that lands nearest to the centre."""
    return aim(skill_mm, lambda bed: -float(bed.ring))


def aim_at_number(skill_mm: float, number: int, multiplier: int) -> Aim:
    """The aim if only this number scores; its `value` is the average points of a dart."""
    found = _aim_at(skill_mm, number)
    return replace(found, value=found.value * multiplier)


@lru_cache(maxsize=1024)
def _aim_at(skill_mm: float, number: int) -> Aim:
    return aim(skill_mm, lambda bed: bed.points if bed.number == number else 0)


def card_to_play(prospect: Prospect, skill_mm: float) -> Card:
    """The card of the hand with the highest worth; the first of equals."""
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
    """The average of the highest of `count` values drawn at random; 0 if `count` is 0."""
    if count == 0:
        return 0.0
    total = comb(len(values), count)
    ordered = sorted(values, reverse=True)
    return sum(value * comb(len(values) - 1 - i, count - 1) for i, value in enumerate(ordered)) / total
