"""The handicap nearest to even on a line of handicaps, along which the chance of a side mostly only rises or falls.

Where the chances are computed, the line is halved until the nearest one is found. Where matches must be played, halving
alone errs: after a few unlucky matches the search goes on in the wrong half. So halving only shows where to play more.
A logistic curve is fitted to the matches of all handicaps near there.
"""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from math import ceil, floor, hypot, sqrt
from typing import Final

from daemon.session.logistic_curve import PRIOR, Chance, Curve, fit

STEP: Final = 25
"""How many matches are played for a handicap before it is looked at again."""
SURE: Final = 200
"""How many tell on which side of even a handicap is."""
BATCH: Final = 100
"""The same near the even handicap, where the curve changes little."""
TIMES: Final = 6
"""How many times as many matches as are enough for one handicap are played near the even one."""
NEAR: Final = 0.08
"""How far from even a handicap may be whose matches count for the curve, in logits: a chance of 48 to 52 %.

The chances of no game are a logistic curve over all of the line. Over 0.4 the curve was off by more than 1 % where
the chances become flat.
"""
FAIRLY_NEAR: Final = 0.4
"""How far it may be if too few matches are that near, as in games that take long: a chance of 40 to 60 %."""
ASIDE: Final = 0.04
"""How far from even the handicaps beside the even one are played, in logits: they show how steep the curve is."""
FEW: Final = 16
"""With as many handicaps or fewer each is known by its own matches: no curve need go through them."""
COARSE: Final = 0.1
"""From which change of the logit from one handicap to the next on each is known by its own matches alone."""
UNEVEN: Final = 0.007
"""How far the chance of a handicap is from a smooth curve.

Scores come in twenties: at Count-Up, computed exactly for 6 against 8 mm, it changes by 0.1 to 0.7 % a point.
"""
CLEARLY: Final = 3
"""How many times as much as their standard error two chances differ that are looked at again and again."""
LOOKS: Final = 16
"""Into how many parts the line is divided to see where on it the even handicap is."""
BESIDE: Final = 4
"""How many handicaps are tried where the matches of one contradict the curve."""
ENOUGH: Final = 400
"""With fewer matches near the even handicap a curve says little there: they could not tell 45 from 55 %."""
EVEN: Final = 0.01
"""A chance this near to a half is fair."""
VAGUE: Final = 0.03
"""What is further from even than this was not found by the curve, or is not known at all: as a standard error."""


def nearest_known(
    ways: int, chance: Callable[[int], Chance | None], stop: Callable[[], bool]
) -> tuple[int, Chance] | None:
    """The number of the handicap nearest to even, of `ways`, and its chance, by halving; None if one has no chance.

    Ends early after `stop`.
    """
    low, high = 0, ways - 1
    first, last = chance(low), chance(high)
    if first is None or last is None:
        return None
    found = {low: first, high: last}
    is_between = (first.first > 0.5) != (last.first > 0.5)
    while is_between and high - low > 1 and not stop():
        middle = (low + high) // 2
        if (one := chance(middle)) is None:
            return None
        found[middle] = one
        low, high = (middle, high) if (one.first > 0.5) == (first.first > 0.5) else (low, middle)
    best = min(found, key=lambda at: abs(found[at].first - 0.5))
    return best, found[best]


