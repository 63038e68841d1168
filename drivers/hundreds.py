r"""Dialect `hundreds`: `320` is a triple 20. Two families of firmware, and connectors.

Seen on: boards built from Löwen spare parts (4 rows, 16 columns) with an
  Arduino Mega: `dARts` sketches (first family) and the DaSCR machine (second).
Wire: 9600 8N1, lines with CR LF. `1NN` single, `2NN` double, `3NN` triple,
  `125` and `225` the bulls; `0` a crossing without a bed.
  First family: `KNOPF` button, `FEHLWURF` a piezo felt a dart that missed,
  `PFEILE` an ultrasonic sensor saw the darts being pulled. It takes `BAN\n`
  (button lamp on and sensor mode: it stops scanning), `BAUS\n` (scan again),
  `PERK\n`, `NEXT\n`.
  Second family: `b`, `m`, `u` for the same. It takes `<s,N>`: 1 throwing, 2
  next player (lamp, sensor), 3 watch for motion, 4 reset, 5 won, 9 hello.
  Connectors (Smartness and Sunflex boards, published over MQTT): `996` the
  dart bounced out, `997` the wall, `998` the rim, `999` the next player.
Timing: after each line 300 ms deaf, then what is still closed is sent again,
  301 ms after the line before; held contacts take turns. A button waits 100 ms
  (first) or 500 ms (second). `u` comes without a pause.
  First family: silent for 1.5 s after start. Second: mute until it has had
  `<s,9>` or `<s,1>`, which is lost if it is sent before the board is up.
Integrity: none but the grammar.
Source: github.com/patrickhener/dARts, github.com/dascr/dascr-machine, and both
  firmwares run in an emulator; github.com/GittiMcHub/online-dart, read; no
  physical board.
"""

import re
from collections.abc import Mapping
from functools import partial
from typing import Final, Literal

from boards.board import Can
from drivers.driver import Driver, NamedDart, Reject, Report, Signal, Timing
from drivers.lines import BEDS, lines
from engine.segments import MISS

LINE: Final = re.compile(r"([123])(\d\d)")
PREFIX: Final = {"1": "S", "2": "D", "3": "T"}

Word = Literal["button", "bounce", "miss", "takeout"]

FIRST: Final[Mapping[str, Word]] = {"KNOPF": "button", "FEHLWURF": "miss", "PFEILE": "takeout"}
SECOND: Final[Mapping[str, Word]] = {"b": "button", "m": "miss", "u": "takeout"}
PUBLISHED: Final[Mapping[str, Word]] = {"996": "bounce", "997": "miss", "998": "miss", "999": "button"}


def parse(words: Mapping[str, Word], line: str, at_ns: int) -> Report | Reject:
    """Returns the dart or the word of a line, or why the line is dropped."""
    match words.get(line):
        case "button":
            return Signal("button", at_ns, "next")
        case "bounce":
            return Signal("button", at_ns, "bounce")
        case "miss":
            return NamedDart(MISS, at_ns)
        case "takeout":
            return Signal("takeout", at_ns)
    found = LINE.fullmatch(line)
    if found is None:
        return "unmapped" if line == "0" else "garbage"
    bed = BEDS.get(f"{PREFIX[found[1]]}{int(found[2])}")
    return "range" if bed is None else NamedDart(bed, at_ns)


CAN: Final = Can(
    ring=True,
    miss=True,
    takeout=True,
    buttons=("next",),
)

DRIVER: Final = Driver(
    name="hundreds",
    summary="lines like 320, with KNOPF, FEHLWURF and PFEILE",
    decoder=lines("0123456789" + "".join(FIRST), partial(parse, FIRST)),
    can=CAN,
    timing=Timing(repeat_ms=301.0, button_ms=101.0, miss_ms=301.0, takeout_ms=501.0, deaf_ms=300.0, boot_ms=4000.0),
    # It scans after a start, and this makes it scan again if it was left in sensor mode.
    hello=b"BAUS\n",
    says={"throwing": b"BAUS\n", "takeout": b"BAN\n", "next": b"NEXT\nBAUS\n"},
)

SECOND_FAMILY: Final = Driver(
    name="hundreds-2",
    summary="lines like 320, with b, m and u; mute until it is greeted",
    decoder=lines("0123456789" + "".join(SECOND), partial(parse, SECOND)),
    can=CAN,
    timing=Timing(repeat_ms=301.0, button_ms=501.0, miss_ms=301.0, deaf_ms=300.0, boot_ms=4500.0),
    # Not `<s,9>`, which blinks for 3.5 s, deaf: a board that comes back during a match must score at once.
    hello=b"<s,1>",
    says={"throwing": b"<s,1>", "takeout": b"<s,2>", "next": b"<s,4><s,1>", "won": b"<s,5>"},
)

PUBLISHED_CODES: Final = Driver(
    name="hundreds-3",
    summary="codes like 320, with 996 to 999, as connectors publish them over MQTT",
    decoder=lines("0123456789", partial(parse, PUBLISHED)),
    can=Can(ring=True, miss=True, buttons=("next", "bounce")),
    # The connectors publish what the board reports once, as it comes.
    timing=Timing(rebound_ms=200.0, neighbour_ms=60.0),
)
