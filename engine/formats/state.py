"""The state of a match in a format: which leg is played, by what state, and who has won what."""

from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from engine.bullthrow import BullThrow

I = TypeVar("I")  # noqa: E741
"""A tuple with a place for the state of each leg's game; None where no leg of it has begun.

Every place of a game has the state of its last leg, from which the figures of the next one go on.
"""

Phase = Literal["bull", "choose", "leg", "over"]


@dataclass(frozen=True, slots=True)
class Ended:
    """What the end of a leg comes to: what it ends, who has won that, and the legs and sets of each side then."""

    of: Literal["leg", "set", "match"]
    won: tuple[int, ...]
    legs: tuple[int, ...]
    sets: tuple[int, ...]
    scores: tuple[int, ...] = ()
    """The score of each side, where the game does not show the end of the leg any more."""


@dataclass(frozen=True)
class State(Generic[I]):
    """A match. Sides are numbered as in `Plan.sides`; the number after the last one is the house.

    Without slots: `with_inner` then takes a fifth of the time of `dataclasses.replace`.

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
    ended: Ended | None = None
    """The end of the leg before, until the next action, if that did not wait for `next` alone: nobody has seen it."""


def inner(state: State[Any]) -> Any:
    """The state of the game that is played."""
    return state.inner[state.playing]


def in_leg(state: Any) -> Any:
    """The state of the game whose dart is due, in a format or without one; None before a leg and between two."""
    if not isinstance(state, State):
        return state
    return inner(state) if state.bull is None and state.phase == "leg" else None


def with_inner(state: State[Any], found: Any) -> State[Any]:
    """The state with another one of the game that is played."""
    places, at = state.inner, state.playing
    after = object.__new__(State)
    now = (found,) if len(places) == 1 else (*places[:at], found, *places[at + 1 :])
    object.__setattr__(after, "__dict__", state.__dict__ | {"inner": now})
    return after
