"""Two numbers, one for each side, with which a match is nearest to even: lives of their own for both.

With one number given and the other one usual the steps are coarse: three lives against four or five. Five against eight
is in between. How the chance changes follows from the ratio of the numbers, nearly. So of all pairs that one is played
next which should be even by the pair nearest to it whose chance is known.
"""

from collections.abc import Callable, Iterable, Mapping
from math import hypot, log
from typing import Final

from daemon.session.fair_line import EVEN
from daemon.session.logistic_curve import Chance

TRIES: Final = 20
"""How many times a pair is played at most, before the one that is told."""
LONGER: Final = 0.01
"""How much further from even, as a logit, a pair may be that has one less in all: a shorter match."""

Pair = tuple[int, int]


def nearest_pair(
    pairs: Iterable[Pair], known: Mapping[Pair, Chance], play: Callable[[Pair, float], Chance], stop: Callable[[], bool]
) -> tuple[Pair, Chance]:
    """The pair nearest to even, and its chance: of those `known`, two or more, and of some others that are played.

    `play` also gets how far from even the best pair so far is: the chance of one further off need not be known well.
    """
    found, left, rise, twice = dict(known), set(pairs) - set(known), _rise(known), set[Pair]()
    for _ in range(TRIES):
        best = min(found, key=lambda pair: _off(found[pair]))
        if (best in twice and _off(found[best]) <= EVEN) or not left or stop():
            break
        if _off(found[best]) <= EVEN:
            found[best] = _together(found[best], play(best, 0.5))
            twice.add(best)
            continue
        tried = min(left, key=lambda pair: (abs(_guess(pair, found, rise)) + LONGER * sum(pair), pair))
        left.discard(tried)
        found[tried] = play(tried, _off(found[best]))
    best = _most_even(found)
    if not stop():
        # Of many pairs one looks even by chance. What is told are other matches than those for which it was chosen.
        again = play(best, 0.5)
        if not stop():
            found[best] = again
    return best, found[best]


def _most_even(found: Mapping[Pair, Chance]) -> Pair:
    """The pair nearest to even; of those as near within their errors, the one of the shortest match."""
    least = min(map(_off, found.values()))
    as_near = [pair for pair, chance in found.items() if _off(chance) <= max(least + chance.error, EVEN)]
    return min(as_near, key=lambda pair: (sum(pair), _off(found[pair])))


def _rise(found: Mapping[Pair, Chance]) -> float:
    """How much the logit rises with the logarithm of the ratio, between the two ratios nearest to even."""
    one, *others = sorted(found, key=lambda pair: _off(found[pair]))
    other = next((pair for pair in others if _ratio(pair) != _ratio(one)), None)
    return 0.0 if other is None else (_logit(found[other]) - _logit(found[one])) / (_ratio(other) - _ratio(one))


def _guess(pair: Pair, found: Mapping[Pair, Chance], rise: float) -> float:
    """The logit that a pair should have, by the nearest one that is known."""
    near = min(found, key=lambda each: hypot(log(each[0] / pair[0]), log(each[1] / pair[1])))
    return _logit(found[near]) + rise * (_ratio(pair) - _ratio(near))


def _together(one: Chance, other: Chance) -> Chance:
    """The chance by two looks at as many matches."""
    return Chance((one.first + other.first) / 2, hypot(one.error, other.error) / 2)


def _off(chance: Chance) -> float:
    return abs(chance.first - 0.5)


def _ratio(pair: Pair) -> float:
    return log(pair[0] / pair[1])


def _logit(chance: Chance) -> float:
    first = min(max(chance.first, 1e-6), 1 - 1e-6)
    return log(first / (1 - first))
