"""The decoder of every dialect that speaks in lines: a bounded buffer that never raises.

A line ends with LF; a CR before it is dropped. A partial line lives until its end, an overflow or a reconnect, never
until a timeout: at 9600 baud a line takes 7 ms and arrives in pieces.
"""

from collections.abc import Callable
from typing import ClassVar, Final

from drivers.buffered import Buffered
from drivers.driver import Reject, Report
from engine.segments import INNER_BULL, OUTER_BULL, SEGMENTS

BEDS: Final = SEGMENTS | {"S25": OUTER_BULL, "D25": INNER_BULL}
"""Beds by name, the bulls also as single and double 25: many sketches number them like that."""

Parse = Callable[[str, int], Report | Reject | None]


class LineDecoder(Buffered):
    """Decodes lines of at most 64 bytes with the `parse` function of a dialect; the longest known line has 27.

    `parse(line, at_ns)` takes one line of ASCII without its end, never an empty
    one. It returns what the line reports, the reason why it is dropped and
    counted, or None if the line says nothing.

    `alphabet` holds all characters that lines of the dialect have. Other bytes
    are skipped and counted at the start of a line, because a reset emits some
    without a line end of their own. Inside a line they spoil it: `1?5` could be
    15 or 5.
    """

    ends: ClassVar[bytes] = b"\n"
    skipped: ClassVar[bytes] = b"\r"

    def __init__(self, alphabet: str, parse: Parse) -> None:
        super().__init__()
        self._alphabet = frozenset(alphabet.encode("ascii"))
        self._parse = parse
        self._spoilt = False

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        reports: list[Report] = []
        for byte in data:
            if byte in self.ends:
                self._end(at_ns, reports)
            elif byte in self._alphabet:
                if not self._spoilt:
                    self._add(byte)
            elif byte not in self.skipped:
                self._foreign()
        return tuple(reports)

    def reset(self) -> None:
        # The buffer of a spoilt line is empty already.
        self._skipping |= self._spoilt
        super().reset()

    def _end(self, at_ns: int, reports: list[Report]) -> None:
        if self._spoilt:
            self.rejects["garbage"] += 1
        elif self._buffer:
            parsed = self._parse(self._buffer.decode("ascii"), at_ns)
            if isinstance(parsed, str):
                self.rejects[parsed] += 1
            elif parsed is not None:
                reports.append(parsed)
        self._clear()

    def _foreign(self) -> None:
        """Handles a byte that is not in the alphabet."""
        if self._buffer:
            self._spoilt = True
            self._buffer.clear()
        elif not self._spoilt and not self._skipping:
            self.rejects["garbage"] += 1

    def _clear(self) -> None:
        super()._clear()
        self._spoilt = False


def lines(alphabet: str, parse: Parse) -> Callable[[], LineDecoder]:
    """Returns the `decoder` of a `Driver` whose dialect speaks in lines: each call makes a new `LineDecoder`."""
    return lambda: LineDecoder(alphabet, parse)
