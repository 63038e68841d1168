"""What games on the beds of the board, without a face, have in common."""

from collections.abc import Callable
from typing import Final, TypeVar

from engine.actions import Bounce, Next
from engine.darts import Dart, Points, Position, Zone
from engine.game import AnyDart, Legal
from engine.geometry import segment_at
from engine.refusals import Refusal
from engine.segments import Segment

FINISHED: Final = Refusal("finished", "The match is over; undo the last action to play on.")
NO_FACE: Final = Refusal("no_face", "This game has no face and so no zones; name a bed like T20.")
CLOSE_FIRST: Final = Refusal("not_awaited", "This turn has no more darts; close it with next.")


def not_awaited(awaits: str) -> Refusal:
    """The refusal of an action while the match waits for `awaits`."""
    return Refusal("not_awaited", f"This action is not possible now; the match waits for: {awaits}.")


def _is_on_the_beds(dart: Dart) -> bool:
    return not isinstance(dart, Zone)


THROWING: Final = Legal((Bounce(), Next()), (AnyDart(_is_on_the_beds),))
"""What is legal while a turn has darts left."""

OPENING: Final = Legal((Bounce(),), (AnyDart(_is_on_the_beds),))
"""What is legal while a dart is awaited that needs no `next`."""

CLOSING: Final = Legal((Next(),))
"""What is legal when a turn has no darts left."""

NOTHING: Final = Legal()

E = TypeVar("E")


def effect(dart: Dart, of: Callable[[Segment], E]) -> E | Refusal:
    """The effect of a dart, where `of` gives the effect of a bed.

    Refusal `no_face` for a zone, `which_segment` for points whose beds have different effects.
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
                return Refusal("which_segment", f"Choose the bed of the {points} points: {names}.")
            return first
