"""A board's darts tell which of its contacts fail: seeded faults in the virtual board are found, and a sound one is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.simulated import Faults, VirtualBoard
from drivers.virtual import cell_of
from engine.darts import Position
from engine.geometry import centre_of
from engine.segments import CLOCKWISE, SEGMENTS, Segment
from tests.twin.faulty_boards import LINES, Evening, FaultyBoard, evening, found_on
from twin.aims import thrown
from twin.board_health import HEALTHY, expected, faults
from twin.fit import fit

T20 = SEGMENTS["T20"]
CELL = cell_of(T20)


ONE = (22.0,)
"""The spread of the only player: a second one would double the time."""


@pytest.fixture(scope="module")
def well() -> Evening:
    return evening(3, 400, Faults(), ONE)


def test_a_sound_board_has_no_fault(well: Evening) -> None:
    assert found_on(well) == []


def test_a_bed_counts_twice_from_three_darts_and_two_percent_on() -> None:
    found = faults({}, {T20: 150}, {T20: 3}, {})
    assert [(fault.kind, fault.name, fault.seen, fault.expected) for fault in found] == [("doubled", "T20", 3, 150)]
    assert faults({}, {T20: 151}, {T20: 3}, {}) == []
    assert faults({}, {T20: 2}, {T20: 2}, {}) == []


def test_a_bed_is_named_when_chance_is_no_explanation() -> None:
    # 0.6 x 15 darts are likely of the worst bed that is not named: none with a chance of 1 in 8,100.
    assert faults({T20: 15.0}, {}, {}, {}) == []
    assert [fault.name for fault in faults({T20: 16.0}, {}, {}, {})] == ["T20"]
    assert faults({T20: 16.0}, {T20: 1}, {}, {}) == []
    assert faults({T20: 2000.0}, {T20: 1195}, {}, {}) == []
    assert [fault.name for fault in faults({T20: 2000.0}, {T20: 1000}, {}, {})] == ["T20"]


def test_a_dead_row_is_one_fault() -> None:
    found = found_on(evening(3, 500, Faults({(11, col): 0.0 for col in range(4)}), ONE))
    assert [(fault.kind, fault.name) for fault in found] == [("line", "row 11")]
    assert set(found[0].beds) <= {"SI19", "T19", "SO19", "D19"}


def test_what_is_expected_adds_up_to_what_was_thrown(well: Evening) -> None:
    rows = thrown(well.matches["Ann"], "Ann", 1000)
    fitted = fit(rows)
    assert fitted is not None
    likely = expected(rows, fitted)
    # Singles are inner and outer, and either.
    whole = sum(count for bed, count in likely.items() if bed.text not in {f"S{n}" for n in CLOCKWISE})
    assert whole == pytest.approx(sum(row.count for row in rows))


def test_a_faulty_virtual_board_says_what_its_faults_say() -> None:
    at = centre_of(T20)
    assert FaultyBoard(1, Faults({CELL: 0.0})).throw(Position(at.x, at.y), 0.1) == []
    twice = FaultyBoard(1, Faults(doubled={CELL: 1.0})).throw(Position(at.x, at.y), 0.1)
    assert [bed for bed, _ in twice] == [T20, T20]
    sound, other = VirtualBoard(7), VirtualBoard(7, faults=Faults({(1, 0): 0.0}))
    assert sound.throw(at, 0.1) == other.throw(at, 0.1)


beds = st.sampled_from([SEGMENTS[name] for name in ("T20", "SI20", "SO19", "D20", "T1", "SO1", "DB")])


@settings(max_examples=100)
@given(
    st.dictionaries(beds, st.floats(0, 500)),
    st.dictionaries(beds, st.integers(0, 500)),
    st.dictionaries(beds, st.integers(0, 9)),
)
def test_any_figures_are_judged(
    likely: dict[Segment, float], seen: dict[Segment, int], doubled: dict[Segment, int]
) -> None:
    found = faults(likely, seen, doubled, LINES)
    named = [bed for fault in found if fault.kind != "doubled" for bed in fault.beds]
    assert len(named) == len(set(named))
    for fault in found:
        if fault.kind == "bed":
            assert fault.seen < HEALTHY * likely[SEGMENTS[fault.name]]
    # A bed that answers to everything is never named.
    assert not [f for f in faults(likely, {b: round(n) + 1 for b, n in likely.items()}, {}, LINES) if f.kind == "bed"]
