"""Checkout routes of one hand, where they are better than the standard ones, and by how much."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.darts import Position
from engine.games.x01_checkouts import Rule, checkout, value
from engine.geometry import BOARD_MM, centre_of, segment_at
from engine.segments import Segment, plain
from twin.fit import Point
from twin.hand import Hand
from twin.x01_policy import Policy, dart, lowest_of, odds_of, within_visit

OUT: Final[Rule] = "double"
"""How a leg is finished."""
HIGHEST_CHECKOUT: Final = 170
DARTS: Final = 3
"""Darts of a visit: a cost in visits is this many darts."""
_DOUBLES_MM: Final = 166.0
WORTH_A_DART: Final = 0.1
"""Routes that save less are not worth learning."""


@dataclass(frozen=True, slots=True)
class Route:
    """Another way to finish: what to aim at, what the standard says, and the darts that it saves on average."""

    left: int
    own: tuple[Segment, ...]
    standard: tuple[Segment, ...]
    darts: float


def own_routes(hand: Hand, policy: Policy) -> list[Route]:
    """The routes that begin with another bed than the standard one and save WORTH_A_DART, the most worth first."""
    odds = odds_of(hand, policy.points, OUT, full_bull=False)
    found = []
    for left in range(lowest_of(OUT), HIGHEST_CHECKOUT + 1):
        standard = checkout(left, DARTS, OUT, full_bull=False)
        own = tuple(_own(hand, policy, left))
        if not standard or not own or own[0] == standard[0]:
            continue
        _, _, after = within_visit(policy, odds, OUT, left)
        aim = odds_of(hand, [_aim_for(hand, standard[0])], OUT, full_bull=False)
        worth, _ = dart(aim, lowest_of(OUT), np.array([left]), after, policy.visits[0, left])
        saved = DARTS * float(worth[0, 0] - policy.visits[3, left])
        if saved >= WORTH_A_DART:
            found.append(Route(left, own, standard, saved))
    return sorted(found, key=lambda route: -route.darts)


def _own(hand: Hand, policy: Policy, left: int) -> Iterator[Segment]:
    """The beds that are aimed at if each dart hits: the beds around which the darts are, with their average miss."""
    before = left
    for darts in (3, 2, 1):
        x, y = policy.aim(left, before, darts)
        at = _meant((x + hand.right_mm, y + hand.up_mm))
        left -= value(at, full_bull=False)
        if left < 0 or not at.multiplier:
            return
        yield plain(at)
        if left < lowest_of(OUT):
            return


def _meant(point: Point) -> Segment:
    """The bed that a point is meant for. One beyond the board is meant for the double: a miss there costs least."""
    shrink = min(1.0, _DOUBLES_MM / max(math.hypot(*point), 1e-9)) / BOARD_MM
    return segment_at(Position(point[0] * shrink, point[1] * shrink))


def _aim_for(hand: Hand, bed: Segment) -> Point:
    """Where to aim so that the darts are around the middle of a bed."""
    at = centre_of(bed)
    return at.x * BOARD_MM - hand.right_mm, at.y * BOARD_MM - hand.up_mm
