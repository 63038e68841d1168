"""The handicap nearest to even is found on any line along which the chance only rises or only falls."""

from math import exp, sin, tau
from random import Random
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.session.fair_line import EVEN, SURE, VAGUE, PlayedLine, nearest_known
from daemon.session.logistic_curve import Chance, fit

MOST: Final = 2_000
FAR: Final = 6 * (0.25 / MOST) ** 0.5
"""What a chance may be wrong by: six standard errors of so many matches."""

NEARLY: Final = EVEN + 2 * (0.25 / MOST) ** 0.5
"""As fair as is asked for, and two standard errors of so many matches: more of them than that support a curve."""

chances = st.floats(0.001, 0.999)
any_lines = st.lists(chances, min_size=1, max_size=9).map(sorted)


@st.composite
def long_lines(draw: st.DrawFn) -> list[float]:
    """As of points to begin with: hundreds of handicaps, the chance a curve of any place and steepness."""
    ways = draw(st.integers(50, 2000))
    even, steep = draw(st.floats(-0.3, 1.3)) * ways, draw(st.floats(2, 40)) / ways
    return [1 / (1 + exp(-steep * (at - even))) for at in range(ways)]


def off(line: list[float], at: int) -> float:
    """How much further from even a handicap is than the nearest one."""
    return abs(line[at] - 0.5) - min(abs(chance - 0.5) for chance in line)


@settings(max_examples=60)
@given(line=any_lines | long_lines(), is_turned=st.booleans(), seed=st.integers(0, 2**32))
def test_the_nearest_to_even_is_found_by_playing(line: list[float], is_turned: bool, seed: int) -> None:
    line, random = line[::-1] if is_turned else line, Random(seed)
    play = lambda at, matches: float(sum(random.random() < line[at] for _ in range(matches)))  # noqa: E731
    at, chance = PlayedLine(len(line), play, MOST, lambda: False).nearest()
    assert off(line, at) < FAR
    assert abs(chance.first - line[at]) < FAR
    assert 0 < chance.error < 0.02


@settings(max_examples=30)
@given(ways=st.integers(150, 400), waves=st.floats(1, 3), phase=st.floats(0, 6), seed=st.integers(0, 2**32))
def test_a_chance_that_rises_and_falls_is_told_as_it_is(ways: int, waves: float, phase: float, seed: int) -> None:
    """As in Fifty-One by Fives: from some scores a player is long in hitting the target exactly."""
    line = [0.5 + 0.4 * sin(waves * tau * at / ways + phase) for at in range(ways)]
    random = Random(seed)
    play = lambda at, matches: float(sum(random.random() < line[at] for _ in range(matches)))  # noqa: E731
    at, chance = PlayedLine(len(line), play, MOST, lambda: False).nearest()
    assert abs(line[at] - 0.5) < 0.05
    assert abs(chance.first - line[at]) < FAR


