"""The lights of a GranBoard: a ring of twenty numbers, and effects that the board plays by itself.

Only two kinds of frames can be made here: 20 bytes, a colour for each number, and 16 bytes, an effect. Frames of 12
bytes change settings that the board stores; nothing here makes one. The lights are dark unless the board has USB power.

Source: github.com/Filan-glitch/FlutterGran docs/BOARD_PROTOCOL.md, whose authors checked the frames with a 132.
"""

from collections.abc import Mapping
from typing import Final

from drivers.driver import Moment, Saying
from drivers.messages import framed
from drivers.target_lights import Part, parts
from engine.segments import Segment

OFF, RED, GREEN, PURPLE, WHITE = 0x00, 0x01, 0x04, 0x06, 0x07
"""Colours of the ring."""
COLOURS: Final[Mapping[Part, int]] = {"any": GREEN, "S": WHITE, "D": RED, "T": PURPLE}
"""The colour of a number, by what of it is a target."""

FLASHES: Final = {1: 0x01, 2: 0x02, 3: 0x03}
"""Effects that flash one number: for a single, a double and a triple."""
PLACES: Final = bytes.fromhex("1c 31 37 22 16 28 01 07 10 2b 0a 13 25 0d 2e 04 34 1f 3a 19")
"""What an effect calls each number, from 1 to 20. The bull has no place."""
BLINK: Final = 0x17
FAST: Final = 0xC0
"""How fast a number flashes; 255 is the fastest."""


def ring(colours: Mapping[int, int]) -> bytes:
    """Returns the frame that shows numbers in colours; all other numbers are dark."""
    return bytes(colours.get(number, OFF) for number in range(1, 21))


def effect(
    op: int,
    first: tuple[int, int, int] = (0, 0, 0),
    second: tuple[int, int, int] = (0, 0, 0),
    *,
    place: int = 0,
    speed: int = 0,
    extra: tuple[int, int] = (0, 0),
) -> bytes:
    """Returns the frame of an effect with its two colours. `extra` are the bytes 11 and 13."""
    frame = bytearray((op, *first, *second, 0, 0, 0, place, extra[0], speed, extra[1], 0, 1))
    return bytes(frame)


EFFECTS: Final[Mapping[Saying, bytes]] = {
    "takeout": effect(0x11, (0, 0, 255), place=0x10),
    "next": effect(0x11, (0, 0, 255), place=0x10),
    "bust": effect(BLINK, (255, 0, 0), speed=8),
    "won": effect(0x0F, extra=(3, 3)),
}
"""What runs around the ring while a match waits for something else than a dart."""


def lights(moment: Moment) -> bytes:
    """Returns what a board is told, each frame with its length before it: a dart flashes, targets are lit."""
    if moment.landed is not None:
        return framed(_flash(moment.landed))
    return framed(EFFECTS.get(moment.saying) or ring(_colours(moment) if moment.saying == "throwing" else {}))


def _flash(bed: Segment) -> bytes:
    if bed.is_bull:
        return effect(BLINK, (255, 0, 0) if bed.multiplier == 2 else (0, 255, 0), speed=8)
    if not bed.multiplier:
        return b""
    return effect(FLASHES[bed.multiplier], (255, 255, 255), (0, 0, 255), place=PLACES[bed.number - 1], speed=FAST)


def _colours(moment: Moment) -> dict[int, int]:
    return {number: COLOURS[part] for number, part in parts(moment.targets).items()}
