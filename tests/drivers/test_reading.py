"""What a reading makes of lines and times: the cases that have names."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.board import Pace
from drivers import DRIVERS
from drivers.reading import (
    Awake,
    Button,
    Dart,
    Doubtful,
    Fault,
    Freed,
    Heard,
    Marked,
    Reading,
    Rejected,
    Stuck,
    TakeOut,
)
from engine.darts import Points
from engine.segments import MISS, SEGMENTS
from tests.drivers.boards import COLUMNS, RIGS, model, wired

MS = 1_000_000

Event = str


def told(heard: tuple[Heard, ...] | list[Heard]) -> list[Event]:
    """What was heard, short."""
    return [_short(h) for h in heard]


def _short(heard: Heard) -> Event:
    match heard:
        case Dart(Points(points, beds)):
            return f"{points}:{'/'.join(bed.text for bed in beds)}"
        case Dart(dart):
            return str(dart)
        case Doubtful(dart):
            return f"?{dart}"
        case Button(name):
            return f"button {name}"
        case TakeOut():
            return "take-out"
        case Stuck(text):
            return f"stuck {text}"
        case Freed(text):
            return f"freed {text}"
        case Fault(reason):
            return f"fault {reason}"
        case Rejected(reason):
            return f"no {reason}"
        case Awake():
            return "awake"
        case Marked(mark):
            return f"mark {mark}"


class Session:
    """A reading, and a clock in ms that ticks it as the daemon would."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.events: list[Event] = told(reading.opened(0))

    def at(self, ms: float, data: bytes) -> "Session":
        self.until(ms)
        self.events += told(self.reading.feed(data, round(ms * MS)))
        return self

    def until(self, ms: float) -> "Session":
        while (due := self.reading.due_ns) is not None and due <= ms * MS:
            self.events += told(self.reading.tick(due))
        return self

    def lose(self, ms: float, back: float) -> "Session":
        self.until(ms)
        self.events += told(self.reading.lost(round(ms * MS)))
        self.events += told(self.reading.opened(round(back * MS)))
        return self


def on(name: str) -> Session:
    board = model(name)
    return Session(Reading(board, DRIVERS[board.dialect]))


