"""Who is nearer to the centre, and the throw for the bull that decides who starts.

Distances count only where every dart that is compared has a position; else
rings do, nearest first: inner bull, outer bull, inner single, triple, outer
single, double, miss. All misses are equal, wherever they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from engine.darts import Dart, Points, Position, Zone
from engine.geometry import segment_at, squared_distance
from engine.refusals import Refusal
from engine.segments import Ring, Segment


@dataclass(frozen=True, slots=True)
class Landing:
    """How near a dart is: its ring, its position where the board told it, and the dart as it is shown."""

    ring: Ring
    at: Position | None
    text: str


FOUL = Landing(Ring.MISS, None, "FOUL")
"""A dart thrown with a foot over the line: a miss."""


def landing(dart: Dart | None) -> Landing | Refusal:
    """How near a dart is; None stands for a foul.

    Points whose beds lie in different rings are refused with `which_segment`,
    a zone with `no_face`: it does not say how far from the centre it is.
    """
    match dart:
        case None:
            return FOUL
        case Segment():
            return Landing(dart.ring, None, dart.text)
        case Position():
            bed = segment_at(dart)
            return Landing(bed.ring, dart, bed.text)
        case Points(points, beds):
            if len({bed.ring for bed in beds}) > 1:
                return Refusal("which_segment", f"The bed of these {points} points decides who is nearer; say which.")
            return Landing(beds[0].ring, None, str(points))
        case Zone():
            return Refusal("no_face", "A zone does not say how near it is; this dart goes to the board's own beds.")


def can_be_compared(dart: Dart) -> bool:
    """Whether `landing` takes such a dart, once its bed is known."""
    return not isinstance(dart, Zone)


def ranked(landings: Sequence[Landing]) -> tuple[tuple[int, ...], ...]:
    """The indices of the darts, nearest first; those that are equal stand together, in their order."""
    keys = _keys(landings)
    in_order = sorted(range(len(keys)), key=keys.__getitem__)
    return tuple(tuple(equals) for _, equals in groupby(in_order, key=keys.__getitem__))


def _keys(landings: Sequence[Landing]) -> list[Fraction]:
    positions = [one.at for one in landings if one.at is not None]
    if len(positions) < len(landings):
        return [Fraction(one.ring) for one in landings]
    # The edge of the double is at distance 1, so whatever lies beyond it becomes equal there.
    return [min(squared_distance(at), Fraction(1)) for at in positions]


@dataclass(frozen=True, slots=True)
class BullThrow:
    """One dart each in the order of the list; equals throw again among themselves.

    `places` are the groups of those who are equal so far, the nearest group
    first, each in the order of the list. The first group of more than one is
    throwing, and `thrown` are its darts. A group stays between its neighbours.
    """

    places: tuple[tuple[str, ...], ...]
    thrown: tuple[Landing, ...] = ()

    @property
    def thrower(self) -> str | None:
        """Who throws now; None when the order is decided, as it is for one player alone."""
        group = self._throwing
        return None if group is None else group[len(self.thrown)]

    @property
    def order(self) -> tuple[str, ...]:
        """The players by their places: the order to play in, once nobody is to throw."""
        return tuple(player for group in self.places for player in group)

    @property
    def _throwing(self) -> tuple[str, ...] | None:
        return next((group for group in self.places if len(group) > 1), None)

    def shown(self, player: str) -> str | None:
        """This player's dart of the throws that are going on, or None."""
        group = self._throwing or ()
        at = group.index(player) if player in group else len(self.thrown)
        return self.thrown[at].text if at < len(self.thrown) else None


def throw_for_bull(players: tuple[str, ...]) -> BullThrow:
    """The throw for the bull before its first dart."""
    return BullThrow((players,))


def thrown(bull: BullThrow, dart: Dart | None) -> BullThrow | Refusal:
    """After a dart (None: a foul) of the one who throws. Refused as `landing` refuses, and `not_awaited` at the end."""
    group = bull._throwing
    if group is None:
        return Refusal("not_awaited", "The order is decided; nobody throws for the bull.")
    landed = landing(dart)
    if isinstance(landed, Refusal):
        return landed
    darts = (*bull.thrown, landed)
    if len(darts) < len(group):
        return replace(bull, thrown=darts)
    at = bull.places.index(group)
    split = tuple(tuple(group[i] for i in equals) for equals in ranked(darts))
    return BullThrow((*bull.places[:at], *split, *bull.places[at + 1 :]))
