"""Messages in a stream of bytes: the link puts the length of each, in one byte, before it.

USB reports and Bluetooth notifications have borders that mean something, and a decoder takes any split of its bytes.
With the length in the stream a message can arrive in pieces, a recording keeps its borders, and a decoder is fuzzed as
all others are.
"""

from collections.abc import Callable, Iterable
from typing import Final

from boards.board import Can
from drivers.buffered import Buffered
from drivers.driver import Decoder, Driver, Reject, Report, Timing

MOST: Final = 255
"""Bytes of the longest message. Longer ones are passed on as several."""


def framed(message: bytes) -> bytes:
    """Returns a message as it is in the stream; several if it is longer than `MOST`, nothing if it is empty."""
    parts = (message[at : at + MOST] for at in range(0, len(message), MOST))
    return b"".join(bytes([len(part)]) + part for part in parts)


def unframed(data: bytes) -> tuple[bytes, ...]:
    """Returns the whole messages of a stream, in order."""
    found = []
    while data:
        found.append(data[1 : 1 + data[0]])
        data = data[1 + data[0] :]
    return tuple(message for message in found if message)


class MessageDecoder(Buffered):
    """Decodes one message at a time: a dialect overrides `message`."""

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        reports: list[Report] = []
        for byte in data:
            self._buffer.append(byte)
            if not self._buffer[0]:
                self.empty()
                self._buffer.clear()
            elif len(self._buffer) > self._buffer[0]:
                found = self.message(bytes(self._buffer[1:]), at_ns)
                self._buffer.clear()
                if isinstance(found, str):
                    self.rejects[found] += 1
                else:
                    reports += found
        return tuple(reports)

    def message(self, message: bytes, at_ns: int) -> Iterable[Report] | Reject:
        """Returns what a message reports, or the reason why it is dropped and counted."""
        raise NotImplementedError

    def empty(self) -> None:
        """Handles a message without bytes: none, unless a link gives it a meaning."""


def bluetooth(
    name: str, summary: str, decoder: Callable[[], Decoder], can: Can, grid: tuple[int, int], rebound_ms: float = 200.0
) -> Driver:
    """Returns the driver of a Bluetooth board with the rows and columns of `grid`.

    No such board is known to repeat a held contact or to report a release, and none has a line whose speed could be
    set. A bed reported again within 200 ms, and one next to it within 100 ms, are a doubt: they are thought to be deaf
    for 60 ms after a report, and the table of thrown darts in `docs/boards.md` has what other times cost.
    """
    rows, cols = grid
    timing = Timing(rebound_ms=rebound_ms, neighbour_ms=100.0)
    return Driver(name, summary, decoder, can, timing, rows, cols, baud=0)