WIRES = [
    ("maddarts", b"20;3\r\n", "T20"),
    ("maddarts", b"25;1\r\n25;2\r\n", "SB DB"),
    ("maddarts", b"0;1\r\n", "MISS"),
    ("maddarts", b"NULL\r\n", "no unmapped"),
    ("maddarts", b"21;1\r\n", "no range"),
    ("maddarts", b"25;3\r\n", "no range"),
    ("loewen-darts", b"320\r\n", "T20"),
    ("loewen-darts", b"101\r\n225\r\n125\r\n219\r\n", "S1 DB SB D19"),
    ("loewen-darts", b"325\r\n", "no range"),
    ("loewen-darts", b"0\r\n", "no unmapped"),
    ("loewen-darts", b"KNOPF\r\n", "button next"),
    ("loewen-darts", b"FEHLWURF\r\n", "MISS"),
    ("loewen-darts", b"PFEILE\r\n", "take-out"),
    ("loewen-darts", b"b\r\n", "no garbage"),
    ("loewen-dascr", b"320\r\n", "T20"),
    ("loewen-dascr", b"b\r\n", "button next"),
    ("loewen-dascr", b"m\r\n", "MISS"),
    ("loewen-dascr", b"u\r\n", "take-out"),
    ("loewen-dascr", b"u\r\n" * 50, "take-out"),
    ("number-ring", b"20:T\r\n", "T20"),
    ("number-ring", b"25:S\r\n25:D\r\n", "SB DB"),
    ("number-ring", b"25:T\r\n", "no range"),
    ("number-ring", b"0:S\r\n", "no unmapped"),
    ("suffix", b"20x3\n20x2\n20i\n20o\n20\n", "T20 D20 SI20 SO20 S20"),
    ("suffix", b"Bullseye\nBullseyex2\n", "SB DB"),
    ("suffix", b"_44\n", "no unmapped"),
    ("score-only", b"60\r\n", "60:T20"),
    ("score-only", b"18\r\n", "18:T6/D9/S18"),
    ("score-only", b"50\r\n", "50:DB"),
    ("score-only", b"255\r\n", "no unmapped"),
    ("score-only", b"59\r\n", "no range"),
    ("json-segment", b'{"segment":"T20"}', "T20"),
    ("json-segment", b'{"segment": "SB"}{"segment":"MISSDART"}\n', "SB MISS"),
    ("json-segment", b'{"segment":"PLAYERBUTTON"}\n{"segment":"BACKUPBUTTON"}\n', "button next button undo"),
    ("json-segment", b'{"segment":"GAMEBUTTON"}\n', "button game"),
    ("json-segment", b'{"segment":"T99"}\n', "no unmapped"),
    ("json-segment", b'{"other":1}\n', "no garbage"),
    ("pidart", b"\x09", "T20"),
    ("pidart", b"\x00\x03", "SI8 SI9"),
    ("pidart", b"\x04\x0a", "DB T1"),
    ("pidart", b"\x11\x13", "T11 T9"),
    ("pidart", b"\x1a\x85", "SI1 button next"),
    ("pidart", b"\xff", "no unmapped"),
    ("raspuino", b"\x53", "T20"),
    ("raspuino", b"\x04\x06\x70", "DB SB no unmapped"),
    ("loewen-pikado", b"\x3f", "T20"),
    ("loewen-pikado", b"\x01\x40", "D12 T5"),
    ("loewen-pikado", b"\x1b", "DB"),
    ("loewen-pikado", b"\xfe", "button next"),
    ("loewen-pikado", b"\x00", "no range"),
    ("virtual", b"+0,1\n", "T20"),
    ("virtual", b"m\nt\n", "MISS take-out"),
    ("virtual", b"+20,1\n", "DB"),
    ("virtual", b"+21,0\n", "no range"),
    ("virtual", b"+20,3\n", "no unmapped"),
]


@pytest.mark.parametrize(("name", "wire", "expected"), WIRES)
def test_the_words_of_each_dialect(name: str, wire: bytes, expected: str) -> None:
    assert " ".join(on(name).at(5000, wire).events) == expected


def test_a_learnt_row_col_board() -> None:
    session = Session(Reading(wired("row-col", COLUMNS), DRIVERS["row-col"]))
    session.at(100, b"OpenDarts\r\n").at(3000, b"0,0\r\n").at(5000, b"undo\r\n").at(7000, b"missb\r\n")
    session.at(9000, b"miss\r\n").at(11000, b"next\r\n").at(13000, b"7,10\r\n").at(15000, b"32,1\r\n")
    assert session.events == [
        "awake",
        "S1",
        "button undo",
        "button miss",
        "MISS",
        "button next",
        "no unmapped",
        "no range",
    ]


def test_a_board_to_be_learnt_says_which_contact_it_was_once_for_a_press() -> None:
    reading = Reading(model("opendarts"), DRIVERS["row-col"])
    heard = [h for n in range(4) for h in reading.feed(b"3,7\r\n", n * 501 * MS)]
    assert heard == [Rejected("unmapped", 0, (3, 7)), *heard[1:]]
    assert [h for h in heard if isinstance(h, Rejected)] == heard


def test_characters_of_a_keypad_sketch_are_latin_1() -> None:
    board = wired("single-char", [(0xA7, 0), *[(n, 0) for n in range(64, 125)]])
    session = Session(Reading(board, DRIVERS["single-char"]))
    assert session.at(0, b"\xa7").at(1000, b"A\r\n").at(2000, b"\xa7").events == ["S1", "T1", "S1"]


