"""One dart is one hit: what of all that a board repeats is a dart, by the dialect's own times.

Two machines, for the two kinds of firmware. `drivers.repeat_debounce` is for those that
know no release: they wait after every line, deaf, and send again what is still
closed. `drivers.edge_debounce` is for those that report both edges. Both are pure;
times in ns. What they have in common is here.

One debounce constant for all was not taken: repeats come never, or after 206,
301, 400, 500 or 750 ms, and a constant that swallows the slowest would swallow
every quick second dart of the others.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, Literal

MS: Final = 1_000_000

STUCK_NS: Final = 3_000 * MS
"""A contact that is closed this long is named as stuck. A dart that hangs and presses does so too, and is named until
it is pulled: it scored when it came, and nothing it repeats scores again."""

STUCK_BEATS: Final = 3
"""And it was repeated at least so often, so that two lines with a gap between never make a stuck bed."""

MOST: Final = 256
"""Contacts that are remembered at a time. No board has so many; a flood of nonsense has, and shall not fill memory."""

Kind = Literal["dart", "repeat", "doubt", "stuck", "freed", "ghost"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a contact, and since when.

    `dart`: it closed, and that is a hit. `repeat`: the same closure again.
    `doubt`: a repeat that could have been a second dart, for the wire cannot
    say. `stuck`, `freed`: it has been closed too long, and is open again.
    `ghost`: the fourth corner of three closed contacts.
    """

    kind: Kind
    key: Hashable
    at_ns: int


Verdicts = tuple[Verdict, ...]
