"""Frames, and the driver of our own firmware: every edge once, in order, whatever the line does between."""

from binascii import crc_hqx
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from boards.board import Pace
from drivers import DRIVERS
from drivers.debounce import MS
from drivers.driver import Answering, Contact
from drivers.events import BoardEvent, DartLanded, Marked, Stuck
from drivers.frames import Frames, frame, payload_of
from drivers.oche_matrix import DRIVER, OcheMatrix
from drivers.pipeline import Pipeline
from tests.drivers.boards import wired

CELLS = [(n // 10, n % 10) for n in range(62)]
PAYLOADS = st.binary(min_size=1, max_size=60)


def hello(epoch: int, first: int = 0, following: int = 0, ticks: int = 0, name: bytes = b"A board!") -> bytes:
    place = bytes([epoch, first, following]) + ticks.to_bytes(4, "little")
    return frame(bytes([1, 1, 1, 8, 10, 0, 1, 0, 64]) + place + name)


def edge(sequence: int, contact: int, kind: int = 0x10, ticks: int = 0) -> bytes:
    return frame(bytes([kind, sequence % 256, contact]) + ticks.to_bytes(3, "little"))


def kinds(heard: tuple[BoardEvent, ...]) -> list[type]:
    return [type(what) for what in heard if not isinstance(what, Marked)]


def test_the_check_value_of_the_page() -> None:
    assert crc_hqx(b"123456789", 0xFFFF) == 0x29B1


@settings(max_examples=100, deadline=None, derandomize=True)
@given(payload=PAYLOADS)
def test_a_frame_has_one_zero_and_its_payload(payload: bytes) -> None:
    coded = frame(payload)
    assert coded.index(0) == len(coded) - 1
    assert payload_of(coded[:-1]) == payload


@settings(max_examples=100, deadline=None, derandomize=True)
@given(payload=PAYLOADS, noise=st.binary(max_size=300))
def test_after_any_noise_and_an_end_the_next_frame_is_read(payload: bytes, noise: bytes) -> None:
    frames = Frames()
    frames.take(noise + b"\0")
    assert frames.take(frame(payload)) == [payload]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(payload=PAYLOADS, where=st.integers(0, 1000), bit=st.integers(0, 7))
def test_one_flipped_bit_is_never_believed(payload: bytes, where: int, bit: int) -> None:
    coded = bytearray(frame(payload))
    coded[where % len(coded)] ^= 1 << bit
    assert payload not in Frames().take(bytes(coded))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(order=st.lists(st.integers(0, 30), max_size=120))
def test_edges_in_any_order_and_number_come_in_order_once(order: list[int]) -> None:
    decoder = OcheMatrix()
    decoder.feed(hello(7), 0)
    reports = [report for number in order for report in decoder.feed(edge(number, number), 1)]
    taken = [report.row * 16 + report.col for report in reports if isinstance(report, Contact)]
    assert taken == list(range(len(taken)))
    answer = payload_of(decoder.answers()[:-1])
    assert isinstance(answer, bytes) and answer[:3] == bytes([0x82, 7, len(taken)])


def test_a_gap_is_said_once() -> None:
    decoder = OcheMatrix()
    decoder.feed(hello(7), 0)
    decoder.answers()
    answers = []
    for number in (1, 2, 3):
        decoder.feed(edge(number, 0), 0)
        answers.append(decoder.answers())
    assert answers == [frame(b"\x82\x07\0\x01"), frame(b"\x82\x07\0\0"), frame(b"\x82\x07\0\0")]


def test_only_what_was_heard_is_acknowledged_and_once() -> None:
    reading = Pipeline(wired("oche-matrix", CELLS), DRIVER)
    assert reading.answers() == b""
    reading.feed(hello(7), 0)
    assert reading.answers() == frame(b"\x82\x07\0\x01")
    assert kinds(reading.feed(edge(0, 0), 0)) == [DartLanded]
    assert reading.answers() == frame(b"\x82\x07\x01\0")
    assert reading.answers() == b""


def test_a_dart_in_the_bed_that_was_held_when_the_line_went() -> None:
    """The board says that the first has gone and the second come, all at once and with its own times."""
    reading = Pipeline(wired("oche-matrix", CELLS), DRIVER)
    reading.opened(0)
    reading.feed(hello(7), 0)
    assert kinds(reading.feed(edge(0, 0), 10 * MS)) == [DartLanded]
    reading.lost(20 * MS)
    reading.opened(5000 * MS)
    heard = reading.feed(hello(7, 1, 3, 78125) + edge(1, 0, 0x11, 30000) + edge(2, 0, 0x10, 40000), 5001 * MS)
    assert kinds(heard) == [DartLanded]


def test_the_settling_time_of_the_board_file_is_told_after_each_hello() -> None:
    reading = Pipeline(replace(wired("oche-matrix", CELLS), settle_us=40), DRIVER)
    told = frame(b"\x83\x02\x28\0")
    for _ in range(2):
        reading.feed(hello(7), 0)
        assert reading.answers() == told + frame(b"\x82\x07\0\x01")
    reading.feed(edge(0, 0), 0)
    assert told not in reading.answers()


def test_what_hangs_since_the_start_is_named() -> None:
    reading = Pipeline(wired("oche-matrix", CELLS), DRIVER)
    heard = reading.feed(hello(7) + edge(0, 0x13, 0x13), 0)
    assert kinds(heard) == [Stuck]
    assert reading.stuck


@settings(max_examples=60, deadline=None, derandomize=True)
@given(darts=st.integers(1, 120), killed=st.integers(0, 120), told=st.integers(0, 120), start=st.integers(0, 255))
def test_another_process_goes_on_behind_the_mark(darts: int, killed: int, told: int, start: int) -> None:
    """Of `killed` edges on disk `told` were acknowledged: the board sends the rest again, and more."""
    killed, told = min(killed, darts), min(told, killed, darts)
    cells = [n // 10 % 8 * 16 + n % 10 for n in range(darts)]
    edges = [edge(start + n, cell) for n, cell in enumerate(cells)]
    first = Pipeline(wired("oche-matrix", CELLS), DRIVER)
    heard = first.feed(hello(7, start, start) + b"".join(edges[:killed]), 0)
    marks = [what.mark for what in heard if isinstance(what, Marked)]
    assert len(marks) == killed
    after = OcheMatrix()
    after.resume(marks[-1] if marks else "")
    reports = after.feed(hello(7, (start + told) % 256, (start + darts) % 256), 1)
    reports += after.feed(b"".join(edges[told:]), 1)
    assert [r.row * 16 + r.col for r in reports if isinstance(r, Contact)] == cells[killed:]


def test_a_mark_of_another_board_or_epoch_or_of_nothing_is_passed_over() -> None:
    mark = f"{b'A board!'.hex()}-7-2"
    for resumed, said in (
        (mark, hello(8, 0, 3)),
        (mark, hello(7, 0, 3, name=b"Another!")),
        ("", hello(7, 0, 3)),
        ("7-2", hello(7, 0, 3)),
        (f"{b'A board!'.hex()}-999-999", hello(7, 0, 3)),
        # It waited for an edge that the board has not got any more.
        (mark, hello(7, 3, 6)),
    ):
        decoder = OcheMatrix()
        decoder.resume(resumed)
        first = 3 if said == hello(7, 3, 6) else 0
        reports = decoder.feed(said + b"".join(edge(first + n, n) for n in range(3)), 1)
        assert len(reports) == 3, resumed


def test_times_keep_the_order_of_the_edges_when_a_heartbeat_was_late() -> None:
    """A bed that opens and is hit again: without this the second dart would seem to come before the first has gone."""
    reading = Pipeline(replace(wired("oche-matrix", CELLS), pace=Pace(rebound_ms=0.0)), DRIVER)

    def beat(ticks: int) -> bytes:
        return frame(bytes([2, 7, 0, 0]) + ticks.to_bytes(4, "little") + bytes(9))

    darts = kinds(reading.feed(hello(7), 1000 * MS) + reading.feed(edge(0, 0, 0x10, 100), 1020 * MS))
    # This one was held up for 100 ms, the next is on time.
    darts += kinds(reading.feed(beat(1000), 1164 * MS) + reading.feed(edge(1, 0, 0x11, 1100), 1171 * MS))
    darts += kinds(reading.feed(beat(1120), 1172 * MS) + reading.feed(edge(2, 0, 0x10, 1115), 1173 * MS))
    assert darts == [DartLanded, DartLanded]


def test_what_the_board_has_counted_is_known() -> None:
    reading = Pipeline(wired("oche-matrix", CELLS), DRIVER)
    beat = bytes([2, 7, 0, 0]) + bytes(4) + b"\x01\0\x02\x01\x03\0\x04\0\x05"
    reading.feed(hello(7) + frame(beat), 0)
    assert {name: count for name, count in reading.counters.items() if name.startswith("board_")} == {
        "board_rejected": 1, "board_resent": 258, "board_full": 3, "board_ghosts": 4, "board_resets": 5
    }  # fmt: skip
    # A shorter one is of a simpler board, and what it does not say is not known.
    reading.feed(frame(beat[:10]), 0)
    assert reading.board_counters == {"board_rejected": 1}


@settings(max_examples=200, deadline=None, derandomize=True)
@given(payloads=st.lists(st.binary(min_size=1, max_size=40), max_size=12), kinds_=st.data())
def test_frames_of_any_content_never_raise(payloads: list[bytes], kinds_: st.DataObject) -> None:
    """Whole frames, with right checksums and nonsense in them: what a mad board could say."""
    known = st.sampled_from([0x01, 0x02, 0x10, 0x11, 0x12, 0x13])
    reading = Pipeline(wired("oche-matrix", CELLS), DRIVER)
    reading.opened(0)
    for n, payload in enumerate(payloads):
        first = bytes([kinds_.draw(known)]) + (b"\x01" if n % 2 else b"")
        reading.feed(frame(first + payload), n * MS)
        answer = reading.answers()
        assert len(answer) < 40
    assert reading.pending == 0
    assert all(0 <= count < 1 << 16 for count in reading.board_counters.values())


def test_a_board_that_says_nothing_is_shown_as_silent_until_it_does() -> None:
    reading = Pipeline(wired("oche-matrix", CELLS), DRIVER)
    states: list[tuple[str | None, int | None]] = []

    def look() -> None:
        fault, due = reading.board_fault, reading.due_ns
        states.append((fault and fault[0], due and due // MS))

    look()
    reading.opened(1000 * MS)
    reading.feed(b"noise at another rate \0\0", 2000 * MS)
    look()
    reading.tick(6000 * MS)
    look()
    reading.feed(hello(7), 7000 * MS)
    look()
    reading.tick(10_000 * MS)
    look()
    reading.lost(11_000 * MS)
    look()
    # Two seconds for the start of the board, and three of silence.
    assert states == [(None, None), (None, 6000), ("silent", None), (None, 10_000), ("silent", None), (None, None)]


def test_the_others_need_no_answer() -> None:
    assert isinstance(OcheMatrix(), Answering)
    assert not isinstance(DRIVERS["row-col"].decoder(), Answering)
