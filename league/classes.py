"""Classes: how good a player is at X01 and at Cricket, from 1 to 18, by the tables that soft-tip halls use.

The classes are data. A value between two edges has its share of the way to the next class.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

LEGS: Final = 30
"""How many of a player's last legs of a game are counted."""
FEWEST_LEGS: Final = 10
"""With fewer legs a player has no class in a game."""
HIGHEST: Final = 18


@dataclass(frozen=True, slots=True)
class Scale:
    """The classes of one game, by the rate of that name. `edges` are the lower edges from class 1 on, in hundredths."""

    rate: str
    edges: tuple[int, ...]


SCALES: Final[Mapping[str, Scale]] = {
    "x01": Scale(
        "average",
        (0, 4000, 4500, 5000, 5500, 6000, 6500, 7000, 7500, 8000, 8500, 9000, 9500, 10200, 10900, 11600, 12300, 13000),
    ),
    "cricket": Scale("mpr", (0, 130, 150, 170, 190, 210, 230, 250, 270, 290, 310, 330, 350, 375, 400, 425, 450, 475)),
}
"""By the name of the game."""

FLIGHTS: Final = ((16, "SA"), (13, "AA"), (10, "A"), (8, "BB"), (6, "B"), (4, "CC"), (1, "C"))
"""The lowest class of each flight, the best flight first."""


def exact(scale: Scale, count: int, per: int) -> Fraction:
    """The class for a rate of `count` per `per`, `per` above 0: 1 to 18, with its share of the way to the next."""
    value = Fraction(100 * count, per)
    at = max((n for n, edge in enumerate(scale.edges) if edge <= value), default=0)
    if at == HIGHEST - 1:
        return Fraction(HIGHEST)
    low, high = scale.edges[at], scale.edges[at + 1]
    return at + 1 + max(Fraction(0), (value - low) / (high - low))


def down(level: Fraction) -> float:
    """A class with one decimal, rounded down."""
    return int(10 * level) / 10


def flight(level: Fraction) -> str:
    """The name of the flight of a class."""
    return next(name for lowest, name in FLIGHTS if level >= lowest)


def overall(levels: Mapping[str, Fraction]) -> Fraction | None:
    """The mean over all games with a scale; None while one of them has no class."""
    return sum(levels.values(), Fraction(0)) / len(SCALES) if levels.keys() == SCALES.keys() else None
