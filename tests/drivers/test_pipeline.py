"""How the pipeline treats times: repeats, stuck beds, ghosts, lost lines. Named cases."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.board import Pace
from drivers import DRIVERS
from drivers.events import DartLanded
from drivers.pipeline import Pipeline
from engine.segments import MISS, SEGMENTS
from tests.drivers.boards import RIGS, model
from tests.drivers.session import MS, Session, on


@pytest.mark.parametrize("lines", [2, 5, 9])
def test_a_held_contact_is_one_hit_and_its_first_repeat_a_doubt(lines: int) -> None:
    session = on("loewen-darts")
    for n in range(lines):
        session.at(10_000 + n * 301 + n * 7 % 30, b"320\r\n")
    assert session.until(20_000).events == ["T20", "?T20"]
    assert session.pipeline.counters["repeats"] == lines - 1
    assert session.pipeline.counters["doubtful"] == 1


def test_a_second_dart_after_the_chain_broke_counts() -> None:
    session = on("loewen-darts").at(10_000, b"320\r\n").at(10_000 + 301 + 45, b"320\r\n").at(10_900, b"320\r\n")
    assert session.events == ["T20", "T20", "T20"]


def test_a_dart_in_the_deaf_time_of_another_counts_and_both_take_turns() -> None:
    session = on("loewen-darts")
    for n, line in enumerate([b"320\r\n", b"105\r\n", b"320\r\n", b"105\r\n", b"320\r\n"]):
        session.at(10_000 + n * 300.5, line)
    assert session.events == ["T20", "S5", "?T20", "?S5"]


def test_a_contact_that_was_seen_open_while_another_repeats_is_a_new_dart() -> None:
    session = on("loewen-darts")
    for n, line in enumerate([b"320\r\n", b"105\r\n", b"105\r\n", b"320\r\n"]):
        session.at(10_000 + n * 300.5, line)
    assert session.events == ["T20", "S5", "?S5", "T20"]


def test_a_line_that_was_garbled_does_not_break_a_run() -> None:
    session = on("loewen-darts").at(10_000, b"320\r\n").at(10_301, b"3\xff20\r\n").at(10_602, b"320\r\n")
    assert session.events == ["T20", "no garbage", "?T20"]


def test_a_garbled_line_may_have_been_any_contact() -> None:
    session = on("loewen-darts")
    for n, line in enumerate([b"320\r\n", b"105\r\n", b"3\xff20\r\n", b"105\r\n", b"320\r\n"]):
        session.at(10_000 + n * 300.5, line)
    assert session.events == ["T20", "S5", "no garbage", "?S5", "?T20"]


def test_a_stuck_bed_is_named_after_three_seconds_and_freed() -> None:
    session = on("loewen-darts")
    for n in range(40):
        session.at(10_000 + n * 301, b"320\r\n")
        assert session.pipeline.stuck == (("T20",) if n >= 10 else ())
    session.at(22_500, b"119\r\n")
    assert session.events == ["T20", "?T20", "stuck T20", "freed T20", "S19"]
    assert session.pipeline.stuck == ()


def test_scoring_goes_on_beside_a_stuck_bed() -> None:
    session = on("loewen-darts")
    for n in range(20):
        session.at(10_000 + n * 301, b"320\r\n")
    session.at(10_000 + 20 * 301, b"119\r\n").at(10_000 + 21 * 301, b"320\r\n").at(10_000 + 22 * 301, b"320\r\n")
    session.at(10_000 + 23 * 301, b"119\r\n")
    assert session.events == ["T20", "?T20", "stuck T20", "S19", "S19"]
    assert session.pipeline.stuck == ("T20",)


def test_the_stuck_code_of_pidart_names_the_last_contact() -> None:
    session = on("pidart").at(10_000, b"\x09").at(10_250, b"\x70")
    assert session.until(10_640).events == ["T20"]
    for n in range(10):
        session.at(10_650 + n * 400, b"\x70")
    assert session.events == ["T20", "stuck T20"] and session.pipeline.stuck == ("T20",)
    assert session.until(20_000).events == ["T20", "stuck T20", "freed T20"]
    assert session.at(21_000, b"\x09").events[-1] == "T20"


def test_a_stuck_code_without_a_contact_before_it() -> None:
    session = on("pidart")
    for n in range(12):
        session.at(100 + n * 400, b"\x70")
    assert session.events == ["stuck ?"] and session.until(9000).events == ["stuck ?", "freed ?"]


def test_a_miss_sensor_that_floats_is_a_fault_and_not_thirty_misses() -> None:
    session = on("maddarts")
    for n in range(60):
        session.at(1000 + n * 500.5 + n * 11 % 17, b"0;1\r\n")
    assert session.events == ["MISS", "?MISS", "fault miss_sensor"]
    assert "miss sensor" in str(session.pipeline.fault)
    session.at(31_600, b"20;3\r\n")
    # A hit between does not make the sensor well.
    for n in range(10):
        session.at(32_000 + n * 500.5, b"0;1\r\n")
    assert session.events[3:] == ["T20"]
    assert session.until(47_000).events[3:] == ["T20", "freed MISS"]
    assert session.pipeline.fault is None
    assert session.at(48_000, b"0;1\r\n").events[-1] == "MISS"


def test_three_misses_are_three_misses() -> None:
    assert on("maddarts").at(0, b"0;1\r\n").at(900, b"0;1\r\n").at(2000, b"0;1\r\n").events == ["MISS"] * 3


@pytest.mark.parametrize("gap", [20, 60, 80, 115])
def test_a_keypad_contact_that_rings_after_its_release_is_one_dart_and_a_doubt(gap: float) -> None:
    session = Session(RIGS["single-char"].pipeline()).at(0, b"a").at(gap, b"a")
    assert session.events == ["S1", "?S1"]
    assert session.at(1000, b"a").events == ["S1", "?S1", "S1"]


def test_pulling_darts_is_said_once() -> None:
    session = on("loewen-dascr")
    for n in range(100):
        session.at(1000 + n * 20, b"u\r\n")
    assert session.events == ["take-out"]
    assert session.at(20_000, b"u\r\n").events == ["take-out", "take-out"]


def test_a_held_button_is_one_press() -> None:
    session = on("loewen-dascr")
    for n in range(8):
        session.at(1000 + n * 501, b"b\r\n")
    assert session.until(9000).events == ["button next", "stuck button next", "freed button next"]


def test_three_closed_corners_make_a_ghost_that_is_dropped() -> None:
    session = on("virtual").at(0, b"+0,0\n").at(1000, b"+0,1\n").at(2000, b"+5,0\n+5,1\n")
    assert session.events == ["SI20", "T20", "SI6"]
    assert session.pipeline.counters["ghosts"] == 1
    session.at(2500, b"-5,1\n-5,0\n").at(4000, b"+5,1\n")
    assert [e for e in session.events if "stuck" not in e][3:] == ["T6"]


def test_a_dart_that_looked_like_a_ghost_counts_when_a_corner_opens() -> None:
    session = on("virtual").at(0, b"+0,0\n").at(100, b"+0,1\n").at(200, b"+5,0\n+5,1\n").at(300, b"-0,0\n").until(400)
    assert session.events == ["SI20", "T20", "SI6", "T6"]


def test_a_contact_that_rings_is_one_closure() -> None:
    session = on("virtual").at(0, b"+0,1\n").at(0.4, b"-0,1\n").at(1, b"+0,1\n").at(30, b"-0,1\n").at(31, b"+0,1\n")
    assert session.at(60, b"-0,1\n").at(700, b"+0,1\n").events == ["T20", "T20"]


def test_a_masked_contact_is_not_heard() -> None:
    board = replace(model("raspuino"), masked=frozenset({(5, 3)}))
    session = Session(Pipeline(board, DRIVERS["packed-nibble"])).at(0, b"\x53").at(2000, b"\x04")
    assert session.events == ["DB"]
    assert session.pipeline.counters["masked"] == 1


def test_a_board_file_changes_the_times() -> None:
    board = replace(model("number-ring"), pace=Pace(repeat_ms=700.0))
    session = Session(Pipeline(board, DRIVERS["number-ring"])).at(0, b"20:T\r\n").at(700, b"20:T\r\n")
    assert session.events == ["T20", "?T20"]


@pytest.mark.parametrize("name", sorted(RIGS))
@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    steps=st.lists(
        st.tuples(
            st.integers(-5, 2000),
            st.sampled_from(["feed", "feed", "feed", "tick", "lost", "opened"]),
            st.binary(max_size=20) | st.integers(0, 61),
        ),
        max_size=60,
    )
)
def test_anything_at_any_time_is_survived(name: str, steps: list[tuple[int, str, bytes | int]]) -> None:
    rig = RIGS[name]
    cells = sorted(rig.beds)
    pipeline = rig.pipeline()
    now = 0
    darts = reports = 0
    for pause, what, data in steps:
        now += pause * MS
        match what:
            case "feed":
                piece = data if isinstance(data, bytes) else rig.encode(cells[data])
                # A byte of a USB report is up to eight contacts.
                reports += max(1, len(piece)) * (8 if name == "usb-bits" else 1)
                heard = pipeline.feed(piece, now)
            case "tick":
                heard = pipeline.tick(now)
            case "lost":
                heard = pipeline.lost(now)
            case _:
                heard = pipeline.opened(now)
        darts += sum(isinstance(h, DartLanded) for h in heard)
        assert all(h.at_ns >= 0 for h in heard)
        assert pipeline.pending <= 256
        assert set(pipeline.stuck) <= {*SEGMENTS, "?"} | {s for s in pipeline.stuck if s[0].isdigit() or " " in s}
        assert all(count >= 0 for count in pipeline.counters.values())
        due = pipeline.due_ns
        assert due is None or isinstance(due, int)
    assert darts <= reports
    # Time alone ends everything that waits.
    for _ in range(1000):
        if (due := pipeline.due_ns) is None:
            break
        pipeline.tick(due)
    else:
        pytest.fail("a tick that is due does not come to an end")


def test_a_flood_of_contacts_is_kept_small() -> None:
    pipeline = Pipeline(model("keyboard"), DRIVERS["keyboard"])
    for n in range(20):
        text = "".join(chr(c) for c in range(0x4E00 + n * 900, 0x4E00 + n * 900 + 900))
        pipeline.feed(text.encode(), n * MS)
    assert len(pipeline._repeats._runs) <= 256
    assert MISS.text not in pipeline.stuck


def test_a_take_out_is_one_however_often_its_sensor_says_so_and_another_after_a_dart() -> None:
    """Bots at a quick pace, and people who check out with their first dart, take out twice within two seconds."""
    session = on("virtual").at(10_000, b"t\n").at(11_000, b"t\n").at(12_900, b"t\n")
    assert session.events == ["take-out"]
    session.at(13_000, b"+0,3\n").at(13_040, b"-0,3\n").at(13_500, b"t\n").at(13_900, b"t\n")
    assert session.events == ["take-out", "D20", "take-out"]
