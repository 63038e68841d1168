"""How notifications become reports: split, glued, doubled, greeted; sequence numbers, sums, buttons that are let go."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import DRIVERS
from drivers.driver import Contact, Moment, NamedDart, Report, Signal
from drivers.granboard_lights import EFFECTS
from drivers.messages import framed, unframed
from engine.segments import MISS, SEGMENTS
from tests.drivers.bluetooth_boards import ENCODERS, granboard, notified, sdb_packet
from tests.drivers.boards import RIGS
from tests.drivers.session import Session

MS = 1_000_000
CELLS = sorted(RIGS["granboard"].beds)
GRAN = [granboard(cell)[1:] for cell in CELLS] + [b"BTN@", b"OUT@"]
PRESSED, HELD, LET_GO = b"\x00\x00\xff", b"\x00\x00\xcc", b"\x00\x00\xee"


def reports(name: str, messages: Sequence[bytes]) -> list[Report]:
    """What a new decoder makes of notifications."""
    decoder = DRIVERS[name].decoder()
    return [report for message in messages for report in decoder.feed(notified(message), 5)]


def in_pieces(text: bytes, cuts: list[int]) -> list[bytes]:
    """A text as notifications that end anywhere."""
    edges = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return [text[a:b] for a, b in pairwise(edges)]


@settings(deadline=None, derandomize=True)
@given(
    said=st.lists(st.sampled_from(GRAN), min_size=1, max_size=12),
    greeting=st.sampled_from([b"", b"GB7;101", b"GB8;102"]),
    cuts=st.lists(st.integers(0, 200), max_size=12),
)
def test_a_granboard_may_cut_and_glue_its_reports(said: list[bytes], greeting: bytes, cuts: list[int]) -> None:
    expected = [report for one in said for report in reports("granboard", [one])]
    assert len(expected) == len(said)
    assert reports("granboard", in_pieces(greeting + b"".join(said), cuts)) == expected


def test_a_connection_that_ends_after_the_greeting_cuts_nothing_off() -> None:
    decoder = DRIVERS["granboard"].decoder()
    assert decoder.feed(notified(b"GB8;102"), 1) == ()
    decoder.reset()
    assert not decoder.rejects
    decoder.feed(notified(b"3."), 1)
    decoder.reset()
    assert dict(decoder.rejects) == {"partial": 1}
    # What was begun before does not spoil what comes after.
    assert decoder.feed(notified(b"GB8;1023.4@"), 2) == (Contact(4, 3, True, 2),)


@pytest.mark.parametrize("name", sorted(ENCODERS))
def test_the_same_bed_again_within_50_ms_is_a_doubt_and_no_dart(name: str) -> None:
    rig = RIGS[name]
    cell = min(rig.beds)
    session = Session(rig.pipeline()).at(0, rig.encode(cell)).at(49, rig.encode(cell)).at(3000, rig.encode(cell))
    bed = rig.beds[cell].text
    assert session.events == [bed, f"?{bed}", bed]


def test_a_unicorn_says_a_dart_again_a_few_hundred_ms_later() -> None:
    session = Session(RIGS["unicorn"].pipeline())
    session.at(0, notified(b"\x01\x03")).at(400, notified(b"\x01\x03")).at(2000, notified(b"\x01\x03"))
    assert session.events == ["T8", "?T8", "T8"]


def test_a_dart_in_the_bull_that_an_sdb_bt_reports_twice_is_one() -> None:
    """As in the log of its source: two sequence numbers, 125 ms apart."""
    first, second = (notified(bytes.fromhex(f"{n}00000005000d000f1c")) for n in ("21", "22"))
    session = (
        Session(RIGS["sdb-bt"].pipeline()).at(0, first).at(125, second).at(2000, sdb_packet(b"\x0d\x00\x0f", 0x23))
    )
    assert session.events == ["DB", "?DB", "DB"]


def test_the_same_sequence_number_is_the_same_report() -> None:
    decoder = DRIVERS["sdb-bt"].decoder()
    packet = sdb_packet(b"\x0d\x00\x02", 7)
    assert decoder.feed(packet, 1) == (Contact(0x0D, 20, True, 1),)
    assert decoder.feed(packet, 2) == ()
    assert dict(decoder.rejects) == {"ghost": 1}
    assert decoder.feed(sdb_packet(b"\x0d\x00\x02", 8), 3) == (Contact(0x0D, 20, True, 3),)
    decoder.reset()
    # A board that starts again may count from anywhere.
    assert decoder.feed(sdb_packet(b"\x0d\x00\x02", 8), 4) == (Contact(0x0D, 20, True, 4),)


@pytest.mark.parametrize("at", range(6, 10))
def test_a_flipped_bit_is_a_wrong_sum(at: int) -> None:
    packet = bytearray(sdb_packet(b"\x0a\x05\x01", 9))
    packet[1 + at] ^= 4
    decoder = DRIVERS["sdb-bt"].decoder()
    assert decoder.feed(bytes(packet), 1) == ()
    assert dict(decoder.rejects) == {"checksum": 1}


@settings(deadline=None, derandomize=True)
@given(st.lists(st.sampled_from([PRESSED, HELD, LET_GO, b"\x0b\x00\x02"]), max_size=20))
def test_let_go_is_a_miss_only_while_no_button_is_held(codes: list[bytes]) -> None:
    expected: list[Report] = []
    held = False
    for code in codes:
        if code == PRESSED:
            expected.append(Signal("button", 5, "next"))
        elif code == LET_GO and not held:
            expected.append(NamedDart(MISS, 5))
        elif code == b"\x0b\x00\x02":
            expected.append(Contact(0x0B, 20, True, 5))
        held = code in (PRESSED, HELD) or (held and code != LET_GO)
    assert reports("sdb-bt", [sdb_packet(code)[1:] for code in codes]) == expected


@pytest.mark.parametrize(
    ("name", "message", "reason"),
    [
        ("granboard", b"3.4.5@", "garbage"),
        ("granboard", b"12.0@", "range"),
        ("granboard", b"0.7@", "range"),
        ("dartslive-home", b"\xa1\x03\x01\x00", "garbage"),
        ("dartslive-home", b"\xa1\x03\x79\x00\x00", "range"),
        ("smartness", b"\x00", "range"),
        ("smartness", b"\x01\x02", "garbage"),
        ("unicorn", b"\x01", "garbage"),
        ("unicorn", b"\x01\x04", "range"),
        ("sdb-bt", b"\x0d\x00\x02", "garbage"),
        ("sdb-bt", sdb_packet(b"\x0e\x00\x02")[1:], "range"),
        ("sdb-bt", sdb_packet(b"\x0d\x0b\x02")[1:], "range"),
    ],
)
def test_what_is_no_report_is_counted(name: str, message: bytes, reason: str) -> None:
    decoder = DRIVERS[name].decoder()
    assert decoder.feed(notified(message), 1) == ()
    assert dict(decoder.rejects) == {reason: 1}


@given(st.binary(max_size=1000))
def test_a_long_message_is_passed_on_as_several(message: bytes) -> None:
    parts = unframed(framed(message))
    assert b"".join(parts) == message
    assert all(0 < len(part) <= 255 for part in parts)


# ---- the lights of a GranBoard


def told(moment: Moment) -> tuple[bytes, ...]:
    return unframed(DRIVERS["granboard"].words(moment))


def test_targets_are_lit_in_the_colour_of_what_counts() -> None:
    (ring,) = told(Moment("throwing", (20, "D16", "T19", "SO1", "D5", "T5", "bull", "DB")))
    lit = {number: colour for number, colour in enumerate(ring, 1) if colour}
    assert lit == {20: 0x04, 16: 0x01, 19: 0x06, 1: 0x07, 5: 0x04}
    assert told(Moment("idle", (20,))) == (bytes(20),)


@pytest.mark.parametrize(("bed", "op", "place"), [("SI1", 1, 0x1C), ("D13", 2, 0x25), ("T20", 3, 0x19)])
def test_a_dart_flashes_its_number(bed: str, op: int, place: int) -> None:
    (frame,) = told(Moment("throwing", (20,), SEGMENTS[bed]))
    assert (frame[0], frame[10], frame[11], frame[15]) == (op, place, 0, 1)


def test_the_rainbow_of_a_won_match_has_its_two_odd_bytes() -> None:
    (frame,) = told(Moment("won"))
    assert frame == bytes([0x0F, *[0] * 10, 3, 0, 3, 0, 1])
    (sweep,) = told(Moment("takeout"))
    assert (sweep[0], sweep[10]) == (0x11, 0x10)


@given(
    saying=st.sampled_from(["throwing", "takeout", "next", "won", "bust", "idle"]),
    targets=st.lists(st.integers(1, 20) | st.sampled_from(["bull", *SEGMENTS]), max_size=30),
    landed=st.none() | st.sampled_from(list(SEGMENTS.values())),
)
def test_no_frame_can_change_a_setting(saying: str, targets: list[int | str], landed: object) -> None:
    """Those have 12 bytes. The effects are those that were seen to work on a 132."""
    allowed = {1, 2, 3, 0x17, *(frame[0] for frame in EFFECTS.values())}
    for frame in told(Moment(saying, tuple(targets), landed)):  # type: ignore[arg-type]
        assert (len(frame) == 20 and max(frame) <= 7) or (len(frame) == 16 and frame[0] in allowed)
