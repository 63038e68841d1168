"""What the darts of a turn of the kit counted, for its awards."""

from typing import Any

from engine.awards import Counted
from engine.kit.state import State
from engine.segments import MISS, SEGMENTS


def any_dart(begun: State[Any, Any], state: State[Any, Any]) -> Counted:
    """Every dart that did something takes part."""
    return Counted("other", tuple(map(int, state.took)), state.scored)


def hits_counted(begun: State[Any, Any], state: State[Any, Any]) -> Counted:
    """A dart that brought something takes part, in a game whose state changes with every dart."""
    return Counted("other", state.points, state.scored)


def points_counted(begun: State[Any, Any], state: State[Any, Any]) -> Counted:
    """A dart counts the points that it brought or took off; what a miss brings is no award."""
    worth = tuple(
        points if SEGMENTS.get(dart, MISS) is not MISS or dart.isdigit() else min(0, points)
        for dart, points in zip(state.darts, state.points, strict=True)
    )
    return Counted("points", worth, state.scored)


def marks_counted(begun: State[Any, Any], state: State[Any, Any]) -> Counted:
    """A dart counts the marks of its bed, and no more than it brought."""
    beds = (SEGMENTS.get(dart, MISS) for dart in state.darts)
    worth = tuple(min(bed.multiplier, points) for bed, points in zip(beds, state.points, strict=True))
    return Counted("marks", worth, state.scored)
