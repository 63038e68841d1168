"""The handicap of X01: a start of one's own, given as a number or from averages."""

from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Any, Final

from engine.options import Number, Option, PerPlayer
from engine.texts import Text

LOWEST: Final = 101
"""No start that averages make is below this."""
STARTS: Final = (2, 5001)
"""The lowest and the highest start of a player's own: with these a match is even for hands that differ tenfold."""

HANDICAP: Final = (
    Option("handicap", PerPlayer(*STARTS, instead_of="start"), {}, "another start for some players"),
    Option(
        "averages",
        PerPlayer(1, 180, whole=False),
        {},
        "averages, per dart or of three; who has a lower one than the best starts lower",
        label=Text("Averages for a handicap", "Schnitte für ein Handicap", "Moyennes pour un handicap"),
    ),
    Option(
        "level",
        Number(0, 100),
        100,
        "how much of the difference of the averages is made up, in percent",
        label=Text("Handicap in percent", "Handicap in Prozent", "Handicap en pour cent"),
    ),
)


def starts(first: tuple[str, ...], options: Mapping[str, Any]) -> tuple[int, ...]:
    """The start of each of these players: their own or that of all, times their average by the highest one.

    With a `level` below 100 only that part of the difference is taken off. Rounded up; whoever has no average given
    keeps the start. In fractions, because a float may be just above a whole number.
    """
    averages = {name: Fraction(str(average)) for name, average in options["averages"].items()}
    top, level = max(averages.values(), default=Fraction(1)), Fraction(options["level"], 100)

    def start(name: str) -> int:
        own: int = options["handicap"].get(name, options["start"])
        part = 1 - level * (1 - averages.get(name, top) / top)
        return max(min(LOWEST, own), ceil(own * part))

    return tuple(map(start, first))
