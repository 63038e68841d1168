"""One dart is one hit: which of a board's reports is a dart, by the dialect's own times.

There are two machines for two kinds of firmware. `drivers.repeat_debounce` is
for those that report no release: after every line they wait, deaf, and send
again what is still closed. `drivers.edge_debounce` is for those that report
both edges. Both are pure; times in ns. What they share is here.

One debounce constant for all was not chosen: repeats come never, or after 206,
301, 400, 500 or 750 ms, and a constant that swallows the slowest repeat would
swallow every quick second dart of the others.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, Literal

MS: Final = 1_000_000

STUCK_NS: Final = 3_000 * MS
"""How long a contact must be closed to be stuck. A dart that hangs in the board and presses is stuck too until it is
pulled: it scored when it landed, and its repeats do not."""

STUCK_BEATS: Final = 3
"""How many repeats a stuck contact must have had at least: two lines with a gap between do not make a stuck bed."""

MOST: Final = 256
"""How many contacts are remembered at a time: more than any board has. A flood of noise does not grow memory."""

Kind = Literal["dart", "repeat", "doubt", "stuck", "freed", "ghost"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a report of a contact is, and when it was.

    `dart`: the contact closed, which is a hit. `repeat`: the same closure again.
    `doubt`: a repeat that could have been a second dart; the wire does not tell.
    `stuck`: it has been closed for too long. `freed`: it is open again.
    `ghost`: the fourth corner of three closed contacts.
    """

    kind: Kind
    key: Hashable
    at_ns: int
    clock_ns: int | None = None
    """The same on the board's own clock; `None` if it has none."""

    @property
    def judged_ns(self) -> int:
        """When it was, for the distances to others: by the board's own clock, else by arrival."""
        return self.at_ns if self.clock_ns is None else self.clock_ns


Verdicts = tuple[Verdict, ...]
