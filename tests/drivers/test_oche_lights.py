"""What a board with our firmware is told of its lights: the words, the colours, and the settings of its ring."""

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.board import Ring
from drivers.driver import Moment, Saying
from drivers.frames import frame, payload_of
from drivers.oche_lights import COLOURS, REST, ring_settings
from drivers.oche_matrix import DRIVER
from drivers.pipeline import Pipeline
from engine.segments import BULL, CLOCKWISE, MISS, SEGMENTS
from tests.drivers.boards import wired
from tests.drivers.test_frames import CELLS, hello

TARGETS = st.lists(st.one_of(st.integers(1, 20), st.just("bull"), st.sampled_from(sorted(SEGMENTS))), max_size=30)
MOMENTS = st.builds(
    Moment, st.sampled_from(get_args(Saying)), TARGETS.map(tuple), st.none() | st.sampled_from([*SEGMENTS.values()])
)


def payload(moment: Moment) -> bytes:
    """What the frame of a moment says; empty if there is none."""
    coded = DRIVER.words(moment)
    if not coded:
        return b""
    assert coded.endswith(b"\0") and coded.count(0) == 1
    said = payload_of(coded[:-1])
    assert isinstance(said, bytes)
    return said


def colours(said: bytes) -> dict[int, int]:
    """The colour of each number that has one; 25 is the bull."""
    each = [some >> shift & 15 for some in said[3:] for shift in (0, 4)]
    return {number: colour for number, colour in zip([*CLOCKWISE, BULL], each, strict=False) if colour}


@given(MOMENTS)
def test_a_frame_fits_into_the_buffer_of_every_firmware(moment: Moment) -> None:
    said = payload(moment)
    assert len(DRIVER.words(moment)) <= 24
    assert said == b"" if moment.landed is MISS else said[0] == 0x84 and said[2] < 7
    assert len(said) in (0, 3, 3 + REST // 2 + 1)


def test_each_target_has_the_colour_of_what_counts() -> None:
    said = payload(Moment("throwing", (20, "D16", "T19", "SO5", "D7", "T7", "DB")))
    wanted = {20: "any", 16: "D", 19: "T", 5: "S", 7: "any", BULL: "D"}
    assert colours(said) == {number: COLOURS[some] for number, some in wanted.items()}  # type: ignore[index]


@pytest.mark.parametrize(
    ("bed", "number", "part"), [("S20", 20, "S"), ("DB", BULL, "D"), ("SB", BULL, "S"), ("T3", 3, "T")]
)
def test_a_dart_is_shown_where_it_landed(bed: str, number: int, part: str) -> None:
    said = payload(Moment("throwing", (1, 2), SEGMENTS[bed]))
    assert said[2] == 2
    assert colours(said) == {number: COLOURS[part]}  # type: ignore[index]


def test_firmware_without_words_has_its_lamp_as_before() -> None:
    lamp = {saying: payload(Moment(saying))[1] for saying in get_args(Saying)}
    assert lamp == {"throwing": 0, "idle": 0, "takeout": 1, "next": 1, "won": 0, "bust": 0}


def test_a_ring_is_told_after_each_hello_of_firmware_that_knows_it() -> None:
    ring = Ring(60, 7, clockwise=False, lamp=True)
    told = frame(b"\x83\x05\x07\0") + frame(b"\x83\x04\x3c\x03")
    assert ring_settings(ring) == told
    reading = Pipeline(replace(wired("oche-matrix", CELLS), ring=ring), DRIVER)
    for version, known in ((1, b""), (2, told), (1, b"")):
        said = payload_of(hello(7)[:-1])
        assert isinstance(said, bytes)
        reading.feed(frame(said[:6] + bytes([1, version]) + said[8:]), 0)
        assert reading.answers() == known + frame(b"\x82\x07\0\x01")
