"""Frames, and the driver of our own firmware: every edge once, in order, whatever the line does between."""

from binascii import crc_hqx

from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import DRIVERS
from drivers.contract import Answering, Contact
from drivers.debounce import MS
from drivers.frames import Frames, frame, payload_of
from drivers.oche_matrix import DRIVER, OcheMatrix
from drivers.reading import Dart, Reading, Stuck
from tests.drivers.boards import wired

CELLS = [(n // 10, n % 10) for n in range(62)]
PAYLOADS = st.binary(min_size=1, max_size=60)


def hello(epoch: int, first: int = 0, following: int = 0, ticks: int = 0, name: bytes = b"A board!") -> bytes:
    place = bytes([epoch, first, following]) + ticks.to_bytes(4, "little")
    return frame(bytes([1, 1, 1, 8, 10, 0, 1, 0, 64]) + place + name)


def edge(sequence: int, contact: int, kind: int = 0x10, ticks: int = 0) -> bytes:
    return frame(bytes([kind, sequence % 256, contact]) + ticks.to_bytes(3, "little"))


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
    reading = Reading(wired("oche-matrix", CELLS), DRIVER)
    assert reading.answers() == b""
    reading.feed(hello(7), 0)
    assert reading.answers() == frame(b"\x82\x07\0\x01")
    assert [type(heard) for heard in reading.feed(edge(0, 0), 0)] == [Dart]
    assert reading.answers() == frame(b"\x82\x07\x01\0")
    assert reading.answers() == b""


def test_a_dart_in_the_bed_that_was_held_when_the_line_went() -> None:
    """The board says that the first has gone and the second come, all at once and with its own times."""
    reading = Reading(wired("oche-matrix", CELLS), DRIVER)
    reading.opened(0)
    reading.feed(hello(7), 0)
    assert len(reading.feed(edge(0, 0), 10 * MS)) == 1
    reading.lost(20 * MS)
    reading.opened(5000 * MS)
    heard = reading.feed(hello(7, 1, 3, 78125) + edge(1, 0, 0x11, 30000) + edge(2, 0, 0x10, 40000), 5001 * MS)
    assert [type(h) for h in heard] == [Dart]


def test_what_hangs_since_the_start_is_named() -> None:
    reading = Reading(wired("oche-matrix", CELLS), DRIVER)
    heard = reading.feed(hello(7) + edge(0, 0x13, 0x13), 0)
    assert [type(h) for h in heard] == [Stuck]
    assert reading.stuck


def test_the_others_need_no_answer() -> None:
    assert isinstance(OcheMatrix(), Answering)
    assert not isinstance(DRIVERS["row-col"].decoder(), Answering)
