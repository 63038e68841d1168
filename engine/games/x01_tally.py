"""What a seat of X01 has thrown, in a leg and in the match: what the scoreboard and the result show.

The tally is part of the state, so that it survives a restart and a correction changes it as it changes the score. The
statistics over many matches (`x01_statistics.py`) count players; a tally counts a seat, which can be a team.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

from engine.games.x01_checkouts import Rule, checkout
from engine.statistics import rate

FIRST_VISITS: Final = 3
"""The first nine darts of a leg are those of its first three visits."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Points that count, darts, the part of both in the first three visits of a leg, darts that could have finished
    (`chances`), legs won (`finished`), and the highest visit (`best`)."""

    points: int = 0
    darts: int = 0
    first_points: int = 0
    first_darts: int = 0
    chances: int = 0
    finished: int = 0
    best: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.points + other.points,
            self.darts + other.darts,
            self.first_points + other.first_points,
            self.first_darts + other.first_darts,
            self.chances + other.chances,
            self.finished + other.finished,
            max(self.best, other.best),
        )

    def dart(self, points: int, *, first: bool, chance: bool) -> "Tally":
        """After one more dart; `first`: in one of the first three visits of the leg."""
        # Not `replace`, which would take longer for every dart.
        return Tally(
            self.points + points,
            self.darts + 1,
            self.first_points + points * first,
            self.first_darts + first,
            self.chances + chance,
            self.finished,
            self.best,
        )

    def visit(self, points: int) -> "Tally":
        """After a visit of `points`."""
        return self if points <= self.best else replace(self, best=points)

    def bust(self, before: "Tally") -> "Tally":
        """After a bust: its darts count, its points do not."""
        return replace(self, points=before.points, first_points=before.first_points)

    def to_json(self) -> dict[str, Any]:
        """What displays get; without the checkout rate, in percent, before the first dart that could have finished."""
        shown = {
            "darts": self.darts,
            "average": rate(3 * self.points, self.darts),
            "first_nine": rate(3 * self.first_points, self.first_darts),
            "best_visit": self.best,
            "checkout_hits": self.finished,
            "checkout_darts": self.chances,
        }
        return shown | ({"checkout_rate": rate(100 * self.finished, self.chances)} if self.chances else {})


NO_DARTS: Final = Tally()


def can_finish(left: int, closing: Rule, full_bull: bool) -> bool:
    """Whether one dart can finish `left` points."""
    return bool(checkout(left, 1, closing, full_bull))
