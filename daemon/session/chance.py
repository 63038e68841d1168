"""What chance brings: dice and decks, from the system's own random source or from one that is handed in."""

import secrets
from random import Random
from typing import Final

from engine.actions import Deck, GameAction, Roll
from engine.game import AnyDeck, AnyRoll
from engine.match import Match

_RANDOM: Final = secrets.SystemRandom()


def draw(match: Match, source: Random = _RANDOM) -> GameAction | None:
    """The dice or the deck that a match waits for, or None where it waits for something else."""
    if match.turn.awaits not in ("roll", "deck"):
        return None
    for pattern in match.legal().patterns:
        match pattern:
            case AnyRoll(count, sides):
                return Roll(tuple(source.randint(1, sides) for _ in range(count)))
            case AnyDeck(cards):
                deck = sorted(cards, key=str)
                source.shuffle(deck)
                return Deck(tuple(deck))
    return None


def spread(skill_mm: float, source: Random = _RANDOM) -> float:
    """How far off a dart lands in one direction, in mm."""
    return source.gauss(0.0, skill_mm)
