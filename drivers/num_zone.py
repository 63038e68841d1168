"""Dialect `num-zone`: `new-dart {"num":20,"zone":3}` is a triple 20.

Seen on: boards with an ESP32-S3 that call over Wi-Fi: HTTP POST to `new-dart`,
  `next-player` and `back`, with a JSON body.
Wire: a line for each request, as `daemon/links/board_server.py` makes it: the
  last part of its path, a space, its body. `num` is 1 to 20, or 0 for the bull;
  `zone` is 0 inner single, 1 outer single, 2 double, 3 triple. The bull has 1
  and 2. `board_id` is made of the board's own address, and is ignored: the
  token says which board it is. An object alone is a dart.
Timing: a request for every closing edge, at least 100 ms apart, then the lamps
  of the board play; 1 s after a button. No repeats.
Integrity: TCP's own. A request that fails is not sent again.
Source: github.com/GuilleGonzzalez/fw-dartsout and dartsout, read; no physical
  board.
"""

import json
from typing import Final

from boards.board import Can
from drivers.driver import Driver, NamedDart, Reject, Report, Signal, Timing
from drivers.lines import BEDS, lines

BUTTONS: Final = {"next-player": "next", "back": "undo"}
ZONES: Final = ("SI", "SO", "D", "T")
BULLS: Final = ("", "SB", "DB", "")
"""By zone. No board has an inner single or a triple there."""


def parse(line: str, at_ns: int) -> Report | Reject:
    """Returns the dart or the button of a line, or why the line is dropped."""
    name, _, body = line.partition(" ")
    if name in BUTTONS:
        return Signal("button", at_ns, BUTTONS[name])
    try:
        value = json.loads(body if name == "new-dart" else line)
    except ValueError:
        return "garbage"
    if not isinstance(value, dict):
        return "garbage"
    number, zone = value.get("num"), value.get("zone")
    if not (type(number) is int and type(zone) is int):
        return "garbage"
    if not 0 <= zone <= 3:
        return "unmapped"
    bed = BEDS.get(BULLS[zone] if number == 0 else f"{ZONES[zone]}{number}")
    return "range" if bed is None else NamedDart(bed, at_ns)


DRIVER: Final = Driver(
    name="num-zone",
    summary='requests like new-dart with {"num":20,"zone":3}',
    decoder=lines('abcdefghijklmnopqrstuvwxyz0123456789-_ {}":,', parse),
    can=Can(ring=True, inner_outer=True, buttons=("next", "undo")),
    timing=Timing(
        # A contact that bounces when it opens gives another falling edge, as with `suffix`.
        rebound_ms=200.0,
        neighbour_ms=60.0,
        deaf_ms=100.0,
    ),
)
