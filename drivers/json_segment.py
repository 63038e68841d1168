"""Dialect `json-segment`: `{"segment":"T20"}` is a triple 20, `{"at":[0.0,0.6]}` a dart at a point.

Seen on: ESP boards over WebSocket or TCP, and Arduinos over serial.
Wire: JSON objects, one a line or one straight after the other. The segment is
  a bed (`S20`, `D20`, `T20`, `SB`, `DB`, inner and outer singles too), or
  `PLAYERBUTTON` (next player), `BACKUPBUTTON` (undo), `GAMEBUTTON`, `MISSDART`.
  Boards that see where the tip is say so: x to the right and y up, in units of
  the radius of the outer double wire. A segment beside it is not looked at.
Timing: after each message 500 ms deaf, then what is still closed is sent
  again. A network adds more jitter than a cable.
Integrity: TCP's own; an object that is no JSON is dropped.
Source: the grammar of firmware in public use; no physical board.
"""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Final

from boards.board import Can
from drivers.driver import Driver, NamedDart, Reject, Report, Signal, Timing
from engine.darts import Dart, Position, dart_from_json
from engine.refusals import Refusal
from engine.segments import MISS, SEGMENTS

LONGEST: Final = 256
"""Bytes of the longest object that is kept. The longest of the dialect has 26."""

BUTTONS: Final = {"PLAYERBUTTON": "next", "BACKUPBUTTON": "undo", "GAMEBUTTON": "game"}
BULLS: Final = {"25": "SB", "50": "DB", "S25": "SB", "D25": "DB", "BULL": "SB", "DBULL": "DB"}
"""Other ways to write the bulls that are met beside `SB` and `DB`."""


class JsonSegment:
    """Objects between braces; a line end is not waited for."""

    def __init__(self) -> None:
        self._begun = bytearray()
        self._outside = False
        self._rejects: Counter[Reject] = Counter()

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        reports: list[Report] = []
        for byte in data:
            if byte == 0x7B:
                self._open()
            elif self._begun:
                self._inside(byte, at_ns, reports)
            elif byte in b" \t\r\n,[]":
                self._outside = False
            elif not self._outside:
                # Counted once for a run of bytes that belong to no object.
                self._outside = True
                self._rejects["garbage"] += 1
        return tuple(reports)

    def reset(self) -> None:
        if self._begun:
            self._rejects["partial"] += 1
        self._begun.clear()
        self._outside = False

    @property
    def rejects(self) -> Mapping[Reject, int]:
        return self._rejects

    @property
    def pending(self) -> int:
        return len(self._begun)

    def _open(self) -> None:
        if self._begun:
            # The objects of this dialect have none inside: the one before was cut off.
            self._rejects["partial"] += 1
        self._begun[:] = b"{"
        self._outside = False

    def _inside(self, byte: int, at_ns: int, reports: list[Report]) -> None:
        if len(self._begun) == LONGEST:
            self._rejects["overflow"] += 1
            self._begun.clear()
            self._outside = True
            return
        self._begun.append(byte)
        if byte == 0x7D:
            text, self._begun = bytes(self._begun), bytearray()
            report = self._report(text, at_ns)
            if report is not None:
                reports.append(report)

    def _report(self, text: bytes, at_ns: int) -> Report | None:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            self._rejects["garbage"] += 1
            return None
        if isinstance(value, dict) and "at" in value:
            return self._landed(dart_from_json({"at": value["at"]}), at_ns)
        segment = value.get("segment") if isinstance(value, dict) else None
        if not isinstance(segment, str):
            self._rejects["garbage"] += 1
            return None
        if segment in BUTTONS:
            return Signal("button", at_ns, BUTTONS[segment])
        if segment == "MISSDART":
            return NamedDart(MISS, at_ns)
        bed = SEGMENTS.get(BULLS.get(segment, segment))
        if bed is None:
            self._rejects["unmapped"] += 1
            return None
        return NamedDart(bed, at_ns)

    def _landed(self, dart: Dart | Refusal, at_ns: int) -> Report | None:
        if isinstance(dart, Position):
            return NamedDart(dart, at_ns)
        self._rejects["range"] += 1
        return None


DRIVER: Final = Driver(
    name="json-segment",
    summary='JSON objects like {"segment":"T20"} or {"at":[0.0,0.6]}',
    decoder=JsonSegment,
    can=Can(ring=True, inner_outer=True, position=True, miss=True, buttons=("next", "undo", "game")),
    timing=Timing(repeat_ms=500.0, button_ms=500.0, miss_ms=500.0, jitter_ms=60.0, deaf_ms=500.0),
)
