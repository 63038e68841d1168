"""What a board cannot tell is said in sentences, from its dialect's and its own times."""

from dataclasses import replace

import pytest

from boards.board import Pace
from drivers import DRIVERS
from drivers.limits import limits
from drivers.reading import Dart, Doubtful, Reading
from tests.drivers.boards import model

WITHIN = "Two darts within {} ms cannot be told apart on this board."
NO_MISS = "It does not feel a dart that misses: say so at the display."
RINGS = "A dart that hangs in its bed and rings when it lets go is counted again: undo takes it back."


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("number-ring", [WITHIN.format(500)]),
        ("loewen-darts", [WITHIN.format(300)]),
        ("raspuino", [WITHIN.format(750), NO_MISS]),
        ("maddarts", [WITHIN.format(200), RINGS]),
        ("loewen-pikado", [WITHIN.format(210), NO_MISS]),
        ("json-position", [WITHIN.format(500)]),
        ("usb-bits", ["Two darts in one bed within 20 ms cannot be told apart on this board.", NO_MISS]),
    ],
)
def test_limits(name: str, said: list[str]) -> None:
    board = model(name)
    told = limits(board, DRIVERS[board.dialect])
    assert [sentence for sentence in said if sentence not in told] == [], told


def test_points_alone() -> None:
    board = model("score-only")
    assert any(sentence.startswith("It tells points alone") for sentence in limits(board, DRIVERS[board.dialect]))


def test_a_board_that_rings_after_a_hold_can_be_told_not_to_score_it() -> None:
    """The firmware waits until the contact opens, and what rings then is a line like that of a second dart.

    No time tells the two apart. By default both are darts, for players do throw two in a bed; a board file with
    `rebound_ms` takes the second as a repeat, counts it and shows it as doubtful.
    """
    ms = 1_000_000
    line = b"20;3\r\n"
    for board, kinds in (
        (model("maddarts"), [Dart, Dart, Dart, Dart]),
        (replace(model("maddarts"), pace=Pace(rebound_ms=1500.0)), [Dart, Doubtful, Dart, Dart]),
    ):
        reading = Reading(board, DRIVERS[board.dialect])
        heard = [*reading.feed(line, 0), *reading.feed(line, 900 * ms)]
        heard += [*reading.feed(b"19;3\r\n", 1200 * ms), *reading.feed(line, 4000 * ms)]
        assert [type(h) for h in heard] == kinds
    assert reading.counters["doubtful"] == 1


def test_a_board_s_own_times_count() -> None:
    board = replace(model("maddarts"), pace=Pace(rebound_ms=1000.0))
    told = limits(board, DRIVERS[board.dialect])
    assert "Two darts in one bed within 1000 ms cannot be told apart on this board." in told and RINGS not in told
