"""Computes the table of checkouts of rules 2. `scripts/checkouts` stores it; a test compares the two.

A route has the fewest darts that finish. Among these, a double does not set up
another dart where a single or a triple serves. The first dart then has the best
chance to finish within the visit, for a good amateur who aims as well as possible
after each dart, whatever it hits. Among darts within a tenth of that chance, the
one with the fewest expected visits is taken: it leaves the better double.

Routes are not computed at run time: sums of odds can differ in the last digit
between machines, and a checkout is part of the state, which must not.
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
"""The spread for which chances are computed: a good amateur."""
SIMILAR: Final = 0.9
"""Chances of at least this share of the best one count as equal."""
RESOLUTION: Final = 0.02
"""The resolution in visits at which the long run is compared."""

_SINGLES: Final = tuple(SEGMENTS[f"S{n}"] for n in range(20, 0, -1))
_TRIPLES: Final = tuple(SEGMENTS[f"T{n}"] for n in range(20, 0, -1))
_DOUBLES: Final = tuple(SEGMENTS[f"D{n}"] for n in range(20, 0, -1))
_FIRST: Final = (*_TRIPLES, *_SINGLES, OUTER_BULL, INNER_BULL, *_DOUBLES)
"""The order in which equal first darts are preferred."""

Route = tuple[Segment, ...]


def routes(out: Rule, full_bull: bool) -> Callable[[int, int], Route]:
    """A function from the points left and the darts in hand to the route, which is empty if none finishes."""
    chance, long_run = _chances(out, full_bull), _long_run(out, full_bull)

    @cache
    def route(left: int, darts: int) -> Route:
        found = list(_continued(left, darts))
        if not found:
            return ()
        fewest = min(map(len, found))
        doubles = min(_doubles(each) for each in found if len(each) == fewest)
        found = [each for each in found if (len(each), _doubles(each)) == (fewest, doubles)]
        enough = SIMILAR * max(chance(each[0], left, darts) for each in found)
        good = [each for each in found if chance(each[0], left, darts) >= enough]
        return min(good, key=lambda each: (round(long_run(each[0], left, darts) / RESOLUTION), _FIRST.index(each[0])))

    def _continued(left: int, darts: int) -> Iterator[Route]:
        for bed in _FIRST:
            then = left - value(bed, full_bull)
            if then == 0 and fits(bed, out):
                yield (bed,)
            elif then > 0 and darts > 1 and (rest := route(then, darts - 1)):
                yield (bed, *rest)

    return route


def first_darts() -> dict[tuple[Rule, bool, int], tuple[str, ...]]:
    """The whole table: by rule, bull and darts in hand, the first dart for 1, 2, 3 … points left."""
    table = {}
    for out, full_bull in product(get_args(Rule), (False, True)):
        route = routes(out, full_bull)
        for darts in (1, 2, 3):
            found = (route(left, darts) for left in range(1, 60 * darts + 1))
            table[out, full_bull, darts] = tuple(each[0].text if each else NO_ROUTE for each in found)
    return table


def _doubles(route: Route) -> int:
    """The number of doubles that set up another dart."""
    return sum(bed.multiplier == 2 for bed in route[:-1])


def _spots() -> dict[Segment, Spot]:
    """The spot to aim at for each bed."""
    found: dict[Segment, Spot] = {}
    for spot in spots(SKILL_MM):
        found.setdefault(spot.target, spot)
    return {bed: found[bed] for bed in PLAYABLE}


def _lowest(out: Rule) -> int:
    return 1 if out == "open" else 2


def _chances(out: Rule, full_bull: bool) -> Callable[[Segment, int, int], float]:
    """The chance to finish within the visit, aiming at a bed now and at the best spot with each later dart."""
    spot_of, lowest = _spots(), _lowest(out)
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
        return at(spot_of[bed], left, darts)

    return chance


def _long_run(out: Rule, full_bull: bool) -> Callable[[Segment, int, int], float]:
    """The expected visits after this one, aiming at a bed now, in a visit that began with the points left."""
    spot_of, lowest, table = _spots(), _lowest(out), visits(SKILL_MM, out, full_bull).visits

    def long_run(bed: Segment, left: int, darts: int) -> float:
        total = 0.0
        for hit, odds in spot_of[bed].odds.items():
            then = left - value(hit, full_bull)
            if then >= lowest:
                total += odds * table[darts - 1][then]
            elif then or not fits(hit, out):
                total += odds * table[0][left]
        return total

    return long_run
