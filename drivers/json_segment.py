"""Dialect `json-segment`: `{"segment":"T20"}` is a triple 20, `{"at":[0.0,0.6]}` a dart at a point.

Seen on: ESP boards over WebSocket or TCP, and Arduinos over serial.
Wire: JSON objects, one a line or one straight after the other. The segment is
  a bed (`S20`, `D20`, `T20`, `SB`, `DB`, inner and outer singles too), or
  `PLAYERBUTTON` (next player), `BACKUPBUTTON` (undo), `GAMEBUTTON`, `MISSDART`.
  Boards that see where the tip is report it: x to the right and y up, in units
  of the radius of the outer double wire. A segment in the same object is ignored.
Timing: after each message 500 ms deaf, then what is still closed is sent
  again. A network adds more jitter than a cable.
Integrity: TCP's own; an object that is no JSON is dropped and counted.
Source: the grammar of firmware in public use; no physical board.
"""

import json
from typing import Final

from boards.board import Can
from drivers.buffered import Buffered
from drivers.driver import Driver, NamedDart, Reject, Report, Signal, Timing
from drivers.lines import BEDS
from engine.darts import Position, dart_from_json
from engine.segments import MISS

BUTTONS: Final = {"PLAYERBUTTON": "next", "BACKUPBUTTON": "undo", "GAMEBUTTON": "game"}
BULLS: Final = {"25": "SB", "50": "DB", "BULL": "SB", "DBULL": "DB"}
"""Other spellings of the bulls that occur, besides those of `BEDS`."""


class JsonSegment(Buffered):
    """Decodes objects between braces, of at most 256 bytes; the longest of the dialect has 26."""

    longest = 256

    def __init__(self) -> None:
        super().__init__()
        self._outside = False
        """Inside a run of bytes that belong to no object, which is counted once."""

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        reports: list[Report] = []
        for byte in data:
            if byte == 0x7B:
                # The objects of this dialect are not nested: the one before was cut off.
                super().reset()
                self._buffer.append(byte)
                self._outside = False
            elif self._buffer:
                self._inside(byte, at_ns, reports)
            elif byte in b" \t\r\n,[]":
                self._outside = False
            elif not self._outside:
                self._outside = True
                self.rejects["garbage"] += 1
        return tuple(reports)

    def reset(self) -> None:
        super().reset()
        self._outside = False

    def _inside(self, byte: int, at_ns: int, reports: list[Report]) -> None:
        self._add(byte)
        if self._skipping:
            self._skipping, self._outside = False, True
        elif byte == 0x7D:
            report = parse(bytes(self._buffer), at_ns)
            self._clear()
            if isinstance(report, str):
                self.rejects[report] += 1
            else:
                reports.append(report)


def parse(text: bytes, at_ns: int) -> Report | Reject:
    """Returns what an object reports, or the reason why it is dropped."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return "garbage"
    if not isinstance(value, dict):
        return "garbage"
    if "at" in value:
        dart = dart_from_json({"at": value["at"]})
        return NamedDart(dart, at_ns) if isinstance(dart, Position) else "range"
    segment = value.get("segment")
    if not isinstance(segment, str):
        return "garbage"
    if segment in BUTTONS:
        return Signal("button", at_ns, BUTTONS[segment])
    if segment == "MISSDART":
        return NamedDart(MISS, at_ns)
    bed = BEDS.get(BULLS.get(segment, segment))
    return "unmapped" if bed is None else NamedDart(bed, at_ns)


DRIVER: Final = Driver(
    name="json-segment",
    summary='JSON objects like {"segment":"T20"} or {"at":[0.0,0.6]}',
    decoder=JsonSegment,
    can=Can(ring=True, inner_outer=True, position=True, miss=True, buttons=("next", "undo", "game")),
    timing=Timing(repeat_ms=500.0, button_ms=500.0, miss_ms=500.0, jitter_ms=60.0, deaf_ms=500.0),
)
