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
from tests.drivers import bluetooth_boards, firmware
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


def _raw_line(cell: Cell) -> bytes:
    return cell[0].to_bytes((cell[0].bit_length() + 7) // 8, "big") + b"\r\n"


def _text(cell: Cell) -> str:
    return "SDT"[cell[1]]


def _waiting(
    encode: Callable[[Cell], bytes], wait: float, one_a_column: bool = False
) -> Callable[[Contacts, random.Random], Iterator[Sent]]:
    return lambda contacts, rng: firmware.waits_after_each_line(contacts, encode, wait, one_a_column=one_a_column)


def _hundreds(cell: Cell) -> bytes:
    return b"%d%02d\r\n" % (cell[1] + 1, cell[0])


def _sector(cell: Cell) -> bytes:
    return b"%d;%d\r\n" % (cell[0], cell[1] + 1)


def _ring(cell: Cell) -> bytes:
    return f"{cell[0]}:{_text(cell)}\r\n".encode()


def _suffix(cell: Cell) -> bytes:
    if cell[0] == 25:
        return b"Bullseyex2\n" if cell[1] else b"Bullseye\n"
    return b"%d%s\n" % (cell[0], ("", "x2", "x3")[cell[1]].encode())


def _points(cell: Cell) -> bytes:
    return b"%d\r\n" % (cell[0] * (cell[1] + 1))


def _json(cell: Cell) -> bytes:
    bed = ("SB", "DB")[cell[1]] if cell[0] == 25 else f"{_text(cell)}{cell[0]}"
    return b'{"segment":"%s"}\n' % bed.encode()


def _num_zone(cell: Cell) -> bytes:
    number, zone = (0, cell[1] + 1) if cell[0] == 25 else (cell[0], cell[1] + 1)
    return b'new-dart {"board_id":7,"num":%d,"zone":%d}\n' % (number, zone)


def _nibble(cell: Cell) -> bytes:
    return bytes([cell[0] * 16 + cell[1]])


def _number(cell: Cell) -> bytes:
    return bytes([cell[0] * 16 + cell[1] + 1])


def _pair(cell: Cell) -> bytes:
    return b"%d,%d\r\n" % cell


def _char(cell: Cell) -> bytes:
    return chr(cell[0]).encode("latin-1")


def _edge(cell: Cell, closed: bool) -> bytes:
    return b"%s%d,%d\n" % (b"+" if closed else b"-", *cell)


def _bits(closed: set[Cell]) -> bytes:
    return bytes([8]) + sum(1 << col for _, col in closed).to_bytes(8, "little")


def _codes(closed: set[Cell]) -> bytes:
    return bytes([64]) + bytes(sorted(row for row, _ in closed)).ljust(64, b"\0")


def _framed(payload: bytes) -> bytes:
    """COBS with a CRC-16, as `firmware/PROTOCOL.md` has it."""
    crc = 0xFFFF
    for byte in payload:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    blocks = (payload + crc.to_bytes(2, "little")).split(b"\0")
    return b"".join(bytes([len(block) + 1]) + block for block in blocks) + b"\0"


HELLO = _framed(bytes([1, 1, 1, 8, 10, 0, 1, 0, 64, 7, 0, 0, 0, 0, 0, 0]) + b"A board!")


def _numbered(number: int, cell: Cell, closes: bool, at: float) -> bytes:
    """An edge after a heartbeat by which it is just now: the oracle knows darts by the time of their arrival."""
    ticks = round(at * 1000 / 64).to_bytes(4, "little")
    edge = bytes([0x10 if closes else 0x11, number % 256, cell[0] * 16 + cell[1]]) + ticks[:3]
    return _framed(bytes([2, 7, 0, 0]) + ticks) + _framed(edge)


RIGS = {
    rig.name: rig
    for rig in (
        _rig("hundreds", model("loewen-darts"), _hundreds, _waiting(_hundreds, 300.0), 301.0),
        _rig(
            "hundreds-3",
            model("online-dart"),
            _hundreds,
            lambda contacts, rng: firmware.says_each_edge(contacts, _hundreds),
            0.0,
            tells_repeats=False,
        ),
        _rig("hundreds-2", model("loewen-dascr"), _hundreds, _waiting(_hundreds, 300.0), 301.0),
        _rig("number-ring", model("number-ring"), _ring, _waiting(_ring, 500.0), 501.0),
        _rig("score-only", model("score-only"), _points, _waiting(_points, 500.0), 501.0, hides=True),
        _rig("json-segment", model("json-segment"), _json, _waiting(_json, 500.0), 501.0),
        _rig("raspuino", model("raspuino"), _nibble, _waiting(_nibble, 750.0), 751.0),
        _rig("row-col", wired("row-col", COLUMNS), _pair, _waiting(_pair, 500.0, True), 501.0, hides=True),
        _rig("keyboard", wired("keyboard", CHARACTERS), _char, _waiting(_char, 500.0), 501.0),
        _rig(
            "ordinal",
            model("loewen-pikado"),
            _number,
            lambda contacts, rng: firmware.counts_and_waits(contacts, _number),
            206.0,
            hides=True,
        ),
        _rig("pidart", model("pidart"), _nibble, lambda contacts, rng: firmware.says_stuck(contacts, _nibble), 0.0),
        _rig(
            "sector-multiplier",
            model("maddarts"),
            _sector,
            lambda contacts, rng: firmware.waits_for_release(contacts, _sector, 200.0),
            0.0,
            tells_repeats=False,
            hides=True,
        ),
        _rig(
            "suffix",
            model("suffix"),
            _suffix,
            lambda contacts, rng: firmware.says_each_edge(contacts, _suffix),
            0.0,
            tells_repeats=False,
        ),
        replace(
            _rig(
                "num-zone",
                model("dartsout"),
                _num_zone,
                lambda contacts, rng: firmware.says_each_edge(contacts, _num_zone, lockout=100.0),
                0.0,
                tells_repeats=False,
            ),
            beds={cell: SEGMENTS.get(bed.text.replace("S", "SO"), bed) for cell, bed in NAMED.items()},
        ),
        _rig(
            "single-char",
            wired("single-char", CHARACTERS),
            _char,
            lambda contacts, rng: firmware.says_on_release(contacts, _char, rng),
            0.0,
        ),
        _rig(
            "any-byte",
            _learnt("any-byte", RAW_BYTES),
            lambda cell: bytes([cell[0]]),
            _waiting(lambda cell: bytes([cell[0]]), 400.0),
            400.0,
        ),
        _rig("any-line", _learnt("any-line", RAW_LINES), _raw_line, _waiting(_raw_line, 400.0), 400.0),
        _rig(
            "virtual",
            model("virtual"),
            lambda cell: _edge(cell, True),
            lambda contacts, rng: firmware.says_both_edges(contacts, _edge),
            0.0,
        ),
        _rig(
            "usb-bits",
            wired("usb-bits", [(0, bit) for bit in range(62)]),
            lambda cell: _bits({cell}),
            lambda contacts, rng: firmware.says_all_closed(contacts, _bits),
            0.0,
            framed=True,
        ),
        _rig(
            "usb-codes",
            wired("usb-codes", [(code, 0) for code in range(4, 66)]),
            lambda cell: _codes({cell}),
            lambda contacts, rng: firmware.says_all_closed(contacts, _codes),
            0.0,
            framed=True,
        ),
        _rig(
            "oche-matrix",
            wired("oche-matrix", [(n // 10, n % 10) for n in range(62)]),
            lambda cell: HELLO + _numbered(0, cell, True, 0.0),
            lambda contacts, rng: firmware.says_numbered_edges(contacts, HELLO, _numbered),
            0.0,
            framed=True,
        ),
        *(
            _rig(name, model(name), encode, bluetooth_boards.loop(encode), 0.0, tells_repeats=False, framed=True)
            for name, encode in bluetooth_boards.ENCODERS.items()
        ),
    )
}
