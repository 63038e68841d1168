"""What a game of the kit does where it says nothing of its own: the defaults of `Kit`."""

from collections.abc import Sequence
from typing import Any, Final, cast

from engine.kit.beds import Target
from engine.kit.state import G, O, State
from engine.segments import Segment

DARTS: Final = 3


def unchanged(state: State[O, G]) -> State[O, G]:
    """Nothing happens."""
    return state


def by_score(state: State[O, G], side: int) -> tuple[int, ...]:
    """The most points win."""
    return (state.scores[side],)


def by_fewest(state: State[O, G], side: int) -> tuple[int, ...]:
    """The fewest points win."""
    return (-state.scores[side],)


def own_rounds(state: State[O, G]) -> int:
    return cast(int, cast(Any, state.options).rounds)


def three(_state: State[O, G]) -> int:
    return DARTS


def listed(state: State[O, G]) -> Sequence[int]:
    return state.sides


def nobody(_state: State[O, G], _side: int) -> bool:
    return False


def no(_state: State[O, G]) -> bool:
    return False


def none(_state: State[O, G]) -> None:
    return None


def nothing_lit(_state: State[O, G]) -> Sequence[Target]:
    return ()


def bed_points(_state: State[O, G], bed: Segment) -> float:
    return bed.points