class PlayedLine:
    """Searches a line of handicaps by playing matches.

    `play` gets the number of a handicap and of matches, and returns how many the first side won; a shared match counts
    in part. `most` matches of one handicap are enough to know its chance.
    """

    def __init__(self, ways: int, play: Callable[[int, int], float], most: int, stop: Callable[[], bool]) -> None:
        self._ways, self._play_some, self._most, self._stop = ways, play, most, stop
        self._matches: Counter[int] = Counter()
        self._wins: dict[int, float] = {}

    def nearest(self) -> tuple[int, Chance]:
        """The number of the handicap nearest to even, and its chance."""
        if self._ways <= FEW:
            found = nearest_known(self._ways, self._played, self._stop)
            assert found is not None  # what is played has a chance
            return found
        low, high = self._looked_over()
        if self._are_on_one_side(low, high):
            # Perhaps not even an end makes the match even. Which end is the nearer one can take many matches to see.
            for enough in range(SURE, max(SURE, TIMES * self._most) + 1, BATCH):
                if not self._are_alike(low, high) or self._stop():
                    break
                for at in {low, high}:
                    self._play_until(at, enough)
            self._play_until(self._nearer(low, high), self._most)
        if self._are_on_one_side(low, high):
            best = self._nearer(low, high)
            return best, self._own(best)
        falls = self._own(low).first > self._own(high).first
        while high - low > 1 and not self._stop():
            middle = (low + high) // 2
            self._play(middle, STEP)
            if (self._own(middle).first > 0.5) == falls:
                low = middle
            else:
                high = middle
        at, chance = self._around((low + high) / 2)
        if abs(chance.first - 0.5) <= EVEN:
            return at, chance
        return self._or_beside(min((at, chance), self._halved(), key=lambda found: abs(found[1].first - 0.5)))

    def chance(self, at: int, unless_off: float) -> Chance:
        """The chance of a handicap, not known that well where it is clearly further from even than `unless_off`."""
        for enough in range(SURE, self._most + 1, BATCH):
            self._play_until(at, enough)
            if abs(self._own(at).first - 0.5) > unless_off + CLEARLY * self._own(at).error:
                return self._own(at)
        return self._played(at)

    def _or_beside(self, best: tuple[int, Chance]) -> tuple[int, Chance]:
        """The most even of a handicap and those beside it: from one to the next the chance may go up and down."""
        for at in self._beside(best[0], 2 * BESIDE + 1):
            if abs(best[1].first - 0.5) <= EVEN or self._stop():
                break
            self._play_until(at, SURE)
            if abs(self._own(at).first - 0.5) < 2 * self._own(at).error:
                best = min(best, (at, self._played(at)), key=lambda found: abs(found[1].first - 0.5))
        return best

    def _halved(self) -> tuple[int, Chance]:
        """The handicap nearest to even between two of `_looked_over`, where no curve runs as the chances do."""
        while True:
            low, high = self._looked_over()
            halved = nearest_known(high - low + 1, lambda at, low=low: self._played(low + at), self._stop)  # type: ignore[misc]
            assert halved is not None  # what is played has a chance
            if abs(halved[1].first - 0.5) <= EVEN or self._looked_over() == (low, high):
                return low + halved[0], halved[1]

    def _looked_over(self) -> tuple[int, int]:
        """Two handicaps with the even one between them, the nearest to the middle of the line; its ends if there are
        none.

        In some games a chance rises and falls: whoever begins just below a score that must be hit exactly is late.
        Nobody should be given more than the least that makes a match even.
        """
        end = self._ways - 1
        places = sorted({round(part * end / LOOKS) for part in range(LOOKS + 1)}, key=lambda at: -abs(2 * at - end))
        for at in places:
            if not self._matches[at] and (at in (0, end) or not self._stop()):
                self._play(at, STEP)
        looked = sorted(self._matches)
        while crossings := [pair for pair in pairwise(looked) if not self._are_on_one_side(*pair)]:
            nearest = min(crossings, key=lambda pair: abs(sum(pair) - end))
            if self._stop() or all(self._matches[at] >= SURE for at in nearest):
                return nearest
            # After a few unlucky matches a side that is ahead looks as if it were behind.
            for at in nearest:
                self._play_until(at, SURE)
        return 0, end

    def _around(self, even: float) -> tuple[int, Chance]:
        """Plays near the even point of the line until its handicaps are known."""
        curve = self._curve(even)
        aside = (0.0, ASIDE, -ASIDE)
        for look in range(ceil(TIMES * self._most / BATCH)):
            if self._stop():
                break
            self._play(round(self._on_line(curve.at(aside[look % 3]))), BATCH)
            curve = self._curve(curve.at(0.0))
        even = self._on_line(curve.at(0.0))
        is_coarse = abs(curve.slope) > COARSE
        known: dict[int, Chance] = {}
        # Scores that come in twenties make steps of a percent or more in the chance: the next ones are tried as well.
        for at in sorted({floor(even), ceil(even)}) if is_coarse else self._beside(even):
            self._play_until(at, self._most)
            known[at] = self._own(at) if is_coarse else self._known(at, curve)
            if not is_coarse and abs(known[at].first - 0.5) <= EVEN:
                break
        best = min(known, key=lambda at: abs(known[at].first - 0.5))
        return best, known[best]

    def _beside(self, even: float, count: int = BESIDE) -> list[int]:
        """The handicaps nearest to a place on the line, the nearest first."""
        near = range(max(floor(even) - BESIDE, 0), min(ceil(even) + BESIDE, self._ways - 1) + 1)
        return sorted(near, key=lambda at: abs(at - even))[:count]

    def _played(self, at: int) -> Chance:
        self._play_until(at, self._most)
        return self._own(at)

    def _known(self, at: int, curve: Curve) -> Chance:
        """The chance by the curve and by the matches of this handicap alone, each by how well it is known; by these
        alone if too few matches support the curve, or they contradict it."""
        own, by_curve = self._own(at), curve.chance(at)
        support = sum(matches for place, matches in self._matches.items() if abs(curve.logit(place)) <= FAIRLY_NEAR)
        if support < ENOUGH or abs(own.first - by_curve.first) > 2 * own.error:
            return own
        of_own, of_curve = own.error**-2, 1 / (by_curve.error**2 + UNEVEN**2)
        both = (own.first * of_own + by_curve.first * of_curve) / (of_own + of_curve)
        return Chance(both, (of_own + of_curve) ** -0.5)

    def _are_on_one_side(self, low: int, high: int) -> bool:
        return (self._own(low).first > 0.5) == (self._own(high).first > 0.5)

    def _nearer(self, low: int, high: int) -> int:
        """Which of two handicaps is the nearer to even."""
        return min((low, high), key=lambda at: abs(self._own(at).first - 0.5))

    def _are_alike(self, low: int, high: int) -> bool:
        """Whether the chances of two handicaps do not differ clearly, or are hardly known."""
        one, other = self._own(low), self._own(high)
        few = min(self._matches[low], self._matches[high]) < SURE
        return few or abs(one.first - other.first) < CLEARLY * hypot(one.error, other.error)

    def _curve(self, even: float) -> Curve:
        """The curve through the matches near to even, where these show how it runs there, else through all."""
        curve = fit([(at, n, self._wins[at]) for at, n in self._matches.items()], even)
        for within in (NEAR, FAIRLY_NEAR):
            near = [(at, n, self._wins[at]) for at, n in self._matches.items() if abs(curve.logit(at)) <= within]
            if sum(matches for _, matches, _ in near) < self._most / 2:
                continue
            nearer, places = fit(near, curve.at(0.0)), [at for at, _, _ in near]
            if min(places) <= nearer.at(0.0) <= max(places):
                return nearer
        return curve

    def _on_line(self, at: float) -> float:
        """The nearest point of the line: a curve that is flat is even far away."""
        return min(max(at, 0.0), self._ways - 1.0)

    def _own(self, at: int) -> Chance:
        matches = self._matches[at] + 2 * PRIOR
        chance = (self._wins.get(at, 0.0) + PRIOR) / matches
        return Chance(chance, sqrt(chance * (1 - chance) / matches))

    def _play_until(self, at: int, matches: int) -> None:
        while self._matches[at] < matches and not self._stop():
            self._play(at, STEP)

    def _play(self, at: int, matches: int) -> None:
        self._wins[at] = self._wins.get(at, 0.0) + self._play_some(at, matches)
        self._matches[at] += matches
