"""Two numbers with which a match is nearest to even are found near the ratio where it should be, in a few tries."""

from math import exp, log
from random import Random
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.session.fair_line import EVEN
from daemon.session.fair_numbers import TRIES, nearest_pair
from daemon.session.logistic_curve import Chance

PAIRS: Final = [(one, other) for one in range(1, 10) for other in range(1, 10)]


@given(even=st.floats(-1.5, 1.5), steep=st.floats(0.5, 6), is_turned=st.booleans())
def test_a_pair_is_nearer_to_even_than_one_number_alone(even: float, steep: float, is_turned: bool) -> None:
    """The chance of the first side rises with the ratio of the numbers, or falls with it."""
    played: list[tuple[int, int]] = []

    def chance(pair: tuple[int, int], _unless_off: float = 0.5) -> Chance:
        played.append(pair)
        logit = steep * (log(pair[0] / pair[1]) - even)
        return Chance(1 / (1 + exp(logit if is_turned else -logit)), 0.0)

    known = {pair: chance(pair) for pair in ((3, 3), (4, 3))}
    played.clear()
    found, told = nearest_pair(PAIRS, known, chance, lambda: False)
    assert told == chance(found)
    assert abs(told.first - 0.5) <= max(EVEN, min(abs(each.first - 0.5) for each in known.values()))
    assert len(played) <= TRIES + 2
    # A ratio of 1 to 9 is within 0.13 of another one in between, as a logarithm; what is even enough is not bettered.
    assert abs(log(found[0] / found[1]) - even) < 0.3 or abs(told.first - 0.5) <= EVEN


def test_no_other_pair_is_tried_where_one_is_even() -> None:
    known = {(3, 3): Chance(0.6), (3, 4): Chance(0.505)}
    tried: list[tuple[int, int]] = []

    def play(pair: tuple[int, int], _unless_off: float) -> Chance:
        tried.append(pair)
        return Chance(0.507)

    assert nearest_pair(PAIRS, known, play, lambda: False) == ((3, 4), Chance(0.507))
    assert tried == [(3, 4), (3, 4)]


def test_a_pair_that_looked_even_once_is_not_the_end_of_the_search() -> None:
    known = {(3, 3): Chance(0.6, 0.01), (3, 4): Chance(0.505, 0.01)}
    real = {(3, 4): 0.53, (4, 5): 0.5}

    def play(pair: tuple[int, int], _unless_off: float) -> Chance:
        return Chance(real.get(pair, 0.9), 0.01)

    assert nearest_pair([(3, 3), (3, 4), (4, 5)], known, play, lambda: False) == ((4, 5), Chance(0.5, 0.01))


@given(st.integers(0, 2**32))
@settings(max_examples=5)
def test_what_is_told_does_not_lean_towards_even(seed: int) -> None:
    """All pairs are equally uneven. By chance one of them looks even, but that is not what is told."""
    random = Random(seed)

    def play(_pair: tuple[int, int], _unless_off: float = 0.5) -> Chance:
        return Chance(random.gauss(0.53, 0.01), 0.01)

    known = {pair: play(pair) for pair in ((3, 3), (3, 4))}
    told = [nearest_pair(PAIRS, known, play, lambda: False)[1].first for _ in range(50)]
    assert sum(told) / 50 > 0.52


def test_it_ends_when_the_time_is_over() -> None:
    known = {(3, 3): Chance(0.6), (3, 4): Chance(0.45)}
    assert nearest_pair(PAIRS, known, lambda *_: Chance(0.5), lambda: True) == ((3, 4), Chance(0.45))


def test_numbers_that_change_nothing_are_no_reason_to_fail() -> None:
    known = {(3, 3): Chance(0.7), (3, 4): Chance(0.7)}
    assert nearest_pair(PAIRS, known, lambda *_: Chance(0.7), lambda: False)[1] == Chance(0.7)


def test_a_longer_match_is_not_worth_what_may_be_chance() -> None:
    known = {(4, 5): Chance(0.512, 0.01), (13, 15): Chance(0.489, 0.01), (3, 3): Chance(0.6, 0.01)}
    assert nearest_pair(PAIRS, known, lambda *_: Chance(0.9, 0.01), lambda: True)[0] == (4, 5)
    known[13, 15] = Chance(0.5, 0.005)
    assert nearest_pair(PAIRS, known, lambda *_: Chance(0.9, 0.01), lambda: True)[0] == (13, 15)
