"""The lights of a board with our firmware: a word for each moment, and a colour for each number.

How a word looks is in one table of the firmware, `looks` in `firmware/lights.c`, for the ring of a Pico and for the
lamp of every other part. `firmware/PROTOCOL.md` has the frame; firmware before 1.2 reads its lamp alone.
"""

from collections.abc import Mapping
from typing import Final

from boards.board import Ring
from drivers.driver import Moment, Saying
from drivers.frames import frame
from drivers.target_lights import Part, part, parts
from engine.segments import BULL, CLOCKWISE

LAMP, SETTING = 0x84, 0x83
RING, RING_FIRST = 4, 5
DARK, TARGETS, HIT, TAKEOUT, NEXT, BUST, WON = range(7)
WORDS: Final[Mapping[Saying, int]] = {
    "idle": DARK,
    "throwing": TARGETS,
    "takeout": TAKEOUT,
    "next": NEXT,
    "bust": BUST,
    "won": WON,
}
LAMP_IS_ON: Final = frozenset({"takeout", "next"})
"""When firmware before 1.2 has its lamp on."""

RED, GREEN, PURPLE, WHITE = 1, 2, 4, 5
COLOURS: Final[Mapping[Part, int]] = {"any": GREEN, "S": WHITE, "D": RED, "T": PURPLE}
REST: Final = len(CLOCKWISE)
"""The place behind the twenty numbers: a dim colour for all numbers that have none of their own."""


def lights(moment: Moment) -> bytes:
    """Returns the frame of a moment: a dart flashes at its number, targets are lit; a bull is the whole ring."""
    word = WORDS[moment.saying]
    colours: dict[int, int] = {}
    if moment.landed is not None:
        if not moment.landed.multiplier:
            return b""
        word, colours = HIT, {moment.landed.number: COLOURS[part(moment.landed)]}
    elif word == TARGETS:
        # A match without targets lights the board for the player.
        colours = {number: COLOURS[some] for number, some in parts(moment.targets).items()} or {BULL: WHITE}
    return frame(bytes([LAMP, moment.saying in LAMP_IS_ON, word]) + _nibbles(colours))


def ring_settings(ring: Ring) -> bytes:
    """Returns the frames that tell a board of its ring: the first LED, then the rest, which begins it."""
    value = ring.leds | (not ring.clockwise) << 8 | ring.lamp << 9
    return b"".join(
        frame(bytes([SETTING, which]) + number.to_bytes(2, "little"))
        for which, number in ((RING_FIRST, ring.first), (RING, value))
    )


def _nibbles(colours: Mapping[int, int]) -> bytes:
    """Four bits for each number in the order of the ring, and for the rest; nothing if all are dark."""
    if not colours:
        return b""
    each = [colours.get(number, 0) for number in CLOCKWISE] + [colours.get(BULL, 0), 0]
    return bytes(each[n] | each[n + 1] << 4 for n in range(0, REST + 1, 2))
