"""What every decoder owes, and what it must survive: one suite for all dialects."""

import random
from collections.abc import Iterable
from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import DRIVERS
from drivers.driver import Decoder, Driver, Moment, Reject, Report, Saying
from tests.drivers.boards import RIGS, Rig
from tests.drivers.contacts import Contacts, session

LONGEST = 256
"""Bytes that a decoder may keep at most."""

NAMES = sorted(DRIVERS)
UNFRAMED = [name for name in sorted(RIGS) if not RIGS[name].framed]
LINES = [name for name in UNFRAMED if len(RIGS[name].encode(min(RIGS[name].beds))) > 1]
GARBAGE = [b"\x00\xff\xfe", b"\xf8\x00\x80\x80", b"\r\n", b"#?!\n", b"\xc3\x28", b"\x1b[2J\n", b"\xff" * 40]

ALPHABET = b'0123456789;:,xXF.ioSDTBullseyeKNOPFmub+-{}"segment zodawriunhxtpl\r\n\x00\x70\xff '
"""What real lines are made of, so that a random stream gets far into every grammar."""


def wire(rig: Rig, seed: int, count: int = 12) -> bytes:
    """What a few darts put on the wire."""
    rng = random.Random(seed)
    darts = session(rng, sorted(rig.beds), count)
    return b"".join(sent.data for sent in rig.firmware(Contacts(darts), rng))


def fed(decoder: Decoder, pieces: Iterable[bytes]) -> list[Report]:
    reports: list[Report] = []
    for piece in pieces:
        reports += decoder.feed(piece, 7)
        assert decoder.pending <= LONGEST
    return reports


def cut(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted({c % (len(data) + 1) for c in cuts}), len(data)]
    return [data[a:b] for a, b in pairwise(edges)]


STREAMS = st.binary(max_size=300) | st.lists(st.sampled_from(list(ALPHABET)), max_size=300).map(bytes)


def test_every_dialect_has_a_rig() -> None:
    """With a rig, a dialect gets the suite of this file and the evenings of `test_evenings.py`."""
    assert {rig.board.dialect for rig in RIGS.values()} == set(DRIVERS)


@pytest.mark.parametrize("name", NAMES)
def test_the_record_is_whole(name: str) -> None:
    driver: Driver = DRIVERS[name]
    assert driver.name == name
    assert driver.summary and driver.timing.jitter_ms > 0
    assert (driver.rows == 0) == (driver.cols == 0)
    assert driver.baud >= 0
    assert driver.can.release or driver.timing.repeat_ms or driver.timing.rebound_ms or driver.timing.deaf_ms
    told = [driver.words(Moment(saying)) for saying in get_args(Saying)]
    assert not driver.says or any(told)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=STREAMS, cuts=st.lists(st.integers(0, 400), max_size=8))
def test_split_is_whole_and_nothing_raises(name: str, data: bytes, cuts: list[int]) -> None:
    whole, single, split = (DRIVERS[name].decoder() for _ in range(3))
    expected = fed(whole, [data])
    assert fed(single, (data[i : i + 1] for i in range(len(data)))) == expected
    assert fed(split, cut(data, cuts)) == expected
    assert dict(whole.rejects) == dict(single.rejects) == dict(split.rejects)
    assert set(whole.rejects) <= set(get_args(Reject))
    assert whole.pending == single.pending == split.pending


@pytest.mark.parametrize("name", sorted(RIGS))
@settings(max_examples=20, deadline=None, derandomize=True)
@given(seed=st.integers(0, 1000), cuts=st.lists(st.integers(0, 400), max_size=8))
def test_real_streams_split_anywhere(name: str, seed: int, cuts: list[int]) -> None:
    rig = RIGS[name]
    data = wire(rig, seed)
    expected = fed(rig.driver.decoder(), [data])
    assert len(expected) >= 1
    assert fed(rig.driver.decoder(), (data[i : i + 1] for i in range(len(data)))) == expected
    assert fed(rig.driver.decoder(), cut(data, cuts)) == expected


@pytest.mark.parametrize("name", UNFRAMED)
@pytest.mark.parametrize("noise", GARBAGE)
def test_garbage_before_and_between_takes_nothing_away(name: str, noise: bytes) -> None:
    """Dialects of raw bytes cannot tell garbage from darts: there the board's table says what is one."""
    rig = RIGS[name]
    cells = sorted(rig.beds)[:20]
    lines = [rig.encode(cell) for cell in cells]
    clean = fed(rig.driver.decoder(), lines)
    assert len(clean) == len(lines)
    decoder = rig.driver.decoder()
    noisy = fed(decoder, [piece for line in lines for piece in (noise, line)])
    if len(lines[0]) == 1:
        assert set(clean) <= set(noisy)
    elif name == "any-line":
        # Printable noise is a line of this dialect, or begins one; what cannot be printed is dropped.
        begins = noise.rstrip(b"\n") != noise or not any(32 <= byte < 127 for byte in noise)
        assert not begins or set(clean) <= set(noisy)
    else:
        assert noisy == clean


@pytest.mark.parametrize("name", NAMES)
def test_a_flood_without_a_line_end_is_kept_small(name: str) -> None:
    for byte in b"1{x\x00":
        decoder = DRIVERS[name].decoder()
        for _ in range(100):
            decoder.feed(bytes([byte]) * 1000, 1)
            assert decoder.pending <= LONGEST
        assert len(decoder.rejects) <= len(get_args(Reject))


@pytest.mark.parametrize("name", LINES)
def test_the_rest_of_an_overflow_is_not_taken_for_a_line(name: str) -> None:
    rig = RIGS[name]
    good = rig.encode(min(rig.beds))
    decoder = rig.driver.decoder()
    decoder.feed(b"9" * 1000 if name != "json-segment" else b'{"a' + b"9" * 1000, 1)
    if name != "json-segment":
        assert decoder.feed(good, 2) == ()
        assert decoder.rejects["overflow"] == 1
    assert len(decoder.feed(good, 3)) == 1


@pytest.mark.parametrize("name", LINES)
def test_a_port_that_vanishes_inside_a_line(name: str) -> None:
    rig = RIGS[name]
    first, second = (rig.encode(cell) for cell in sorted(rig.beds)[:2])
    for length in range(1, len(first.rstrip())):
        decoder = rig.driver.decoder()
        assert decoder.feed(first[:length], 1) == ()
        decoder.reset()
        assert decoder.rejects["partial"] == 1 and decoder.pending == 0
        assert decoder.feed(second, 2) == rig.driver.decoder().feed(second, 2)


@pytest.mark.parametrize("name", sorted(RIGS))
@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=st.integers(0, 1000), lost=st.sets(st.integers(0, 300), max_size=10))
def test_lost_bytes_cost_their_own_lines_alone(name: str, seed: int, lost: set[int]) -> None:
    rig = RIGS[name]
    lines = wire(rig, seed).splitlines(keepends=True) if not rig.board.contacts else []
    torn = {n % len(lines) for n in lost} if lines else set()
    decoder, whole = rig.driver.decoder(), rig.driver.decoder()
    for n, line in enumerate(lines):
        whole_reports = whole.feed(line, n)
        # The first byte goes missing: what is left may be another line, but the ones after it are as ever.
        reports = decoder.feed(line[1:] if n in torn else line, n)
        if n not in torn:
            assert reports == whole_reports
