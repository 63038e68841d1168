"""What the games that are played on the beds themselves, without a face, have in common."""

from collections.abc import Callable
from typing import Final, TypeVar

from engine.actions import Bounce, Next
from engine.darts import Dart, Points, Position, Zone
from engine.game import AnyDart, Legal
from engine.geometry import segment_at
from engine.refusals import Refusal
from engine.segments import Segment

FINISHED: Final = Refusal("finished", "The match is over; take the last action back to play on.")
NO_FACE: Final = Refusal("no_face", "Zones belong to a face, and this game is played on the beds; name a bed like T20.")
CLOSE_FIRST: Final = Refusal("not_awaited", "The throws of this turn are over; close it with next.")


def not_awaited(awaits: str) -> Refusal:
    """The refusal of an action that has no place now."""
    return Refusal("not_awaited", f"That has no place now; what is awaited is: {awaits}.")


def _is_on_the_beds(dart: Dart) -> bool:
    return not isinstance(dart, Zone)


THROWING: Final = Legal((Bounce(), Next()), (AnyDart(_is_on_the_beds),))
"""What is legal while a turn has darts left."""

CLOSING: Final = Legal((Next(),))
"""What is legal when a turn has no darts left."""

NOTHING: Final = Legal()

E = TypeVar("E")


def effect(dart: Dart, of: Callable[[Segment], E]) -> E | Refusal:
    """What a dart does, `of` being what a bed does.

    Refusal `no_face` for a zone, `which_segment` for points that beds with different effects give.
    """
    match dart:
        case Segment():
            return of(dart)
        case Position():
            return of(segment_at(dart))
        case Zone():
            return NO_FACE
        case Points(points, candidates):
            first = of(candidates[0])
            if any(of(bed) != first for bed in candidates[1:]):
                names = ", ".join(bed.text for bed in candidates)
                return Refusal("which_segment", f"Say which bed the {points} points were: {names}.")
            return first
