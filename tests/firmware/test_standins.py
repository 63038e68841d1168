"""The stand-ins speak their dialects as the drivers know them, and are as blind as the boards in the field."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from drivers.events import Awake, DoubtfulDart, Stuck
from tests.firmware.any_board import MS
from tests.firmware.avr_parts import needs_emulator
from tests.firmware.standin import STANDINS, Heard328, Standin

pytestmark = [needs_emulator, pytest.mark.parametrize("standin", STANDINS, ids=[s.dialect for s in STANDINS])]
Put = Callable[[Standin], Heard328]


@pytest.fixture
def put(images: Path) -> Iterator[Put]:
    """A stand-in that has started, and a host that listens."""
    made: list[Heard328] = []

    def one(standin: Standin) -> Heard328:
        made.append(Heard328(standin, images))
        made[-1].run_ms(2600)
        return made[-1]

    yield one
    for rig in made:
        rig.board.end()


def press(rig: Heard328, cell: tuple[int, int], after_ms: float = 1, hold_ms: float = 10) -> None:
    rig.board.dart(rig.board.now + round(after_ms * MS), cell, round(hold_ms * MS))


def test_every_bed(standin: Standin, put: Put) -> None:
    rig = put(standin)
    for n in range(62):
        press(rig, divmod(n, 10))
        rig.run_ms(standin.blind_ms + 200)
    assert rig.darts == [str(standin.bed(n)) for n in range(62)]
    assert not rig.reading.counters.get("garbage")
    assert rig.board.shorts == 0


def test_a_crossing_without_a_bed_is_no_dart(standin: Standin, put: Put) -> None:
    rig = put(standin)
    press(rig, (7, 9))
    rig.run_ms(1000)
    assert rig.darts == [] and rig.reading.counters["unmapped"] == 1


def test_a_dart_that_hangs_is_one_dart(standin: Standin, put: Put) -> None:
    rig = put(standin)
    press(rig, (2, 3), hold_ms=5000)
    rig.run_ms(6000)
    assert rig.darts == [str(standin.bed(23))]
    repeats = {"row-col": 9, "packed-nibble": 6}.get(standin.dialect, 0)
    assert rig.reading.counters.get("repeats", 0) == repeats
    assert any(isinstance(what, Stuck) for what in rig.heard) is (repeats > 0)


def test_it_is_blind_for_as_long_as_its_dialect(standin: Standin, put: Put) -> None:
    """A second dart in another row and column: not seen while the first keeps the board busy, seen just after.

    The beds of the second pair are others, which do not touch: so soon again they would be a doubt to some.
    """
    rig = put(standin)
    blind = max(standin.blind_ms, 20)
    press(rig, (1, 1))
    press(rig, (3, 4), after_ms=blind - 15 if standin.blind_ms else 4, hold_ms=5)
    rig.run_ms(blind + 600)
    assert rig.darts == [str(standin.bed(11))]
    press(rig, (2, 2))
    press(rig, (3, 4), after_ms=blind + 15)
    rig.run_ms(2 * blind + 600)
    assert rig.darts == [str(standin.bed(n)) for n in (11, 22, 34)]


def test_what_is_its_own(standin: Standin, put: Put) -> None:
    match standin.dialect:
        case "sector-multiplier":
            # Deaf until it opens, however long that takes.
            rig = put(standin)
            press(rig, (0, 0), hold_ms=900)
            press(rig, (5, 5), after_ms=500)
            rig.run_ms(1500)
            assert rig.darts == [str(standin.bed(0))]
        case "row-col":
            rig = put(standin)
            assert any(isinstance(what, Awake) for what in rig.heard)
        case "packed-nibble":
            # A second dart just then is a repeat to whoever listens, and shown as doubtful.
            rig = put(standin)
            press(rig, (0, 0))
            press(rig, (0, 0), after_ms=740, hold_ms=20)
            rig.run_ms(1000)
            assert len(rig.darts) == 1 and any(isinstance(what, DoubtfulDart) for what in rig.heard)
        case "single-char":
            # Silent until it opens; and what touches again 80 ms later says so, which is not believed.
            rig = put(standin)
            press(rig, (0, 0), hold_ms=300)
            press(rig, (0, 0), after_ms=381, hold_ms=5)
            rig.run_ms(290)
            assert rig.board.sent == []
            rig.run_ms(400)
            assert bytes(byte for byte, _ in rig.board.sent) == b"!!"
            assert rig.darts == [str(standin.bed(0))]
