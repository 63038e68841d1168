"""What is played: entrants, fixtures, and where the two sides of a fixture come from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.refusals import Refusal

NOBODY: Final = 0
"""In place of an entrant: nobody takes this side, so the other one advances. Entrants are numbered from 1."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player, a pair or a team. `seed` 1 is the strongest; `None` means that the draw places them.

    `bot` is the spread of a bot's darts in mm; `None` for people.
    """

    number: int
    name: str
    players: tuple[str, ...]
    seed: int | None = None
    bot: float | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """What a match of a round is: a key of a game (or `medley`), its options, and the number of legs at most."""

    game: str = "x01"
    best_of: int = 3
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """A side that is known from the draw: an entrant, or `NOBODY` for a bye."""

    entrant: int


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """The winner of an earlier fixture."""

    fixture: str


@dataclass(frozen=True, slots=True)
class LoserOf:
    """The loser of an earlier fixture."""

    fixture: str


@dataclass(frozen=True, slots=True)
class PlaceOf:
    """Whoever finishes a group at a place, from 1."""

    group: str
    place: int


Side = Known | WinnerOf | LoserOf | PlaceOf


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match to be played. `round` counts from 1 within its stage; `from_end` is 1 for a final, 2 for a semi-final.

    `group` names the table to which it counts; `None` in a knock-out. `only_after` is the final that must have been
    won by its away side: otherwise this fixture is not played.
    """

    id: str
    stage: str
    round: int
    home: Side
    away: Side
    group: str | None = None
    from_end: int = 0
    only_after: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How a fixture ended: who played, and the legs of each.

    A `walkover` was not played. `kept` stays although an earlier result was corrected and others should have played.
    `match` is the id of the match on a board. `maximums` are the 180s of each side, where somebody counted them.
    """

    fixture: str
    home: int
    away: int
    score: tuple[int, int]
    walkover: bool = False
    kept: bool = False
    match: str | None = None
    maximums: tuple[int, int] = (0, 0)

    @property
    def winner(self) -> int | None:
        """The entrant who won; `None` after a draw."""
        if self.score[0] == self.score[1]:
            return None
        return self.home if self.score[0] > self.score[1] else self.away

    @property
    def loser(self) -> int | None:
        """The entrant who lost; `None` after a draw."""
        winner = self.winner
        return None if winner is None else self.away if winner == self.home else self.home


def check_score(score: tuple[int, int], best_of: int, *, in_group: bool) -> Refusal | None:
    """Returns why a score cannot end a match of at most `best_of` legs.

    A match ends with the majority of the legs. In a group all legs may be played, and an even number may be drawn.
    """
    high, low = max(score), min(score)
    total = high + low
    if low < 0 or total > best_of:
        return Refusal("bad_value", f"A score of {score[0]}:{score[1]} does not fit a match of {best_of} legs.")
    if high == low:
        if in_group and total == best_of:
            return None
        return Refusal("bad_value", f"{score[0]}:{score[1]} has no winner.")
    if high <= best_of // 2:
        return Refusal("bad_value", f"{score[0]}:{score[1]} does not end a match of {best_of} legs.")
    if not in_group and high > best_of // 2 + 1:
        return Refusal("bad_value", f"{score[0]}:{score[1]} has more legs than a match of {best_of} needs.")
    return None
