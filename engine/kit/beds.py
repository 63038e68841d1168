"""Beds in games of the kit: points, marks, goals, and what to light for a goal."""

from typing import Final

from engine.segments import BULL, CLOCKWISE, Ring, Segment

Target = int | str
"""Something to light: a number (all beds of it), a bed by its text, or `bull`."""

Goal = int | str
"""Something to hit: a number, `bull`, `double` (any of them), `triple`, or a bed by its text."""

FOUL: Final = Segment("FOUL", 0, 0, Ring.MISS)
"""The bed that a game is given for a foul. Like a miss it has no number, no points and no marks."""

DOUBLES: Final[tuple[Target, ...]] = (*(f"D{number}" for number in range(1, 21)), "DB")
TRIPLES: Final[tuple[Target, ...]] = tuple(f"T{number}" for number in range(1, 21))


def points(bed: Segment, bull: str = "split") -> int:
    """The points of a bed; with the bull `full` the outer bull is worth 50 too."""
    return 50 if bull == "full" and bed.is_bull else bed.points


def marks(bed: Segment) -> int:
    """Single 1, double 2, triple 3, outer bull 1, inner bull 2, a miss 0."""
    return bed.multiplier


def hits(bed: Segment, goal: Goal, beds: str = "any") -> bool:
    """Whether a bed is in a goal. Of a number, `beds` may let only the singles, doubles or triples count.

    The bull has no triple: where doubles or triples alone count, it is the inner bull.
    """
    if goal in ("double", "triple"):
        return bed.multiplier == (2 if goal == "double" else 3)
    if goal == "bull":
        goal = BULL
    elif isinstance(goal, str):
        return bed.text == goal
    if bed.number != goal:
        return False
    match beds:
        case "single":
            return bed.multiplier == 1 or bed.is_bull
        case "double":
            return bed.multiplier == 2
        case "triple":
            return bed.multiplier == (2 if bed.is_bull else 3)
        case _:
            return True


def lit(goal: Goal, beds: str = "any") -> tuple[Target, ...]:
    """What to light for a goal."""
    match goal:
        case "double":
            return DOUBLES
        case "triple":
            return TRIPLES
        case "bull":
            return ("DB",) if beds in ("double", "triple") else ("bull",)
        case int() if beds != "any":
            return (f"{beds[0].upper()}{goal}",)
        case _:
            return (goal,)


def in_ring_order(first: int, *, clockwise: bool = True) -> tuple[int, ...]:
    """The 20 numbers in the order of the board, from `first`."""
    ring = CLOCKWISE if clockwise else CLOCKWISE[::-1]
    at = ring.index(first)
    return ring[at:] + ring[:at]
