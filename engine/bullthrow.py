"""Who is nearer to the centre, and the throw for the bull that decides who starts.

By default darts are compared by distance if all of them have a position, otherwise by ring,
nearest first: inner bull, outer bull, inner single, triple, outer single, double,
miss. All misses are equal.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Literal

from engine.darts import Dart, Points, Position, Zone
from engine.geometry import segment_at, squared_distance
from engine.refusals import Refusal
from engine.segments import Ring, Segment

Compare = Literal["auto", "rings", "halls"]
"""How darts are compared. `rings`: never by distance. `halls`: the bulls by ring, all others by distance if it is known
of all of them, else they are equal."""
Again = Literal["listed", "reversed"]
"""The order in which equals throw again."""


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


def ranked(landings: Sequence[Landing], compare: Compare = "auto") -> tuple[tuple[int, ...], ...]:
    """The indices of the darts, nearest first; equal ones are grouped, in their order."""
    keys = _keys(landings, compare)
    in_order = sorted(range(len(keys)), key=keys.__getitem__)
    return tuple(tuple(equals) for _, equals in groupby(in_order, key=keys.__getitem__))


def _keys(landings: Sequence[Landing], compare: Compare) -> list[Fraction]:
    if compare == "halls":
        others = iter(_distances([one for one in landings if one.ring > Ring.OUTER_BULL]) or ())
        # Behind the bulls, whose rings are 0 and 1.
        return [Fraction(one.ring if one.ring <= Ring.OUTER_BULL else 2 + next(others, 0)) for one in landings]
    distances = _distances(landings) if compare == "auto" else None
    return [Fraction(one.ring) for one in landings] if distances is None else distances


def _distances(landings: Sequence[Landing]) -> list[Fraction] | None:
    """The squared distances; None unless all are known."""
    positions = [one.at for one in landings if one.at is not None]
    if len(positions) < len(landings):
        return None
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
    compare: Compare = "auto"
    again: Again = "listed"
    most: int = 0
    """How often the same group throws at most; then they keep the order of `listed`. 0: until they differ."""
    tries: int = 0
    """How often the group that throws has thrown."""
    listed: tuple[str, ...] = ()

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
    split = tuple(tuple(group[i] for i in equals) for equals in ranked(darts, bull.compare))
    tries = bull.tries + 1 if len(split) == 1 else 0
    if bull.most and tries >= bull.most:
        split, tries = tuple((player,) for player in bull.listed if player in group), 0
    elif bull.again == "reversed":
        split = tuple(equals[::-1] for equals in split)
    return replace(bull, places=(*bull.places[:at], *split, *bull.places[at + 1 :]), thrown=(), tries=tries)
