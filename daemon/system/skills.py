"""What says how well a bot throws: the spread of its darts in mm, a word for it, or the hand of a player."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, get_args

from engine.aiming import COARSEST_MM, FINEST_MM

WORDS: Final[Mapping[str, float]] = MappingProxyType(
    {"professional": 6.4, "county": 8.7, "league": 11.6, "pub": 15.7, "casual": 23.3}
)
"""The spread in mm of each word: with these, X01 from 501 has averages of 95, 80, 65, 50 and 35 points a visit."""

LAST: Final = "last"
"""The month of a hand that stands for the newest one that is over."""


LegWord = Literal["last", "best", "median"]
LEGS: Final = get_args(LegWord)
"""Which leg of X01 a ghost throws again: the newest one, or of those that the player finished the one of the fewest
darts, or the middle one."""


@dataclass(frozen=True, slots=True)
class HandOf:
    """The hand of a player, of all their darts or of one month: `YYYY-MM` or LAST.

    With a `leg` the very darts of that leg are thrown in X01 for as long as it lasts.
    """

    player: str
    month: str | None = None
    leg: str | None = None


def hand_of(value: object) -> HandOf | None:
    """Returns the hand that a command names, like `{"hand": "Ann", "month": "2026-10", "leg": "best"}`."""
    match value:
        case {"hand": str() as player, **rest} if rest.keys() <= {"month", "leg"}:
            texts = {key: value for key, value in rest.items() if isinstance(value, str)}
            if texts.keys() == rest.keys() and texts.get("leg") in (None, *LEGS):
                return HandOf(player, texts.get("month"), texts.get("leg"))
    return None


def spread(skill: object) -> float | None:
    """The spread in mm of a skill that is a word or a number; None if it is not a skill."""
    if isinstance(skill, str):
        return WORDS.get(skill)
    if isinstance(skill, bool) or not isinstance(skill, int | float):
        return None
    return skill if FINEST_MM <= skill <= COARSEST_MM else None


def spread_of_text(text: str) -> float:
    """The spread in mm of a skill on the command line. ValueError if it is not one."""
    try:
        number: float | str = float(text)
    except ValueError:
        number = text
    found = spread(number)
    if found is None:
        raise ValueError(
            f"{text!r} is not a skill: a spread from {FINEST_MM} to {COARSEST_MM} mm, or {', '.join(WORDS)}."
        )
    return found
