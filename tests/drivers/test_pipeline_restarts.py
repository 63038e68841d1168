"""How the pipeline treats what a board reports again after a start, a reconnect or a reset. Named cases."""

import pytest

from drivers import DRIVERS
from drivers.pipeline import Pipeline
from engine.segments import SEGMENTS
from tests.drivers.boards import COLUMNS, model, wired
from tests.drivers.session import MS, Session, on, told


def test_what_hangs_when_the_board_starts_is_named_and_not_scored() -> None:
    session = Session(Pipeline(wired("row-col", COLUMNS), DRIVERS["row-col"])).at(2000, b"OpenDarts\r\n")
    for n in range(12):
        session.at(2010 + n * 501, b"0,0\r\n")
    assert session.events == ["awake", "?S1", "stuck S1"]


def test_an_early_dart_after_the_start_is_a_dart() -> None:
    session = Session(Pipeline(wired("row-col", COLUMNS), DRIVERS["row-col"])).at(2000, b"OpenDarts\r\n")
    session.at(2100, b"0,0\r\n").until(2640)
    assert session.events == ["awake"]
    assert session.until(2700).events == ["awake", "S1"]


def test_what_waits_for_a_verdict_is_not_lost_with_the_line() -> None:
    session = Session(Pipeline(wired("row-col", COLUMNS), DRIVERS["row-col"])).at(2000, b"OpenDarts\r\n")
    session.at(2100, b"0,0\r\n").lose(2300, 4000)
    assert session.events == ["awake", "S1"]


def test_a_held_dart_is_not_scored_again_after_a_reconnect() -> None:
    session = on("loewen-darts").at(10_000, b"320\r\n").at(10_301, b"320\r\n").lose(10_500, 11_500)
    session.at(11_700, b"320\r\n").at(12_001, b"320\r\n")
    assert session.events == ["T20", "?T20", "?T20"]
    assert session.at(14_000, b"320\r\n").events[-1] == "T20"


def test_a_bed_that_was_reported_just_before_the_line_went_is_a_doubt_at_its_first_look() -> None:
    """Whether the dart still holds or a second one hit it, the wire cannot say: a reconnect makes no hit."""
    session = on("loewen-darts").at(10_000, b"320\r\n").lose(10_100, 10_600).at(10_700, b"320\r\n")
    assert session.events == ["T20", "?T20"]
    assert session.at(11_100, b"320\r\n").events == ["T20", "?T20", "T20"]


def test_a_held_dart_that_is_looked_at_after_another_is_a_doubt_too() -> None:
    session = on("loewen-darts").at(10_000, b"320\r\n").lose(10_100, 10_600)
    session.at(10_700, b"119\r\n").at(11_001, b"320\r\n")
    assert session.events == ["T20", "S19", "?T20"]


def test_a_held_dart_that_another_hid_across_a_reconnect_is_a_doubt_too() -> None:
    """This firmware reports one of the contacts that are closed, again and again, until it opens."""
    session = on("loewen-pikado").at(10_000, b"8").at(10_206, b"8").lose(10_300, 10_400)
    for n in range(5):
        session.at(10_500 + n * 206, b"\x10")
    darts = [event for event in session.at(11_530, b"8").events if event[0] not in "?fs"]
    assert len(darts) == 2, session.events
    assert session.events[-1] == f"?{darts[0]}"


def test_a_line_that_goes_again_before_the_first_look_forgets_nothing() -> None:
    session = on("loewen-darts").at(10_000, b"320\r\n").lose(10_100, 10_600).lose(10_700, 10_900)
    assert session.at(11_100, b"320\r\n").events == ["T20", "?T20"]


def test_a_dart_after_a_reconnect_is_a_dart() -> None:
    session = on("loewen-darts").at(10_000, b"320\r\n").lose(10_100, 10_600).at(10_700, b"119\r\n")
    assert session.at(11_400, b"320\r\n").events == ["T20", "S19", "T20"]