def test_characters_of_a_keyboard_are_utf_8() -> None:
    board = wired("keyboard", [(0xA7, 0), *[(n, 0) for n in range(64, 125)]])
    session = Session(Reading(board, DRIVERS["keyboard"]))
    assert session.at(0, b"\xc2").at(2, b"\xa7").at(1000, b"A").events == ["S1", "T1"]


@pytest.mark.parametrize("lines", [2, 5, 9])
def test_a_held_contact_is_one_hit_and_its_first_repeat_a_doubt(lines: int) -> None:
    session = on("loewen-darts")
    for n in range(lines):
        session.at(10_000 + n * 301 + n * 7 % 30, b"320\r\n")
    assert session.until(20_000).events == ["T20", "?T20"]
    assert session.reading.counters["repeats"] == lines - 1
    assert session.reading.counters["doubtful"] == 1


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
        assert session.reading.stuck == (("T20",) if n >= 10 else ())
    session.at(22_500, b"119\r\n")
    assert session.events == ["T20", "?T20", "stuck T20", "freed T20", "S19"]
    assert session.reading.stuck == ()


def test_scoring_goes_on_beside_a_stuck_bed() -> None:
    session = on("loewen-darts")
    for n in range(20):
        session.at(10_000 + n * 301, b"320\r\n")
    session.at(10_000 + 20 * 301, b"119\r\n").at(10_000 + 21 * 301, b"320\r\n").at(10_000 + 22 * 301, b"320\r\n")
    session.at(10_000 + 23 * 301, b"119\r\n")
    assert session.events == ["T20", "?T20", "stuck T20", "S19", "S19"]
    assert session.reading.stuck == ("T20",)


def test_the_stuck_code_of_pidart_names_the_last_contact() -> None:
    session = on("pidart").at(10_000, b"\x09").at(10_250, b"\x70")
    assert session.until(10_640).events == ["T20"]
    for n in range(10):
        session.at(10_650 + n * 400, b"\x70")
    assert session.events == ["T20", "stuck T20"] and session.reading.stuck == ("T20",)
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
    assert "miss sensor" in str(session.reading.fault)
    session.at(31_600, b"20;3\r\n")
    # A hit between does not make the sensor well.
    for n in range(10):
        session.at(32_000 + n * 500.5, b"0;1\r\n")
    assert session.events[3:] == ["T20"]
    assert session.until(47_000).events[3:] == ["T20", "freed MISS"]
    assert session.reading.fault is None
    assert session.at(48_000, b"0;1\r\n").events[-1] == "MISS"


def test_three_misses_are_three_misses() -> None:
    assert on("maddarts").at(0, b"0;1\r\n").at(900, b"0;1\r\n").at(2000, b"0;1\r\n").events == ["MISS"] * 3


def test_what_hangs_when_the_board_starts_is_named_and_not_scored() -> None:
    session = Session(Reading(wired("row-col", COLUMNS), DRIVERS["row-col"])).at(2000, b"OpenDarts\r\n")
    for n in range(12):
        session.at(2010 + n * 501, b"0,0\r\n")
    assert session.events == ["awake", "?S1", "stuck S1"]


def test_an_early_dart_after_the_start_is_a_dart() -> None:
    session = Session(Reading(wired("row-col", COLUMNS), DRIVERS["row-col"])).at(2000, b"OpenDarts\r\n")
    session.at(2100, b"0,0\r\n").until(2640)
    assert session.events == ["awake"]
    assert session.until(2700).events == ["awake", "S1"]


def test_what_waits_for_a_verdict_is_not_lost_with_the_line() -> None:
    session = Session(Reading(wired("row-col", COLUMNS), DRIVERS["row-col"])).at(2000, b"OpenDarts\r\n")
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


def test_a_line_that_goes_again_before_the_first_look_forgets_nothing() -> None:
    session = on("loewen-darts").at(10_000, b"320\r\n").lose(10_100, 10_600).lose(10_700, 10_900)
    assert session.at(11_100, b"320\r\n").events == ["T20", "?T20"]


