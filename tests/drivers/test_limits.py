"""What a board cannot tell is said in sentences, from its dialect's and its own times."""

from dataclasses import replace

import pytest

from boards.board import Pace
from drivers import DRIVERS
from drivers.limits import limits
from drivers.pipeline import Pipeline
from tests.drivers.boards import model
from tests.drivers.session import Session

WITHIN = "Two darts within {} ms cannot be told apart on this board."
NO_MISS = "It does not feel a dart that misses: say so at the display."
IN_A_ROW = (
    "Two darts in a row in one bed within {:g} s cannot be told from one whose contact bounces when it opens: "
    "the second is shown as doubtful, and one touch makes it a dart."
)
BOUNCE = "A dart whose contact bounces when it opens is counted again: undo takes it back."


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("number-ring", [WITHIN.format(500)]),
        ("loewen-darts", [WITHIN.format(300)]),
        ("raspuino", [WITHIN.format(750), NO_MISS]),
        ("maddarts", [WITHIN.format(200), IN_A_ROW.format(1.5)]),
        ("loewen-pikado", [WITHIN.format(210), NO_MISS]),
        ("json-position", [WITHIN.format(500)]),
        ("usb-bits", ["Two darts in one bed within 150 ms cannot be told apart on this board.", NO_MISS]),
    ],
)
def test_limits(name: str, said: list[str]) -> None:
    board = model(name)
    told = limits(board, DRIVERS[board.dialect])
    assert [message for message in said if message not in told] == [], told


def test_points_alone() -> None:
    board = model("score-only")
    assert any(message.startswith("It tells points alone") for message in limits(board, DRIVERS[board.dialect]))


def ringing(rebound_ms: float | None) -> Session:
    """The board of the sketch, with this in the `[pace]` of its file; None: as it ships."""
    board = replace(model("maddarts"), pace=Pace(rebound_ms=rebound_ms))
    return Session(Pipeline(board, DRIVERS[board.dialect]))


def test_a_board_file_sets_whether_a_bouncing_bed_scores() -> None:
    """The firmware waits until the contact opens, and what rings then is a line like that of a second dart.

    As it ships, two lines in a row in one bed within 1.5 s are a dart and a doubt, each time; with a `rebound_ms` of
    0 both are darts.
    """
    for rebound_ms, events in ((0.0, ["T20", "T20", "T20"]), (None, ["T20", "?T20", "?T20"])):
        session = ringing(rebound_ms).at(0, b"20;3\r\n").at(900, b"20;3\r\n").at(1800, b"20;3\r\n")
        assert session.events == events
        assert session.at(3310, b"20;3\r\n").events == [*events, "T20"], "so late it is another dart"
        assert session.pipeline.counters.get("doubtful", 0) == events.count("?T20")


@pytest.mark.parametrize("between", [b"19;1\r\n", b"0;1\r\n"])
def test_a_line_in_between_shows_that_the_contact_opened(between: bytes) -> None:
    session = ringing(20_000.0).at(0, b"20;3\r\n").at(400, between).at(800, b"20;3\r\n")
    assert [event for event in session.events if event == "T20"] == ["T20", "T20"]
    assert session.pipeline.counters.get("doubtful", 0) == 0


def test_misses_do_not_ring() -> None:
    session = ringing(20_000.0).at(0, b"0;1\r\n").at(900, b"0;1\r\n").at(2000, b"0;1\r\n")
    assert session.events == ["MISS"] * 3


def test_a_garbled_line_does_not_prove_that_a_contact_opened() -> None:
    session = ringing(20_000.0).at(0, b"20;3\r\n").at(400, b"2\xff;3\r\n").at(800, b"20;3\r\n")
    assert session.events == ["T20", "no garbage", "?T20"]


def test_a_board_s_own_times_count() -> None:
    for rebound_ms, said, unsaid in ((1000.0, IN_A_ROW.format(1), BOUNCE), (0.0, BOUNCE, IN_A_ROW.format(1.5))):
        board = replace(model("maddarts"), pace=Pace(rebound_ms=rebound_ms))
        told = limits(board, DRIVERS[board.dialect])
        assert said in told and unsaid not in told