def test_the_last_bed_of_a_board_that_is_silent_while_it_holds_is_a_doubt_after_a_reconnect() -> None:
    """It was reset by the opening, and says what is held when it has started: only the last one can be."""
    session = on("maddarts").at(0, b"19;3\r\n").at(5_000, b"20;3\r\n").lose(20_000, 21_000)
    assert session.at(23_200, b"20;3\r\n").events == ["T19", "T20", "?T20"]
    assert session.lose(30_000, 31_000).at(33_200, b"19;3\r\n").at(33_500, b"20;3\r\n").events[3:] == ["T19", "T20"]
    assert session.lose(40_000, 41_000).at(44_000, b"20;3\r\n").events[5:] == ["T20"], "it has started long ago"


def test_a_board_that_is_reset_by_the_opening_repeats_held_contacts() -> None:
    session = on("loewen-darts").at(10_000, b"320\r\n").at(10_301, b"320\r\n").lose(10_500, 11_000)
    assert session.at(14_900, b"320\r\n").events == ["T20", "?T20", "?T20"]
    assert session.at(18_000, b"320\r\n").events[3:] == ["T20"]


@pytest.mark.parametrize(("name", "line"), [("suffix", b"20x3\n"), ("pidart", b"\x11")])
def test_a_board_that_repeats_nothing_scores_a_held_dart_again_when_it_was_reset(name: str, line: bytes) -> None:
    """Its line is that of any dart: docs/boards.md says so."""
    session = on(name).at(0, line).lose(10_000, 11_000).at(13_000, line)
    darts = [event for event in session.events if event[0] in "SDT"]
    assert len(darts) == 2 and session.pipeline.counters.get("doubtful", 0) == 0


def test_after_a_start_the_last_darts_may_hold_but_no_miss_does() -> None:
    for name, darts, line, events in (
        ("loewen-darts", ["S1", "T20"], b"320\r\n", ["?T20"]),
        ("loewen-darts", ["S1", "T19"], b"320\r\n", ["T20"]),
        ("raspuino", ["T20"], None, ["?T20"]),
        ("maddarts", ["T20", "S1"], b"20;3\r\n", ["T20"]),
        ("maddarts", ["S1", "T20"], b"20;3\r\n", ["?T20"]),
        ("maddarts", ["MISS"], b"0;1\r\n", ["MISS"]),
    ):
        board = model(name)
        pipeline = Pipeline(board, DRIVERS[board.dialect])
        pipeline.resume("", [SEGMENTS[dart] for dart in darts])
        if line is None:
            row, col = next(cell for cell, bed in board.contacts.items() if bed == SEGMENTS["T20"])
            line = bytes([row * 16 + col])
        assert Session(pipeline).at(1_000, line).events == events, (name, darts)


@pytest.mark.parametrize(
    ("at_ms", "expected"), [(60_010, ["?T20"]), (60_500, ["?T20"]), (61_000, ["T20"]), (70_000, ["T20"])]
)
def test_a_dart_from_before_a_restart_may_hold_while_its_board_is_away(at_ms: int, expected: list[str]) -> None:
    """A board that calls is not there when the daemon starts: it connects again some seconds later."""
    board = model("json-segment")
    pipeline = Pipeline(board, DRIVERS["json-segment"])
    pipeline.resume("", [SEGMENTS["T20"]])
    pipeline.lost(5 * MS)
    pipeline.opened(60_000 * MS)
    assert told(pipeline.feed(b'{"segment":"T20"}', at_ms * MS)) == expected


def test_a_partial_line_is_dropped_with_the_line_and_counted() -> None:
    session = on("maddarts").at(0, b"20;").lose(100, 1000).at(1100, b"3\r\n").at(1200, b"19;2\r\n")
    assert session.events == ["no partial", "no garbage", "D19"]
    assert session.pipeline.counters["partial"] == 1


def test_a_partial_line_lives_as_long_as_the_line() -> None:
    session = on("maddarts").at(0, b"20;").until(3_600_000).at(3_600_000, b"3\r\n")
    assert session.events == ["T20"]
