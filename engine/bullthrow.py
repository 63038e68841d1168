"""Who is nearer to the centre, and the throw for the bull that decides who starts.

Darts are compared by distance if all of them have a position, otherwise by ring,
nearest first: inner bull, outer bull, inner single, triple, outer single, double,
miss. All misses are equal.
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
    """How near a dart is: its ring, its position if the board reported one, and its text for displays."""

    ring: Ring
    at: Position | None
    text: str


FOUL = Landing(Ring.MISS, None, "FOUL")
"""A dart thrown with a foot over the line: a miss."""


def landing(dart: Dart | None) -> Landing | Refusal:
    """How near a dart is; None is a foul.

    Refusal `which_segment` for points whose beds lie in different rings, `no_face`
    for a zone, which has no distance from the centre.
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
                return Refusal("which_segment", f"The bed of these {points} points decides who is nearer; choose it.")
            return Landing(beds[0].ring, None, str(points))
        case Zone():
            return Refusal("no_face", "A zone has no distance from the centre; name the bed that this dart hit.")


def can_be_compared(dart: Dart) -> bool:
    """Whether `landing` accepts such a dart once its bed is known."""
    return not isinstance(dart, Zone)


def ranked(landings: Sequence[Landing]) -> tuple[tuple[int, ...], ...]:
    """The indices of the darts, nearest first; equal ones are grouped, in their order."""
    keys = _keys(landings)
    in_order = sorted(range(len(keys)), key=keys.__getitem__)
    return tuple(tuple(equals) for _, equals in groupby(in_order, key=keys.__getitem__))


def _keys(landings: Sequence[Landing]) -> list[Fraction]:
    positions = [one.at for one in landings if one.at is not None]
    if len(positions) < len(landings):
        return [Fraction(one.ring) for one in landings]
    # The double ends at distance 1: all misses are equal.
    return [min(squared_distance(at), Fraction(1)) for at in positions]


@dataclass(frozen=True, slots=True)
class BullThrow:
    """The throw for the bull: one dart each in the order of the players; equals throw again among themselves.

    `places` are the groups of players who are equal so far, the nearest group first.
    The first group of more than one player is throwing, and `thrown` are its darts;
    it is then split in place.
    """

    places: tuple[tuple[str, ...], ...]
    thrown: tuple[Landing, ...] = ()

    @property
    def thrower(self) -> str | None:
        """Who throws now; None once the order is decided, and for a single player."""
        group = self._throwing
        return None if group is None else group[len(self.thrown)]

    @property
    def order(self) -> tuple[str, ...]:
        """The players by their places: the order of play once `thrower` is None."""
        return tuple(player for group in self.places for player in group)

    @property
    def _throwing(self) -> tuple[str, ...] | None:
        return next((group for group in self.places if len(group) > 1), None)

    def shown(self, player: str) -> str | None:
        """The text of this player's dart in the current throws, or None."""
        group = self._throwing or ()
        at = group.index(player) if player in group else len(self.thrown)
        return self.thrown[at].text if at < len(self.thrown) else None


def throw_for_bull(players: tuple[str, ...]) -> BullThrow:
    """The throw for the bull before its first dart."""
    return BullThrow((players,))


def thrown(bull: BullThrow, dart: Dart | None) -> BullThrow | Refusal:
    """After a dart of the thrower; None is a foul. Refusals as of `landing`, and `not_awaited` at the end."""
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
