"""The targets of a roll in Cerberus, and the marks of darts."""

from collections.abc import Sequence
from typing import Final

from engine.segments import BULL, INNER_BULL, OUTER_BULL, Segment

DICE: Final = 3

MULTIPLIER: Final = (0, 1, 3, 5)
"""The multiplier by the number of different targets hit."""

Hit = tuple[int, int]
"""The number of the bed that a dart hit (25 for the bull), and its marks if that is a target."""


def marks_of(bed: Segment) -> int:
    """The marks of a bed in a target: 1 to 3, outer bull 3, inner bull 4."""
    if bed is OUTER_BULL:
        return 3
    return 4 if bed is INNER_BULL else bed.multiplier


def targets(roll: Sequence[int]) -> list[int | str]:
    """The targets of a roll: three numbers, two and the bull, or one, the bull and a wild number."""
    numbers: list[int | str] = list(dict.fromkeys(roll))
    return numbers + ["bull", "wild"][: DICE - len(numbers)]


def count(roll: Sequence[int], hits: Sequence[Hit], wild: int) -> tuple[int, int]:
    """Marks and multiplier of a turn; `wild` is the wild number, 0 if the roll has none."""
    numbers = {*numbers_of(roll), wild} - {0}
    marked = [(number, marks) for number, marks in hits if number in numbers]
    return sum(marks for _, marks in marked), MULTIPLIER[len({number for number, _ in marked})]


def best_wild(roll: Sequence[int], hits: Sequence[Hit]) -> int:
    """The wild number that scores most, the lowest of equals; 0 if the roll has none."""
    if not has_wild(roll):
        return 0

    def score(number: int) -> int:
        marks, multiplier = count(roll, hits, number)
        return marks * multiplier

    return max((number for number in range(1, 21) if number != roll[0]), key=score)


def numbers_of(roll: Sequence[int]) -> tuple[int, ...]:
    """The targets without a wild one; the bull is 25."""
    numbers = tuple(dict.fromkeys(roll))
    return numbers if len(numbers) == DICE else (*numbers, BULL)


def has_wild(roll: Sequence[int]) -> bool:
    return len(set(roll)) == 1
