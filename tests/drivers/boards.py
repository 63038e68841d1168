"""The boards of the tests: for each dialect its model, the contacts of its matrix, and what each puts on the wire.

The encodings are written from the grammars, not from the decoders.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from boards.board import Board, Pace
from boards.board_files import board_from_toml
from drivers import DRIVERS, shapes
from drivers.driver import Driver
from drivers.pipeline import Pipeline
from engine.segments import CLOCKWISE, PLAYABLE, SEGMENTS, Segment
from tests.drivers import bluetooth_boards, firmware, reports
from tests.drivers.contacts import Cell, Contacts
from tests.drivers.firmware import Sent

MODELS = Path(__file__).parents[2] / "boards" / "models"

RINGS = {"S": 0, "D": 1, "T": 2}


def beds_apart(*rings: str) -> list[str]:
    """All beds of these rings, and both bulls, in an order in which none touches one of the eight before it.

    The first ring may touch the bull, and the others do not.
    """
    numbers = [CLOCKWISE[9 * n % 20] for n in range(20)]
    beds = [f"{ring}{number}" for ring in rings for number in numbers]
    return [*beds[:30], "DB", *beds[30:50], "SB", *beds[50:]]


def model(name: str) -> Board:
    """A board model that ships."""
    board = board_from_toml((MODELS / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml", shapes())
    assert isinstance(board, Board), board
    return board


def wired(dialect: str, cells: list[Cell]) -> Board:
    """A board whose table was learnt: the 62 beds on these contacts, in order."""
    contacts = dict(zip(cells, PLAYABLE, strict=True))
    return Board(name="learnt", title="", dialect=dialect, can=DRIVERS[dialect].can, contacts=contacts)


@dataclass(frozen=True)
class Rig:
    """A board with its firmware."""

    name: str
    board: Board
    beds: dict[Cell, Segment]
    encode: Callable[[Cell], bytes]
    firmware: Callable[[Contacts, random.Random], Iterator[Sent]]
    period: float
    """From a report of a held contact to the next, ms; 0: never."""
    tells_repeats: bool = True
    """A second report of the same closure can be told from a dart. Where not, the wire is to blame."""
    hides: bool = False
    """A closed contact keeps others from being reported."""
    framed: bool = False
    """A report is only understood after those before it, so that it cannot be torn out of the stream."""

    @property
    def driver(self) -> Driver:
        return DRIVERS[self.board.dialect]

    def pipeline(self) -> Pipeline:
        return Pipeline(self.board, self.driver)


def _named() -> dict[Cell, Segment]:
    """Contacts of a dialect that names its beds: the number and the ring."""
    return {
        (bed.number, RINGS.get(bed.text[0], bed.multiplier - 1) if not bed.is_bull else bed.multiplier - 1): bed
        for bed in PLAYABLE
    }


NAMED = _named()
COLUMNS = [(sense, drive) for drive in range(11) for sense in range(8)][:62]
RAW_BYTES = [(byte, 0) for byte in range(62)]
RAW_LINES = [(int.from_bytes(b"R%dC%d" % (n // 7, n % 7), "big"), 0) for n in range(62)]
CHARACTERS = [(ord(c), 0) for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456%*?"][:62]


def _rig(
    name: str,
    board: Board,
    encode: Callable[[Cell], bytes],
    firmware: Callable[[Contacts, random.Random], Iterator[Sent]],
    period: float,
    tells_repeats: bool = True,
    hides: bool = False,
    framed: bool = False,
) -> Rig:
    beds = {cell: bed for cell, bed in board.contacts.items() if isinstance(bed, Segment)} or NAMED
    return Rig(name, board, beds, encode, firmware, period, tells_repeats, hides, framed)


def _learnt(dialect: str, cells: list[Cell]) -> Board:
    """A board that `oche learn` was shown: it repeats after 400 ms, which is in its file."""
    return replace(wired(dialect, cells), pace=Pace(repeat_ms=400.0, rebound_ms=0.0))


def _waiting(
    encode: Callable[[Cell], bytes], wait: float, one_a_column: bool = False
) -> Callable[[Contacts, random.Random], Iterator[Sent]]:
    return lambda contacts, rng: firmware.waits_after_each_line(contacts, encode, wait, one_a_column=one_a_column)


RIGS = {
    rig.name: rig
    for rig in (
        _rig("hundreds", model("loewen-darts"), reports.hundreds, _waiting(reports.hundreds, 300.0), 301.0),
        _rig(
            "hundreds-3",
            model("online-dart"),
            reports.hundreds,
            lambda contacts, rng: firmware.says_each_edge(contacts, reports.hundreds),
            0.0,
            tells_repeats=False,
        ),
        _rig("hundreds-2", model("loewen-dascr"), reports.hundreds, _waiting(reports.hundreds, 300.0), 301.0),
        _rig("number-ring", model("number-ring"), reports.ring, _waiting(reports.ring, 500.0), 501.0),
        _rig("score-only", model("score-only"), reports.points, _waiting(reports.points, 500.0), 501.0, hides=True),
        _rig("json-segment", model("json-segment"), reports.json_line, _waiting(reports.json_line, 500.0), 501.0),
        _rig("raspuino", model("raspuino"), reports.nibble, _waiting(reports.nibble, 750.0), 751.0),
        _rig(
            "row-col", wired("row-col", COLUMNS), reports.pair, _waiting(reports.pair, 500.0, True), 501.0, hides=True
        ),
        _rig("keyboard", wired("keyboard", CHARACTERS), reports.char, _waiting(reports.char, 500.0), 501.0),
        _rig(
            "ordinal",
            model("loewen-pikado"),
            reports.numbered_byte,
            lambda contacts, rng: firmware.counts_and_waits(contacts, reports.numbered_byte),
            206.0,
            hides=True,
        ),
        _rig(
            "pidart",
            model("pidart"),
            reports.nibble,
            lambda contacts, rng: firmware.says_stuck(contacts, reports.nibble),
            0.0,
        ),
        _rig(
            "sector-multiplier",
            model("maddarts"),
            reports.sector,
            lambda contacts, rng: firmware.waits_for_release(contacts, reports.sector, 200.0),
            0.0,
            tells_repeats=False,
            hides=True,
        ),
        _rig(
            "suffix",
            model("suffix"),
            reports.suffix,
            lambda contacts, rng: firmware.says_each_edge(contacts, reports.suffix),
            0.0,
            tells_repeats=False,
        ),
        replace(
            _rig(
                "num-zone",
                model("dartsout"),
                reports.num_zone,
                lambda contacts, rng: firmware.says_each_edge(contacts, reports.num_zone, lockout=100.0),
                0.0,
                tells_repeats=False,
            ),
            beds={cell: SEGMENTS.get(bed.text.replace("S", "SO"), bed) for cell, bed in NAMED.items()},
        ),
        _rig(
            "single-char",
            wired("single-char", CHARACTERS),
            reports.char,
            lambda contacts, rng: firmware.says_on_release(contacts, reports.char, rng),
            0.0,
        ),
        _rig(
            "any-byte",
            _learnt("any-byte", RAW_BYTES),
            lambda cell: bytes([cell[0]]),
            _waiting(lambda cell: bytes([cell[0]]), 400.0),
            400.0,
        ),
        _rig("any-line", _learnt("any-line", RAW_LINES), reports.raw_line, _waiting(reports.raw_line, 400.0), 400.0),
        _rig(
            "virtual",
            model("virtual"),
            lambda cell: reports.edge(cell, True),
            lambda contacts, rng: firmware.says_both_edges(contacts, reports.edge),
            0.0,
        ),
        _rig(
            "usb-bits",
            wired("usb-bits", [(0, bit) for bit in range(62)]),
            lambda cell: reports.bits({cell}),
            lambda contacts, rng: firmware.says_all_closed(contacts, reports.bits),
            0.0,
            framed=True,
        ),
        _rig(
            "usb-codes",
            wired("usb-codes", [(code, 0) for code in range(4, 66)]),
            lambda cell: reports.codes({cell}),
            lambda contacts, rng: firmware.says_all_closed(contacts, reports.codes),
            0.0,
            framed=True,
        ),
        _rig(
            "oche-matrix",
            wired("oche-matrix", [(n // 10, n % 10) for n in range(62)]),
            lambda cell: reports.HELLO + reports.numbered(0, cell, True, 0.0),
            lambda contacts, rng: firmware.says_numbered_edges(contacts, reports.HELLO, reports.numbered),
            0.0,
            framed=True,
        ),
        *(
            _rig(name, model(name), encode, bluetooth_boards.loop(encode), 0.0, tells_repeats=False, framed=True)
            for name, encode in bluetooth_boards.ENCODERS.items()
        ),
    )
}
