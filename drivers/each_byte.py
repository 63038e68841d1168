"""The decoder of dialects in which a byte is a whole report: nothing is begun, nothing can be wrong."""

from collections import Counter
from collections.abc import Callable, Mapping

from drivers.contract import Contact, Reject, Report


class EachByte:
    """Bytes to contacts that closed. `cell` says row and column of a byte; `skip` are bytes that say nothing."""

    def __init__(self, cell: Callable[[int], tuple[int, int]], skip: bytes = b"") -> None:
        self._cell = cell
        self._skip = skip

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        return tuple(Contact(*self._cell(byte), True, at_ns) for byte in data if byte not in self._skip)

    def reset(self) -> None:
        """Nothing is ever begun."""

    @property
    def rejects(self) -> Mapping[Reject, int]:
        return Counter()

    @property
    def pending(self) -> int:
        return 0
