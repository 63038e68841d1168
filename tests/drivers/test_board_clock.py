"""A board with a clock of its own is judged by it, whatever the line, the host or a restart do between."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.board import Pace
from drivers.debounce import MS
from drivers.driver import Contact
from drivers.events import DartLanded, Marked
from drivers.frames import frame
from drivers.oche_matrix import DRIVER, OcheMatrix
from drivers.pipeline import Pipeline
from engine.segments import SEGMENTS
from tests.drivers.boards import RIGS
from tests.drivers.reports import bits, codes
from tests.drivers.test_frames import edge, hello
from tests.drivers.test_neighbours import BOARD, CELL_OF, said

TICK_US = 64
WRAP = 1 << 24
CLOSED, OPENED = 0x10, 0x11


def ticks(ms: float) -> int:
    return round(ms * 1000 / TICK_US)


def beat(at_ticks: int, epoch: int = 7) -> bytes:
    return frame(bytes([2, epoch, 0, 0]) + (at_ticks % (1 << 32)).to_bytes(4, "little") + bytes(9))


class Line:
    """A board whose edges arrive when the test says."""

    def __init__(self, start: int = 0, epoch: int = 7, pipeline: Pipeline | None = None, first: int = 0) -> None:
        """`start` is the board's time in ticks, at the host's 0; `first` the number of its next edge."""
        self.pipeline = pipeline or Pipeline(BOARD, DRIVER)
        self.start, self.number, self.mark = start, first, ""
        self.pipeline.opened(0)
        self.arrives(hello(epoch, first, first, start), 0)

    def arrives(self, data: bytes, at_ms: float) -> str:
        """Returns the darts, and the doubts with a question mark."""
        while (due := self.pipeline.due_ns) is not None and due <= at_ms * MS:
            self.pipeline.tick(due)
        events = self.pipeline.feed(data, round(at_ms * MS))
        self.mark = next((event.mark for event in reversed(events) if isinstance(event, Marked)), self.mark)
        return " ".join(filter(None, map(said, events)))

    def edge(self, ms: float, bed: str, kind: int = CLOSED) -> bytes:
        """The frame of an edge at this time of the board."""
        row, col = CELL_OF[bed]
        self.number += 1
        return edge(self.number - 1, row * 16 + col, kind, (self.start + ticks(ms)) % WRAP)

    def at(self, ms: float, bed: str, arrives_ms: float, kind: int = CLOSED) -> str:
        return self.arrives(self.edge(ms, bed, kind), arrives_ms)


def test_two_darts_whose_reports_arrive_together_are_two() -> None:
    """75 ms apart on the board; a busy host reads the heartbeat and the first late, and they arrive 28 ms apart."""
    line = Line()
    line.arrives(beat(ticks(900)), 1047)
    assert [line.at(1000, "T20", 1048), line.at(1075, "T1", 1076)] == ["T20", "T1"]


def test_one_chunk_with_two_darts_is_two() -> None:
    line = Line()
    assert line.arrives(line.edge(1000, "T20") + line.edge(1075, "T1"), 1400) == "T20 T1"


def test_one_dart_whose_reports_arrive_apart_is_one() -> None:
    line = Line()
    assert [line.at(1000, "T20", 1001), line.at(1030, "T1", 1130)] == ["T20", "?T1"]


@pytest.mark.parametrize("late_ms", [0, 90])
def test_a_late_heartbeat_between_moves_nothing(late_ms: float) -> None:
    line = Line()
    assert line.at(1000, "T20", 1001) == "T20"
    line.arrives(beat(ticks(1010)), 1011 + late_ms)
    assert line.at(1075, "T1", 1102) == "T1"
    line.arrives(beat(ticks(1500)), 1501 + late_ms)
    assert [line.at(2000, "T19", 2091), line.at(2030, "T3", 2121)] == ["T19", "?T3"]


def test_a_bed_that_opens_is_judged_by_the_boards_clock() -> None:
    line = Line()
    line.at(1000, "T20", 1001)
    line.at(1040, "T20", 1041, OPENED)
    # 100 ms later, and 300 ms late: the release was final by then, as the host had it.
    assert line.at(1140, "T20", 1441) == "?T20"
    line.at(1200, "T20", 1442, OPENED)
    # 160 ms, which arrive as 2.
    assert line.at(1360, "T20", 1444) == "T20"


def test_a_board_that_waits_for_bounces_itself_has_none_that_are_certain() -> None:
    """Its report of an opening comes 10 ms after it: what closes 5 ms later was open for 15."""
    line = Line()
    line.at(1000, "T20", 1001)
    line.at(1040, "T20", 1041, OPENED)
    assert line.at(1045, "T20", 1046) == "?T20"


@pytest.mark.parametrize("start", [WRAP - ticks(1040), (1 << 32) - ticks(1040)])
def test_the_clock_wraps(start: int) -> None:
    line = Line(start)
    assert [line.at(1000, "T20", 1001), line.at(1055, "T1", 1300)] == ["T20", "?T1"]
    assert [line.at(2000, "T19", 2001), line.at(2075, "T3", 2002)] == ["T19", "T3"]


def test_the_next_round_of_the_clock_is_long_after() -> None:
    """24 bits of the time are the same again after 18 minutes; the heartbeats have all of it."""
    line, round_ms = Line(), WRAP * TICK_US / 1000
    assert line.at(1000, "T20", 1001) == "T20"
    for ms in range(1500, round(round_ms) + 1000, 4000):
        line.arrives(beat(ticks(ms)), ms)
    assert line.at(1030 + round_ms, "T1", 1031 + round_ms) == "T1"


def test_a_board_that_lost_power_begins_again() -> None:
    """Its clock reads nearly the same as before, and nothing of before counts."""
    line = Line()
    assert line.at(1000, "T20", 1001) == "T20"
    line.pipeline.lost(1100 * MS)
    line.pipeline.opened(1200 * MS)
    line.number = 0
    assert line.arrives(hello(8, 0, 0, ticks(1000)), 2200) == ""
    assert line.at(1030, "T1", 2231) == "T1"


def test_a_board_that_was_reset_counts_its_time_from_zero() -> None:
    """The reset pin: edges and numbers are kept. What was stored before it is judged by the time before it."""
    line = Line()
    assert line.at(1000, "T20", 1001) == "T20"
    line.pipeline.lost(1010 * MS)
    line.pipeline.opened(1020 * MS)
    stored = line.edge(1030, "T1") + line.edge(1090, "T1", OPENED)
    assert line.arrives(hello(7, 1, 3, ticks(100)) + stored, 2900) == "?T1"
    # By their numbers these are 20 ms after it.
    assert [line.at(1110, "T20", 3900), line.at(1200, "T5", 3990)] == ["T20", "T5"]


def test_after_an_outage_the_edges_of_before_still_count() -> None:
    line = Line()
    assert line.at(1000, "T20", 1001) == "T20"
    line.at(1040, "T20", 1041, OPENED)
    line.pipeline.lost(1045 * MS)
    line.pipeline.opened(6000 * MS)
    assert (
        line.arrives(hello(7, 2, 4, ticks(6000)) + line.edge(1050, "T1") + line.edge(1080, "T20"), 6001) == "?T1 ?T20"
    )


def test_edges_that_are_sent_again_are_not_judged_again() -> None:
    line = Line()
    first, second = line.edge(1000, "T20"), line.edge(1075, "T1")
    assert line.arrives(first, 1001) == "T20"
    assert line.arrives(first + first, 1050) == ""
    assert line.arrives(first + second + second, 1076) == "T1"


# ---- a new process ----


def restarted(line: Line, darts: list[str]) -> Pipeline:
    """The pipeline of a process that goes on after the last dart on disk."""
    pipeline = Pipeline(BOARD, DRIVER)
    pipeline.resume(line.mark, [SEGMENTS[dart] for dart in darts])
    pipeline.opened(0)
    return pipeline


@pytest.mark.parametrize(
    ("after_ms", "bed", "is_what"),
    [(30, "T1", "?T1"), (75, "T1", "T1"), (30, "T18", "T18"), (100, "T20", "?T20"), (160, "T20", "T20")],
)
@pytest.mark.parametrize("reset", [False, True])
def test_a_dart_right_after_the_last_one_of_a_killed_process(
    after_ms: float, bed: str, is_what: str, reset: bool
) -> None:
    """The board kept it. On some boards the opening of the port pulls the reset pin."""
    line = Line()
    assert line.at(5000, "T20", 5001) == "T20"
    after = line.edge(5000 + after_ms, bed)
    line.pipeline = restarted(line, ["T20"])
    assert line.arrives(hello(7, 1, 2, ticks(100 if reset else 9000)) + after, 100) == is_what


def test_a_new_process_is_told_of_what_opened_before_it_closes_again() -> None:
    line = Line()
    assert line.at(5000, "T20", 5001) == "T20"
    opened, closed = line.edge(5400, "T20", OPENED), line.edge(5500, "T20")
    line.pipeline = restarted(line, ["T20"])
    assert line.arrives(hello(7, 1, 3, ticks(9000)) + opened + closed, 100) == "?T20"


def test_a_new_process_judges_no_other_board_or_epoch_by_the_mark() -> None:
    for greeting in (hello(8, 0, 1, ticks(5010)), hello(7, 0, 1, ticks(5010), b"Another!")):
        line = Line()
        assert line.at(5000, "T20", 5001) == "T20"
        line.pipeline, line.number = restarted(line, ["T20"]), 0
        assert line.arrives(greeting + line.edge(5030, "T1"), 100) == "T1"


def test_a_mark_of_an_older_version_is_read() -> None:
    line = Line()
    assert line.at(5000, "T20", 5001) == "T20"
    again = edge(0, 0x11, CLOSED, ticks(5000))
    line.mark = "-".join(line.mark.split("-")[:3])
    line.pipeline = restarted(line, ["T20"])
    after = line.edge(5030, "T1")
    assert line.arrives(hello(7, 0, 2, ticks(9000)) + again + after, 100) == "T1"


# ---- without a clock ----


@pytest.mark.parametrize("name", ["virtual", "usb-bits", "usb-codes", "suffix", "hundreds"])
def test_reports_in_one_chunk_are_doubts_at_most(name: str) -> None:
    """Without a clock, times are those of arrival: beds that touch can become a doubt, never nothing."""
    rig = RIGS[name]
    cell_of = {bed.text: cell for cell, bed in rig.beds.items()}
    cells = [cell_of.get(bed, cell_of.get(bed.replace("T", "SI"), (0, 0))) for bed in ("T20", "T1", "T18")]
    pipeline = replace(rig, board=replace(rig.board, pace=Pace(rebound_ms=0.0, neighbour_ms=60.0))).pipeline()
    pipeline.opened(0)
    pipeline.tick(10_000 * MS)
    states = {"usb-bits": bits, "usb-codes": codes}
    pieces = [states[name](set(cells[: n + 1])) if name in states else rig.encode(cell) for n, cell in enumerate(cells)]
    assert " ".join(filter(None, map(said, pipeline.feed(b"".join(pieces), 10_000 * MS)))) == "T20 ?T1 T18"


# ---- whatever the line does ----


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    darts=st.lists(st.tuples(st.sampled_from(list(CELL_OF)), st.integers(1, 400)), min_size=2, max_size=20),
    start=st.integers(0, (1 << 32) - 1),
    seed=st.integers(0, 1 << 30),
)
def test_arrival_changes_no_verdict(darts: list[tuple[str, int]], start: int, seed: int) -> None:
    """However late each report arrives, each is what it is when all arrive at once."""
    rng = random.Random(seed)
    prompt, slow, now, arrived = Line(start), Line(start), 1000.0, 1000.0
    for bed, after in darts:
        now += after
        arrived = max(arrived, now + rng.choice([0.3, rng.uniform(0, 30), rng.uniform(0, 600)]))
        if rng.random() < 0.3:
            slow.arrives(beat(slow.start + ticks(now - 1)), arrived)
        assert prompt.at(now, bed, now + 0.3) == slow.at(now, bed, arrived)
        now, arrived = now + 0.5, max(arrived, now + 0.5)
        prompt.at(now, bed, now + 0.3, OPENED)
        slow.at(now, bed, arrived, OPENED)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    moves=st.lists(
        st.tuples(st.integers(0, WRAP - 1), st.sampled_from(["edge", "beat", "hello", "power"])), max_size=60
    )
)
def test_the_clock_of_a_board_never_goes_back(moves: list[tuple[int, str]]) -> None:
    decoder, number, epoch, last, at = OcheMatrix(), 0, 7, 0, 0
    decoder.feed(hello(epoch), 0)
    for time, what in moves:
        at += 1000
        if what == "power":
            number, epoch = 0, (epoch + 1) % 256
        data = {"edge": edge(number, 0, CLOSED, time), "beat": beat(time, epoch)}.get(
            what, hello(epoch, number % 256, number % 256, time)
        )
        number += what == "edge"
        for report in decoder.feed(data, at):
            if isinstance(report, Contact) and report.closed:
                assert report.clock_ns is not None and report.clock_ns >= last
                last = report.clock_ns


def test_events_have_times_of_the_host() -> None:
    """The time of a dart is on the host's clock: not later than it arrived."""
    line = Line()
    event = next(e for e in line.pipeline.feed(line.edge(1000, "T20"), 1048 * MS) if isinstance(e, DartLanded))
    assert 0 <= 1048 * MS - event.at_ns <= 50 * MS
