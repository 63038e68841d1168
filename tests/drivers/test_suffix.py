"""Dialect `suffix` with a capital X, as boards with a Pico send it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import DRIVERS
from drivers.driver import NamedDart, Report, Signal
from engine.segments import INNER_BULL, OUTER_BULL, PLAYABLE, Segment

BEDS = [bed for bed in PLAYABLE if bed.text[:2] not in ("SI", "SO")]
BUTTON = Signal("button", 7, "next")


def small(bed: Segment) -> bytes:
    if bed.is_bull:
        return {OUTER_BULL: b"Bullseye", INNER_BULL: b"Bullseyex2"}[bed]
    return b"%d%s" % (bed.number, (b"", b"x2", b"x3")[bed.multiplier - 1])


def capital(bed: Segment) -> bytes:
    return b"%dX%d" % (bed.number, bed.multiplier)


SPELLED = [(form(bed), NamedDart(bed, 7)) for bed in BEDS for form in (small, capital)] + [(b"F0", BUTTON)]


@settings(derandomize=True, deadline=None)
@given(
    said=st.lists(st.tuples(st.sampled_from(SPELLED), st.sampled_from([b"\n", b"\r\n"])), max_size=30),
    size=st.integers(1, 20),
)
def test_both_spellings_are_the_same_beds_however_they_are_split(
    said: list[tuple[tuple[bytes, Report], bytes]], size: int
) -> None:
    data = b"".join(line + end for (line, _), end in said)
    decoder = DRIVERS["suffix"].decoder()
    found = [report for at in range(0, len(data), size) for report in decoder.feed(data[at : at + size], 7)]
    assert found == [report for (_, report), _ in said]
    assert not decoder.rejects and not decoder.pending


def test_the_beds_of_a_capital_x_are_all_62_but_inner_and_outer_singles() -> None:
    assert len(BEDS) == 62


@settings(derandomize=True, deadline=None)
@given(number=st.integers(0, 99), multiplier=st.integers(0, 9))
def test_a_number_that_no_board_has_makes_no_dart(number: int, multiplier: int) -> None:
    decoder = DRIVERS["suffix"].decoder()
    found = decoder.feed(b"%dX%d\n" % (number, multiplier), 7)
    is_bed = (1 <= number <= 20 and 1 <= multiplier <= 3) or (number == 25 and 1 <= multiplier <= 2)
    assert len(found) == is_bed
    assert sum(decoder.rejects.values()) == (not is_bed)
