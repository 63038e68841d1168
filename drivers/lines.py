"""The decoder of every dialect that speaks in lines: a bounded buffer that never raises.

A line ends with LF, CR before it is dropped. A partial line lives until its
end, an overflow or a reconnect, never until a time: at 9600 baud a line takes
7 ms and comes in pieces.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final

from drivers.driver import Reject, Report

LONGEST: Final = 64
"""Bytes of the longest line that is kept. The longest of the known dialects has 27."""


class LineDecoder:
    """Decodes lines with the `parse` function of a dialect.

    `parse(line, at_ns)` takes one line of ASCII without its end, never an empty
    one, and returns what it reports, or the reason why it is dropped and counted.

    `alphabet` are all characters that lines of the dialect have. Others are
    skipped where a line begins: a reset spits some before the first good line,
    without a line end of their own. Inside a line they spoil it, for `1?5` could
    be 15 or 5.
    """

    __slots__ = ("_alphabet", "_line", "_parse", "_skipping", "_spoilt", "rejects")

    def __init__(self, alphabet: str, parse: Callable[[str, int], Report | Reject]) -> None:
        self._alphabet = frozenset(alphabet.encode("ascii"))
        self._parse = parse
        self._line = bytearray()
        self._skipping = False
        self._spoilt = False
        self.rejects: Counter[Reject] = Counter()

    @property
    def pending(self) -> int:
        return len(self._line)

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        reports: list[Report] = []
        for byte in data:
            if byte == 0x0A:
                self._end(at_ns, reports)
            elif byte in self._alphabet:
                self._add(byte)
            elif byte != 0x0D:
                self._foreign()
        return tuple(reports)

    def reset(self) -> None:
        if self._line or self._spoilt or self._skipping:
            self.rejects["partial"] += 1
        self._clear()

    def _end(self, at_ns: int, reports: list[Report]) -> None:
        if self._spoilt and not self._skipping:
            self.rejects["garbage"] += 1
        elif self._line and not self._skipping:
            parsed = self._parse(self._line.decode("ascii"), at_ns)
            if isinstance(parsed, str):
                self.rejects[parsed] += 1
            else:
                reports.append(parsed)
        self._clear()

    def _add(self, byte: int) -> None:
        if self._skipping or self._spoilt:
            return
        if len(self._line) == LONGEST:
            # Counted once for the whole line, however long it gets.
            self.rejects["overflow"] += 1
            self._skipping = True
            self._line.clear()
            return
        self._line.append(byte)

    def _foreign(self) -> None:
        if self._line and not self._spoilt:
            self._spoilt = True
            self._line.clear()
        elif not self._line and not self._spoilt and not self._skipping:
            self.rejects["garbage"] += 1

    def _clear(self) -> None:
        self._line.clear()
        self._skipping = self._spoilt = False


def lines(alphabet: str, parse: Callable[[str, int], Report | Reject]) -> Callable[[], LineDecoder]:
    """Returns what `Driver.decoder` is for a dialect of lines: a new `LineDecoder` at each call."""
    return lambda: LineDecoder(alphabet, parse)
