"""Which presses are answers: not the second one of the same bed in quick succession.

A finger that slips often presses the wrong bed twice, and its second press must not confirm the first. Pure: times are
handed in, in ns.
"""

from typing import Final

from learning.hearing import MS

AGAIN_NS: Final = 1_500 * MS
"""How soon the same code is the same press, or a second one that nobody asked for."""


class Presses:
    """Remembers the last answer."""

    def __init__(self) -> None:
        self._code = ""
        self._at_ns = -AGAIN_NS - 1

    def counts(self, code: str, at_ns: int) -> bool:
        """Whether a press is an answer. One that is not does not delay the next one."""
        if code == self._code and at_ns - self._at_ns <= AGAIN_NS:
            return False
        self._code, self._at_ns = code, at_ns
        return True

    def forget(self) -> None:
        """Handles an answer that was typed: the next press belongs to another question."""
        self._at_ns = -AGAIN_NS - 1
