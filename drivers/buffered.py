"""The buffer that decoders share: the bytes of one incomplete report, and counts of what was dropped."""

from collections import Counter
from typing import ClassVar

from drivers.driver import Reject


class Buffered:
    """Keeps the bytes of a report that is not complete, at most `longest`, and counts what is dropped by reason."""

    longest: ClassVar[int] = 64

    def __init__(self) -> None:
        self.rejects: Counter[Reject] = Counter()
        self._buffer = bytearray()
        self._skipping = False
        """The report has overflowed: its remaining bytes are dropped."""

    @property
    def pending(self) -> int:
        return len(self._buffer)

    def reset(self) -> None:
        """Drops the report that was begun, and counts it as `partial`."""
        if self._buffer or self._skipping:
            self.rejects["partial"] += 1
        self._clear()

    def _add(self, byte: int) -> None:
        """Appends a byte. An overflow is counted once for the whole report, however long it gets."""
        if self._skipping:
            return
        if len(self._buffer) == self.longest:
            self.rejects["overflow"] += 1
            self._buffer.clear()
            self._skipping = True
        else:
            self._buffer.append(byte)

    def _clear(self) -> None:
        self._buffer.clear()
        self._skipping = False
