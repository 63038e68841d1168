"""A number of one's own: thrown for in the listed order, one dart each, or dealt."""

from dataclasses import dataclass
from typing import Any, Final

from engine.kit.options import one_of
from engine.segments import CLOCKWISE, Segment
from engine.texts import Text

MOST_TRIES: Final = 9
"""After this number of darts that gave no number, a side gets the lowest free one."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The numbers that sides have by now, in the listed order, and the darts of the next one that gave none."""

    numbers: tuple[int, ...] = ()
    tries: int = 0

    def thrower(self, sides: range) -> int | None:
        """Who throws for a number now; None: everyone has one. It is what `Kit.opening` returns."""
        return len(self.numbers) if len(self.numbers) < len(sides) else None

    def after(self, bed: Segment) -> "Draft":
        """After a dart of the thrower. The bull, a miss and a number that is taken give none."""
        if 1 <= bed.number <= 20 and bed.number not in self.numbers:
            return Draft((*self.numbers, bed.number))
        if self.tries + 1 < MOST_TRIES:
            return Draft(self.numbers, self.tries + 1)
        return Draft((*self.numbers, min(set(CLOCKWISE) - set(self.numbers))))


def numbers() -> Any:
    """How everyone gets a number: `throw` or `deck`."""
    return one_of(
        Text("A number of one’s own", "Die eigene Zahl", "Son numéro"),
        {"throw": Text("throw for it", "erwerfen", "on le lance"), "deck": Text("dealt", "ausgeteilt", "distribué")},
    )
