"""The state of a match of Cricket."""

from dataclasses import dataclass
from typing import Final, Literal

DARTS: Final = 3
CLOSED: Final = 3

Mode = Literal["standard", "cut-throat", "no-score"]


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of the match. In `numbers` the bull is 25; `rounds` 0 is no limit."""

    players: tuple[str, ...]
    mode: Mode
    numbers: tuple[int, ...]
    rounds: int
    teams: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """What was thrown in earlier legs: marks that closed or scored, rounds, darts, and the marks of the best turn."""

    marks: int = 0
    rounds: int = 0
    darts: int = 0
    best: int = 0


NO_DARTS: Final = Tally()


@dataclass(frozen=True, slots=True)
class Seat:
    """A player or a team: `marks` on each of the numbers, 0 to 3; `counted` marks that closed or scored.

    `rounds` counts turns from their first dart, and turns closed without a dart. `turns` has the counted marks of each
    closed turn.
    """

    marks: tuple[int, ...]
    score: int = 0
    counted: int = 0
    rounds: int = 0
    darts: int = 0
    turns: tuple[int, ...] = ()
    earlier: Tally = NO_DARTS

    @property
    def total(self) -> Tally:
        """What was thrown in the match, the best turn of those that are closed."""
        before = self.earlier
        return Tally(
            before.marks + self.counted,
            before.rounds + self.rounds,
            before.darts + self.darts,
            max(before.best, *self.turns, 0),
        )


@dataclass(frozen=True, slots=True)
class State:
    """A match. `player` is the index of the seat that throws; `best` are the indices of seats that have won."""

    rules: Rules
    seats: tuple[Seat, ...]
    number: int = 0
    round: int = 1
    player: int = 0
    darts: tuple[str, ...] = ()
    counted: tuple[int, ...] = ()
    """The marks of each dart of this turn that closed or scored."""
    scored: int = 0
    """Points of this turn, whoever gets them."""
    best: tuple[int, ...] = ()
    finished: bool = False

    @property
    def marked(self) -> int:
        """Marks of this turn that closed or scored."""
        return sum(self.counted)
