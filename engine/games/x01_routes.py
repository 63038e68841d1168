"""How the table of checkouts is computed; `scripts/checkouts` writes it down, and a test compares the two.

A route has the fewest darts that finish. Of these a double that only sets up
another dart is avoided wherever a single or a triple serves. Then the first
dart decides: the one with the best chance to finish within the visit, for a
good amateur who goes on as well as can be, whatever that dart hits. Where
others come within a tenth of that chance, the one that needs the fewest visits
in the long run is taken, which is the one that leaves the better double.

The other design computed routes when they were asked for. Sums of odds can
differ in their last digit from machine to machine, and a checkout is part of
the state, which must not.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Final, get_args

from engine.aiming import Spot, spots
from engine.games.x01_advice import visits
from engine.games.x01_checkouts import NO_ROUTE, Rule, fits, value
from engine.segments import INNER_BULL, OUTER_BULL, PLAYABLE, SEGMENTS, Segment

SKILL_MM: Final = 10
"""The spread of the player for whom the chances are computed, a good amateur."""
ALIKE: Final = 0.9
"""A chance of this part of the best one is as good."""
NOTHING: Final = 0.02
"""Visits that make no difference in the long run."""

_SINGLES: Final = tuple(SEGMENTS[f"S{n}"] for n in range(20, 0, -1))
_TRIPLES: Final = tuple(SEGMENTS[f"T{n}"] for n in range(20, 0, -1))
_DOUBLES: Final = tuple(SEGMENTS[f"D{n}"] for n in range(20, 0, -1))
_FIRST: Final = (*_TRIPLES, *_SINGLES, OUTER_BULL, INNER_BULL, *_DOUBLES)
"""Among equals the first of these is taken."""

Route = tuple[Segment, ...]


def routes(out: Rule, full_bull: bool) -> Callable[[int, int], Route]:
    """The route for what is left and the darts in hand; an empty one where there is none."""
    chance, long_run = _chances(out, full_bull), _long_run(out, full_bull)

    @cache
    def route(left: int, darts: int) -> Route:
        found = list(_continued(left, darts))
        if not found:
            return ()
        fewest = min(map(len, found))
        doubles = min(_doubles(each) for each in found if len(each) == fewest)
        found = [each for each in found if (len(each), _doubles(each)) == (fewest, doubles)]
        enough = ALIKE * max(chance(each[0], left, darts) for each in found)
        good = [each for each in found if chance(each[0], left, darts) >= enough]
        return min(good, key=lambda each: (round(long_run(each[0], left, darts) / NOTHING), _FIRST.index(each[0])))

    def _continued(left: int, darts: int) -> Iterator[Route]:
        for bed in _FIRST:
            then = left - value(bed, full_bull)
            if then == 0 and fits(bed, out):
                yield (bed,)
            elif then > 0 and darts > 1 and (rest := route(then, darts - 1)):
                yield (bed, *rest)

    return route


def first_darts() -> dict[tuple[Rule, bool, int], tuple[str, ...]]:
    """The whole table: for each rule, bull and number of darts in hand the first dart with 1, 2, 3 … left."""
    table = {}
    for out, full_bull in product(get_args(Rule), (False, True)):
        route = routes(out, full_bull)
        for darts in (1, 2, 3):
            found = (route(left, darts) for left in range(1, 60 * darts + 1))
            table[out, full_bull, darts] = tuple(each[0].text if each else NO_ROUTE for each in found)
    return table


def _doubles(route: Route) -> int:
    """How many doubles only set up another dart."""
    return sum(bed.multiplier == 2 for bed in route[:-1])


def _aims() -> dict[Segment, Spot]:
    """Where to aim for each bed."""
    found: dict[Segment, Spot] = {}
    for spot in spots(SKILL_MM):
        found.setdefault(spot.target, spot)
    return {bed: found[bed] for bed in PLAYABLE}


def _lowest(out: Rule) -> int:
    return 1 if out == "open" else 2


def _chances(out: Rule, full_bull: bool) -> Callable[[Segment, int, int], float]:
    """The chance to finish within the visit, aiming at a bed now and wherever is best with each later dart."""
    aims, lowest = _aims(), _lowest(out)
    every = tuple({id(spot): spot for spot in spots(SKILL_MM)}.values())

    @cache
    def best(left: int, darts: int) -> float:
        if darts == 0 or not lowest <= left <= 60 * darts:
            return 0.0
        return max(at(spot, left, darts) for spot in every)

    def at(spot: Spot, left: int, darts: int) -> float:
        total = 0.0
        for bed, odds in spot.odds.items():
            then = left - value(bed, full_bull)
            if then >= lowest:
                total += odds * best(then, darts - 1)
            elif then == 0 and fits(bed, out):
                total += odds
        return total

    @cache
    def chance(bed: Segment, left: int, darts: int) -> float:
        return at(aims[bed], left, darts)

    return chance


def _long_run(out: Rule, full_bull: bool) -> Callable[[Segment, int, int], float]:
    """The visits still to come after this one, aiming at a bed now; the visit began with what is left."""
    aims, lowest, table = _aims(), _lowest(out), visits(SKILL_MM, out, full_bull).visits

    def long_run(bed: Segment, left: int, darts: int) -> float:
        total = 0.0
        for hit, odds in aims[bed].odds.items():
            then = left - value(hit, full_bull)
            if then >= lowest:
                total += odds * table[darts - 1][then]
            elif then or not fits(hit, out):
                total += odds * table[0][left]
        return total

    return long_run