@settings(max_examples=30)
@given(
    ways=st.integers(200, 1000),
    even=st.floats(0.02, 0.2),
    flat=st.floats(0.42, 0.45),
    is_turned=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_the_nearest_to_even_is_found_on_a_line_that_becomes_flat(
    ways: int, even: float, flat: float, is_turned: bool, seed: int
) -> None:
    """As in Shanghai: points decide a close match, and no points help against a Shanghai."""
    half = ways * even
    line = [max(flat, 0.5 + 0.2 * (half - at) / half) for at in range(ways)]
    line, random = line[::-1] if is_turned else line, Random(seed)
    play = lambda at, matches: float(sum(random.random() < line[at] for _ in range(matches)))  # noqa: E731
    at, chance = PlayedLine(len(line), play, MOST, lambda: False).nearest()
    assert abs(line[at] - 0.5) < NEARLY
    assert abs(chance.first - line[at]) < FAR


def test_the_nearest_to_even_is_found_between_neighbours_that_are_not() -> None:
    """As in Fifty-One by Fives: beginning with one point more can help or harm. Luck hides a good one now and then."""
    missed = 0
    for seed in range(60):
        random = Random(seed)
        ways, even, rough = random.randint(40, 200), random.uniform(0.3, 0.7), random.uniform(0.06, 0.12)
        line = [0.5 + 0.8 * (at / ways - even) + random.uniform(-rough, rough) for at in range(ways)]
        play = lambda at, matches: float(sum(random.random() < line[at] for _ in range(matches)))  # noqa: B023, E731
        missed += off(line, PlayedLine(len(line), play, MOST, lambda: False).nearest()[0]) > NEARLY
    assert missed <= 60 / 8


@given(line=any_lines | long_lines(), is_turned=st.booleans())
def test_the_nearest_to_even_is_found_where_chances_are_computed(line: list[float], is_turned: bool) -> None:
    line, asked = line[::-1] if is_turned else line, list[int]()

    def chance(at: int) -> Chance:
        asked.append(at)
        return Chance(line[at])

    found = nearest_known(len(line), chance, lambda: False)
    assert found is not None
    assert off(line, found[0]) == 0
    assert found[1] == Chance(line[found[0]])
    assert len(asked) <= 14


def test_what_cannot_be_computed_is_left_to_play() -> None:
    assert nearest_known(9, lambda _: None, lambda: False) is None
    assert nearest_known(9, lambda at: None if at == 4 else Chance(at / 8), lambda: False) is None


def test_a_search_that_is_stopped_says_how_little_is_known() -> None:
    random = Random(1)
    play = lambda at, matches: float(sum(random.random() < at / 100 for _ in range(matches)))  # noqa: E731
    _, chance = PlayedLine(101, play, MOST, lambda: True).nearest()
    assert chance.error > 0.03


@settings(max_examples=60)
@given(near=st.floats(0.7, 0.9), is_turned=st.booleans(), is_behind=st.booleans(), seed=st.integers(0, 2**32))
def test_where_no_handicap_is_enough_the_nearer_end_is_known_soon(
    near: float, is_turned: bool, is_behind: bool, seed: int
) -> None:
    """As in Dart Wars, with at most twelve troops more for a player who hardly ever wins, and long matches."""
    line = [0.995 + (near - 0.995) * at / 24 for at in range(25)]
    line = [1 - chance for chance in line] if is_behind else line
    line, random, played = line[::-1] if is_turned else line, Random(seed), 0

    def play(at: int, matches: int) -> float:
        nonlocal played
        played += matches
        return float(sum(random.random() < line[at] for _ in range(matches)))

    at, chance = PlayedLine(len(line), play, MOST, lambda: played >= 2000).nearest()
    assert at == (0 if is_turned else 24)
    assert chance.error < VAGUE
    assert abs(chance.first - line[at]) < 6 * chance.error


@settings(max_examples=60)
@given(real=st.floats(0.02, 0.98), best=st.floats(0.0, 0.2), seed=st.integers(0, 2**32))
def test_what_is_clearly_further_from_even_is_left(real: float, best: float, seed: int) -> None:
    random, played = Random(seed), 0

    def play(_at: int, matches: int) -> float:
        nonlocal played
        played += matches
        return float(sum(random.random() < real for _ in range(matches)))

    chance = PlayedLine(1, play, MOST, lambda: False).chance(0, best)
    assert abs(chance.first - real) < 6 * (0.25 / played) ** 0.5
    further = abs(real - 0.5) - best
    if further > 0.3:
        assert played == SURE
    if further < -2 * FAR:
        assert played == MOST


@settings(max_examples=40)
@given(height=st.floats(-2, 2), slope=st.floats(-0.5, 0.5), centre=st.floats(-10, 10))
def test_a_curve_is_found_again(height: float, slope: float, centre: float) -> None:
    places = range(-8, 9)
    points = [(at, 10**7, 10**7 / (1 + exp(-(height + slope * at)))) for at in places]
    curve = fit(points, centre)
    for at in places:
        assert abs(curve.logit(at) - height - slope * at) < 1e-3
    wider = fit([(at, matches // 100, wins / 100) for at, matches, wins in points], centre)
    ratio = wider.chance(0).error / curve.chance(0).error
    assert abs(ratio - 10) < 0.1


@given(seed=st.integers(0, 2**32), ways=st.integers(17, 60))
@settings(max_examples=20)
def test_a_handicap_that_changes_nothing_does_no_harm(seed: int, ways: int) -> None:
    random = Random(seed)
    play = lambda _, matches: float(sum(random.random() < 0.5 for _ in range(matches)))  # noqa: E731
    at, chance = PlayedLine(ways, play, 200, lambda: False).nearest()
    assert 0 <= at < ways
    assert abs(chance.first - 0.5) < 0.2
