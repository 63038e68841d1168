"""Checkouts: the table follows its rules and agrees with charts as the guide says; rules 1 keep their routes."""

import re
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Final, get_args

import pytest

from engine.aiming import spots
from engine.games.x01_checkout_table import FIRST_DARTS
from engine.games.x01_checkouts import Rule, checkout, fits, value
from engine.games.x01_easy_checkouts import easy_checkout
from engine.games.x01_routes import SKILL_MM, first_darts
from engine.segments import PLAYABLE

GUIDE: Final = Path(__file__).parents[2] / "docs" / "rules" / "x01.md"
EVERY: Final = [
    (out, bull, darts, left)
    for out, bull, darts, left in product(get_args(Rule), (False, True), (1, 2, 3), range(1, 186))
]

HIGH: Final = """
170 T20 T20 DB, 167 T20 T19 DB, 164 T20 T18 DB, 161 T20 T17 DB, 160 T20 T20 D20, 158 T20 T20 D19, 157 T20 T19 D20,
156 T20 T20 D18, 155 T20 T19 D19, 154 T20 T18 D20, 153 T20 T19 D18, 152 T20 T20 D16, 151 T20 T17 D20, 150 T20 T18 D18,
149 T20 T19 D16, 148 T20 T16 D20, 147 T20 T17 D18, 146 T20 T18 D16, 145 T20 T15 D20, 144 T20 T20 D12, 143 T20 T17 D16,
142 T20 T14 D20, 141 T20 T19 D12, 140 T20 T20 D10, 139 T20 T13 D20, 138 T20 T18 D12, 137 T20 T19 D10, 136 T20 T20 D8,
135 T20 T17 D12, 134 T20 T14 D16, 133 T20 T19 D8, 132 T20 T16 D12, 131 T20 T13 D16, 130 T20 T18 D8, 129 T19 T16 D12,
128 T18 T14 D16, 127 T20 T17 D8, 126 T19 T19 D6, 125 SB T20 D20, 124 T20 T16 D8, 123 T19 T16 D9, 122 T18 T18 D7,
121 T20 T11 D14, 120 T20 S20 D20, 119 T19 T12 D13, 118 T20 S18 D20, 117 T20 S17 D20, 116 T20 S16 D20, 115 T20 S15 D20,
114 T20 S14 D20, 113 T20 S13 D20, 112 T20 S12 D20, 111 T20 S11 D20
"""
"""For each finish above 110 the route that most of seven charts in public darts programs have."""

LOW: Final = """
110 T20 DB, 107 T19 DB, 104 T18 DB, 101 T17 DB, 100 T20 D20, 99 T19 S10 D16, 98 T20 D19, 97 T19 D20, 96 T20 D18,
95 T19 D19, 94 T18 D20, 93 T19 D18, 92 T20 D16, 91 T17 D20, 90 T20 D15, 89 T19 D16, 88 T16 D20, 87 T17 D18, 86 T18 D16,
85 T15 D20, 84 T20 D12, 83 T17 D16, 82 T14 D20, 81 T19 D12, 80 T20 D10, 79 T13 D20, 78 T18 D12, 77 T19 D10, 76 T20 D8,
75 T17 D12, 74 T14 D16, 73 T19 D8, 72 T16 D12, 71 T13 D16, 70 T10 D20, 69 T19 D6, 68 T20 D4, 67 T17 D8, 66 T10 D18,
65 T19 D4, 64 T16 D8, 63 T13 D12, 62 T10 D16, 61 T15 D8
"""
"""The same from 61 to 110, where the charts have a route of the fewest darts."""


def charted(chart: str) -> dict[int, str]:
    return {int(line.split()[0]): " ".join(line.split()[1:]) for line in chart.split(",")}


def route(left: int) -> str:
    return " ".join(bed.text for bed in checkout(left, 3, "double", False))


def test_the_table_is_what_its_rules_compute() -> None:
    assert {key: tuple(words.split()) for key, words in FIRST_DARTS.items()} == first_darts()


def test_the_routes_of_rules_1_never_change() -> None:
    """Match files of rules 1 show these routes. The digest is that of the last version of rules 1."""
    routes = (easy_checkout(left, darts, out, bull) for out, bull, darts, left in EVERY)
    text = "\n".join(" ".join(bed.text for bed in route) for route in routes)
    assert sha256(text.encode()).hexdigest() == "2170f016cbfbdece38181710251a8c0b117805859feaf4587933a591b7714b67"


def test_no_route_sets_up_with_a_double_where_another_would_serve() -> None:
    assert len(EVERY) == 3330
    for out, bull, darts, left in EVERY:
        found = checkout(left, darts, out, bull)
        if any(bed.multiplier == 2 for bed in found[:-1]):
            assert not without_a_double(left, len(found), out, bull), (out, bull, darts, left, found)


def without_a_double(left: int, darts: int, out: Rule, bull: bool) -> bool:
    """Whether `darts` darts can finish without a double that only sets up, by trying all beds."""
    if darts == 1:
        return any(fits(bed, out) and value(bed, bull) == left for bed in PLAYABLE)
    worths = {value(bed, bull) for bed in PLAYABLE if bed.multiplier != 2}
    return any(left > worth and without_a_double(left - worth, darts - 1, out, bull) for worth in worths)


def test_a_route_goes_on_as_the_next_suggestion() -> None:
    for out, bull, darts, left in EVERY:
        found = checkout(left, darts, out, bull)
        if len(found) > 1:
            assert found[1:] == checkout(left - value(found[0], bull), darts - 1, out, bull)


@pytest.mark.parametrize(("left", "expected"), [(126, "T19 T19 D6"), (61, "T15 D8"), (132, "T19 T17 D12")])
def test_routes_that_set_up_with_a_single_or_a_triple(left: int, expected: str) -> None:
    assert route(left) == expected


def test_the_route_of_126_finishes_far_more_often_than_by_a_double() -> None:
    """For the player of the table, who follows the route and, after a miss, the new suggestion."""
    assert finishes(126, ["T19", "T19", "D6"]) > 3 * finishes(126, ["T20", "D13", "D20"])


def finishes(left: int, aims: list[str]) -> float:
    """The chance to finish, summed over what each dart can hit; after a miss the new suggestion is followed."""
    spot = next(spot for spot in spots(SKILL_MM) if spot.target.text == aims[0])
    total = 0.0
    for bed, odds in spot.odds.items():
        then = left - bed.points
        if then == 0 and bed.multiplier == 2:
            total += odds
        elif then > 1 and len(aims) > 1:
            hit = bed.text == aims[0]
            on = aims[1:] if hit else [next_bed.text for next_bed in checkout(then, len(aims) - 1, "double", False)]
            total += odds * (finishes(then, on + ["DB"] * (len(aims) - 1 - len(on))) if on else 0.0)
    return total


def test_the_guide_says_how_far_charts_agree() -> None:
    text = " ".join(GUIDE.read_text("utf-8").split())
    high, low = charted(HIGH), charted(LOW)
    same_high = sum(route(left) == way for left, way in high.items())
    same_low = sum(route(left) == way for left, way in low.items())
    first = sum(route(left).split()[0] == way.split()[0] for left, way in high.items())
    found = re.search(r"(\d+) of the (\d+) finishes above 110 .* (\d+) begin .* (\d+) of (\d+) from 61 to 110", text)
    assert found is not None
    assert tuple(map(int, found.groups())) == (same_high, len(high), first, same_low, len(low))