def test_a_dart_after_a_reconnect_is_a_dart() -> None:
    session = on("loewen-darts").at(10_000, b"320\r\n").lose(10_100, 10_600).at(10_700, b"119\r\n")
    assert session.at(11_400, b"320\r\n").events == ["T20", "S19", "T20"]


def test_a_partial_line_is_dropped_with_the_line_and_counted() -> None:
    session = on("maddarts").at(0, b"20;").lose(100, 1000).at(1100, b"3\r\n").at(1200, b"19;2\r\n")
    assert session.events == ["no partial", "no garbage", "D19"]
    assert session.reading.counters["partial"] == 1


def test_a_partial_line_lives_as_long_as_the_line() -> None:
    session = on("maddarts").at(0, b"20;").until(3_600_000).at(3_600_000, b"3\r\n")
    assert session.events == ["T20"]


@pytest.mark.parametrize("gap", [20, 60, 80, 115])
def test_a_keypad_contact_that_rings_after_its_release_is_one_dart_and_a_doubt(gap: float) -> None:
    session = Session(RIGS["single-char"].reading()).at(0, b"a").at(gap, b"a")
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
    assert session.reading.counters["ghosts"] == 1
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
    session = Session(Reading(board, DRIVERS["packed-nibble"])).at(0, b"\x53").at(2000, b"\x04")
    assert session.events == ["DB"]
    assert session.reading.counters["masked"] == 1


def test_a_board_file_changes_the_times() -> None:
    board = replace(model("number-ring"), pace=Pace(repeat_ms=700.0))
    session = Session(Reading(board, DRIVERS["number-ring"])).at(0, b"20:T\r\n").at(700, b"20:T\r\n")
    assert session.events == ["T20", "?T20"]


def test_every_bed_of_a_table_is_heard_as_it_is_written() -> None:
    for rig in RIGS.values():
        session = Session(rig.reading())
        for n, cell in enumerate(sorted(rig.beds)):
            session.at(10_000 + n * 4000, rig.encode(cell))
        heard = [e for e in session.until(1e7).events if e.split()[0] not in ("stuck", "freed")]
        beds = [rig.beds[cell] for cell in sorted(rig.beds)]
        if rig.name == "score-only":
            assert [e.partition(":")[0] for e in heard] == [str(bed.points) for bed in beds]
        elif rig.board.can.release:
            # Nothing opened here, so most crossings are joined by now.
            assert heard[0] == beds[0].text
        else:
            assert heard == [bed.text for bed in beds]


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
    reading = rig.reading()
    now = 0
    darts = reports = 0
    for pause, what, data in steps:
        now += pause * MS
        match what:
            case "feed":
                piece = data if isinstance(data, bytes) else rig.encode(cells[data])
                reports += max(1, len(piece))
                heard = reading.feed(piece, now)
            case "tick":
                heard = reading.tick(now)
            case "lost":
                heard = reading.lost(now)
            case _:
                heard = reading.opened(now)
        darts += sum(isinstance(h, Dart) for h in heard)
        assert all(h.at_ns >= 0 for h in heard)
        assert reading.pending <= 256
        assert set(reading.stuck) <= {*SEGMENTS, "?"} | {s for s in reading.stuck if s[0].isdigit() or " " in s}
        assert all(count >= 0 for count in reading.counters.values())
        due = reading.due_ns
        assert due is None or isinstance(due, int)
    assert darts <= reports
    # Time alone ends everything that waits.
    for _ in range(1000):
        if (due := reading.due_ns) is None:
            break
        reading.tick(due)
    else:
        pytest.fail("a tick that is due does not come to an end")


def test_a_flood_of_contacts_is_kept_small() -> None:
    reading = Reading(model("keyboard"), DRIVERS["keyboard"])
    for n in range(20):
        text = "".join(chr(c) for c in range(0x4E00 + n * 900, 0x4E00 + n * 900 + 900))
        reading.feed(text.encode(), n * MS)
    assert len(reading._chain._runs) <= 256
    assert MISS.text not in reading.stuck
