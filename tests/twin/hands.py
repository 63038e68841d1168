"""Figures of the fit, for docs/twin.md: how many of many hands are found, and what a fit costs."""

import argparse
import math
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random

from tests.twin.played import play
from tests.twin.thrower import Thrower
from twin.aims import thrown
from twin.fit import fit
from twin.hand import Hand

LIMITS = {100: 0.2, 300: 0.1, 1000: 0.1}
"""By how much an axis may be off, by the number of darts."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the fit found of one hand: the relative errors of the axes, and whether the tilt has the right sign."""

    across: float
    up: float
    inside: int
    """How many of the axes lie within 1.645 standard errors."""
    tilt: bool | None
    """None where the axes of the ellipse are too alike for a tilt."""


def drawn(random: Random) -> Hand:
    """A hand of 6 to 60 mm with axes, tilt and average miss as people may have them."""
    x = math.exp(random.uniform(math.log(6), math.log(60)))
    y = min(60.0, x * math.exp(random.uniform(-0.35, 0.35)))
    return Hand(x, y, random.uniform(-0.5, 0.5), random.gauss(0, x / 6), random.gauss(0, x / 6))


def found(darts: int, seed: int) -> Found:
    """One hand, its record of X01, and the fit to it."""
    hand = drawn(Random(seed))
    matches = play("x01", Thrower(hand, seed), hand.skill_mm, darts)
    fitted = fit(thrown(matches, "Ann", darts))
    assert fitted is not None
    got, error = fitted.hand, fitted.error
    inside = (abs(got.x_mm - hand.x_mm) < 1.645 * error.x_mm) + (abs(got.y_mm - hand.y_mm) < 1.645 * error.y_mm)
    return Found(
        abs(got.x_mm / hand.x_mm - 1),
        abs(got.y_mm / hand.y_mm - 1),
        inside,
        None if _roundness(hand) < 1.3 else got.tilt * hand.tilt > 0,
    )


def _roundness(hand: Hand) -> float:
    """The longer axis of the ellipse over the shorter one."""
    middle = (hand.x_mm**2 + hand.y_mm**2) / 2
    apart = math.hypot((hand.x_mm**2 - hand.y_mm**2) / 2, hand.tilt * hand.x_mm * hand.y_mm)
    return math.sqrt((middle + apart) / (middle - apart))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hands", type=int, nargs="?", default=200, help="how many hands; default 200")
    parser.add_argument("--first", type=int, default=0, help="the number of the first hand: a part of a longer run")
    parser.add_argument("--no-year", action="store_true", help="do not fit a year's record")
    parser.add_argument("--darts", type=int, nargs="*", default=list(LIMITS), help="darts of each")
    arguments = parser.parse_args()
    print(
        "| darts | allowed | axes within it | axes within the stated 90 % | tilt's sign right |\n|---|---|---|---|---|"
    )
    with ProcessPoolExecutor() as pool:
        for darts in arguments.darts:
            limit = LIMITS.get(darts, 0.1)
            all_found = list(pool.map(partial(found, darts), range(arguments.first, arguments.first + arguments.hands)))
            axes = [off <= limit for one in all_found for off in (one.across, one.up)]
            tilts = [one.tilt for one in all_found if one.tilt is not None]
            print(
                f"| {darts} | {limit:.0%} | {_share(axes)} | {sum(one.inside for one in all_found) / len(axes):.1%} "
                f"| {_share(tilts)} of {len(tilts)} |",
                flush=True,
            )
    if not arguments.no_year:
        _year()


def _share(values: list[bool]) -> str:
    return f"{sum(values) / max(1, len(values)):.1%}"


def _year() -> None:
    """200,000 darts of X01, of which the newest 20,000 are fitted."""
    matches = play("x01", Thrower(Hand(22, 28), 1), 25, 200_000)
    begun = time.perf_counter()
    rows = thrown(matches, "Ann", 20_000)
    read = time.perf_counter()
    fit(rows)
    done = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"\nThe aims of 20,000 darts of 200,000: {read - begun:.1f} s; their fit: {done - read:.1f} s ({peak:.0f} MB)"
    )


if __name__ == "__main__":
    main()
