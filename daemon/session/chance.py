"""What chance brings: dice, decks, and where a dart lands. From the system's random source, or from a given one."""

import secrets
from collections.abc import Callable
from random import Random
from typing import Final

from engine.actions import Deck, GameAction, Roll
from engine.darts import Position
from engine.game import AnyDeck, AnyRoll, Awaits, Legal
from engine.geometry import BOARD_MM
from engine.match import Match

_RANDOM: Final = secrets.SystemRandom()


def draw(match: Match, source: Random = _RANDOM) -> GameAction | None:
    """The dice or the deck that a match waits for, or None where it waits for something else."""
    return drawn(match.turn.awaits, match.legal, source)


def drawn(awaits: Awaits, legal: Callable[[], Legal], source: Random) -> GameAction | None:
    """The dice or the deck that is awaited, as the legal actions describe it; None where something else is awaited."""
    if awaits not in ("roll", "deck"):
        return None
    for pattern in legal().patterns:
        match pattern:
            case AnyRoll(count, sides):
                return Roll(tuple(source.randint(1, sides) for _ in range(count)))
            case AnyDeck(cards):
                deck = sorted(cards, key=str)
                source.shuffle(deck)
                return Deck(tuple(deck))
    return None


def landed(at: Position, skill_mm: float, source: Random = _RANDOM) -> Position:
    """Where a dart lands that was aimed `at` a point. `skill_mm` is the standard deviation in x and in y."""
    x, y = (offset + source.gauss(0.0, skill_mm) / BOARD_MM for offset in (at.x, at.y))
    return Position(x, y)
