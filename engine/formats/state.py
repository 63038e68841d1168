"""The state of a match in a format: which leg is played, by what state, and who has won what."""

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from engine.bullthrow import BullThrow

I = TypeVar("I")  # noqa: E741
"""A tuple with a place for the state of each leg's game; None where no leg of it has begun."""

Phase = Literal["bull", "choose", "leg", "over"]


@dataclass(frozen=True, slots=True)
class State(Generic[I]):
    """A match. Sides are numbered as in `Plan.sides`; the number after the last one is the house.

    `number` is that of the turn; during a leg that of its game's first turn, less the game's own.
    """

    inner: I
    order: tuple[int, ...]
    """The sides in their order of play."""
    wins: tuple[int, ...]
    """The legs of this set that each side has won."""
    sets: tuple[int, ...]
    total: tuple[int, ...]
    """The legs of the match that each side has won."""
    phase: Phase = "leg"
    number: int = 0
    leg: int = 0
    """The legs that are decided."""
    played: int = 0
    """Those of this set."""
    set: int = 0
    """The sets that are decided."""
    starter: int = 0
    playing: int = 0
    """The leg of the plan that is played, or was last."""
    again: bool = False
    """Whether this leg was shared and is played again."""
    last: tuple[int, ...] = ()
    """Who won the last leg."""
    chooser: int = 0
    bull: BullThrow | None = None
    won: tuple[int, ...] = ()
