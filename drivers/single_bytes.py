"""The decoder of dialects in which each byte is a whole report."""

from collections import Counter
from collections.abc import Callable

from drivers.driver import Reject, Report


class ByteDecoder:
    """Decodes single bytes with the `parse` function of a dialect.

    `parse(byte, at_ns)` returns what the byte reports, or the reason why it is dropped and counted. Bytes of `skip` are
    ignored.
    """

    pending = 0
    """Each byte is complete."""

    def __init__(self, parse: Callable[[int, int], Report | Reject], skip: bytes = b"") -> None:
        self._parse = parse
        self._skip = skip
        self.rejects: Counter[Reject] = Counter()

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        reports: list[Report] = []
        for byte in data:
            if byte in self._skip:
                continue
            parsed = self._parse(byte, at_ns)
            if isinstance(parsed, str):
                self.rejects[parsed] += 1
            else:
                reports.append(parsed)
        return tuple(reports)

    def reset(self) -> None:
        """Nothing is buffered."""
