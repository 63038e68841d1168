"""One dart that touches two beds, or one twice, is a dart and a doubt; two darts in beds that do not touch are two."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.board import Board, Pace
from drivers.debounce import MS, Verdict
from drivers.events import BoardEvent, DartLanded, DoubtfulDart
from drivers.neighbours import Neighbours, touch
from drivers.oche_matrix import DRIVER
from drivers.pipeline import Pipeline
from engine.segments import PLAYABLE, SEGMENTS, Segment
from tests.drivers.boards import wired
from tests.drivers.test_frames import edge, hello

CELLS = [(n // 10, n % 10) for n in range(62)]
BOARD = wired("oche-matrix", CELLS)
CELL_OF = {meaning.text: cell for cell, meaning in BOARD.contacts.items() if isinstance(meaning, Segment)}
TICK_US = 64


class Wire:
    """A board with our firmware, its clock in ms."""

    def __init__(self, board: Board = BOARD) -> None:
        self.pipeline = Pipeline(board, DRIVER)
        self.pipeline.opened(0)
        self.pipeline.feed(hello(7), 0)
        self._number = 0

    def at(self, ms: float, bed: str, closed: bool = True) -> str:
        """Returns what an edge is: the darts, and the doubts with a question mark."""
        row, col = CELL_OF[bed]
        kind = 0x10 if closed else 0x11
        data = edge(self._number, row * 16 + col, kind, round(ms * 1000 / TICK_US))
        self._number += 1
        return " ".join(filter(None, map(said, self.pipeline.feed(data, round(ms * MS)))))


def said(event: BoardEvent) -> str:
    match event:
        case DartLanded(dart):
            return str(dart)
        case DoubtfulDart(dart):
            return f"?{dart}"
    return ""


@pytest.mark.parametrize("pause_ms", [12, 60, 140])
def test_a_bed_that_opens_for_a_moment_is_one_dart_and_a_doubt(pause_ms: float) -> None:
    """The tip swings: 10 ms after the contact opened the board says so."""
    wire = Wire()
    assert wire.at(1000, "T20") == "T20"
    wire.at(1040, "T20", closed=False)
    assert wire.at(1040 + pause_ms, "T20") == "?T20"
    wire.at(1300, "T20", closed=False)
    assert wire.at(1460, "T20") == "T20"


@pytest.mark.parametrize("apart_ms", [2, 20, 55])
@pytest.mark.parametrize("other", ["T1", "T5", "S20", "S1"])
def test_a_dart_on_a_wire_is_one_dart_and_a_doubt(other: str, apart_ms: float) -> None:
    wire = Wire()
    assert wire.at(1000, "T20") == "T20"
    assert wire.at(1000 + apart_ms, other) == f"?{other}"


@pytest.mark.parametrize("other", ["T18", "S3", "DB", "D20", "D1"])
def test_beds_that_do_not_touch_are_two_darts_however_close(other: str) -> None:
    wire = Wire()
    assert [wire.at(1000, "T20"), wire.at(1000.2, other)] == ["T20", other]


def test_a_neighbour_later_is_another_dart() -> None:
    wire = Wire()
    assert [wire.at(1000, "T20"), wire.at(1062, "T1")] == ["T20", "T1"]


def test_the_times_are_those_of_the_board_file() -> None:
    wire = Wire(replace(BOARD, pace=Pace(rebound_ms=0.0, neighbour_ms=0.0)))
    assert [wire.at(1000, "T20"), wire.at(1001, "T1")] == ["T20", "T1"]
    wire.at(1040, "T20", closed=False)
    assert wire.at(1060, "T20") == "T20"
    wire = Wire(replace(BOARD, pace=Pace(rebound_ms=300.0, neighbour_ms=100.0)))
    assert [wire.at(1000, "T20"), wire.at(1090, "T1")] == ["T20", "?T1"]


def test_two_contacts_of_one_bull_are_one_dart() -> None:
    judge = Neighbours(60.0, lambda _key: SEGMENTS["SB"]).judge
    assert [v.kind for at in (0, 5) for v in judge((Verdict("dart", (at, 1), at * MS),))] == ["dart", "doubt"]


BEDS = st.sampled_from([bed.text for bed in PLAYABLE])


@settings(max_examples=200, deadline=None, derandomize=True)
@given(darts=st.lists(st.tuples(BEDS, st.integers(1, 90)), min_size=1, max_size=12, unique_by=lambda dart: dart[0]))
def test_every_edge_is_a_dart_or_a_doubt_and_a_doubt_has_a_neighbour(darts: list[tuple[str, int]]) -> None:
    wire, now = Wire(), 1000.0
    scored: list[tuple[str, float]] = []
    for bed, after in darts:
        now += after
        what = wire.at(now, bed)
        # Three contacts that stay closed could make a fourth read as closed.
        wire.at(now + 0.2, bed, closed=False)
        near = [one for one, at in scored if touch(SEGMENTS[one], SEGMENTS[bed]) and now - at <= 60.1]
        sure = [one for one, at in scored if touch(SEGMENTS[one], SEGMENTS[bed]) and now - at <= 59.9]
        assert what == bed or (what == f"?{bed}" and near)
        assert what != bed or not sure
        if what == bed:
            scored.append((bed, now))


def test_to_touch_is_mutual() -> None:
    assert all(touch(a, b) == touch(b, a) for a in PLAYABLE for b in PLAYABLE)
