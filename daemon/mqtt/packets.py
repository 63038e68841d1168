"""What is sent most and received most, without the library: PUBLISH packets at QoS 1, and reading in large pieces.

paho takes three times as long to make such a packet, because it keeps a copy of the message to send it again, which is
never done here: the next connection publishes every state as it is then. And it reads every packet with three system
calls, which for the acknowledgements of a hundred boards is a tenth of the processor time.
"""

import socket
from typing import Any, Final

PUBLISH_QOS1: Final = 0x32
PUBACK: Final = 0x40
CORRELATION_DATA: Final = 0x09
"""The property of MQTT 5.0, 3.3.2.3.6."""
LONGEST_TEXT: Final = 0xFFFF
"""Bytes of a topic or of correlation data: their length has two bytes."""
LONGEST_PACKET: Final = 0x0FFF_FFFF
LONGEST_SHORT: Final = 127
"""Bytes of a packet whose length has one byte."""
READ_BYTES: Final = 4096
"""Bytes that are read at once: those of about a hundred commands, so that a flood leaves the loop to others."""


def publish_packet(
    topic: str, payload: str, number: int, *, retain: bool, properties: bool, correlation: bytes | None = None
) -> bytes:
    """The packet of a message with this packet identifier. `properties` is true for MQTT 5.

    ValueError if a topic cannot be published to, or for what does not fit.
    """
    name, text = topic.encode(), payload.encode()
    if not name or len(name) > LONGEST_TEXT or "+" in topic or "#" in topic or "\0" in topic:
        raise ValueError(f"nothing can be published to {topic!r}")
    about = b""
    if properties:
        about = b"\0" if correlation is None else _correlation(correlation)
    size = len(name) + len(about) + len(text) + 4
    if size > LONGEST_PACKET:
        raise ValueError("the message is longer than a packet can be")
    kind = PUBLISH_QOS1 | retain  # The lowest bit is RETAIN; MQTT 5.0, 3.3.1.3.
    return b"%c%b%b%b%b%b%b" % (
        *(kind, _variable(size), len(name).to_bytes(2, "big"), name),
        *(number.to_bytes(2, "big"), about, text),
    )


def _correlation(data: bytes) -> bytes:
    if len(data) > LONGEST_TEXT:
        raise ValueError("the correlation data is too long")
    return b"%b%c%b%b" % (_variable(len(data) + 3), CORRELATION_DATA, len(data).to_bytes(2, "big"), data)


def _variable(number: int) -> bytes:
    """A variable byte integer; MQTT 5.0, 1.5.5."""
    if number < 128:
        return b"%c" % number
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    found.append(number)
    return bytes(found)


class BufferedSocket:
    """A socket that is read in large pieces, and only after `may_read`: one piece each time, of which nothing is left
    behind as long as `pending` is read."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._unread = b""
        self._at = 0
        self._may_read = False

    def may_read(self) -> None:
        """Allows one read from the system."""
        self._may_read = True

    def recv(self, size: int) -> bytes:
        """Returns at most `size` bytes, b"" at the end. BlockingIOError if there are none yet."""
        if self._at == len(self._unread):
            if not self._may_read:
                raise BlockingIOError
            self._may_read = False
            self._unread, self._at = self._line.recv(READ_BYTES), 0
        found = self._unread[self._at : self._at + size]
        self._at += len(found)
        return found

    def next_puback(self) -> bytes | None:
        """Returns the variable header of the next packet (MQTT 5.0, 3.4.2), if that is a short PUBACK and is whole.

        To be called where a packet begins; `skip_puback` takes it.
        """
        start = self._unread[self._at : self._at + 2]
        if len(start) < 2 or start[0] != PUBACK or start[1] > LONGEST_SHORT:
            return None
        header = self._unread[self._at + 2 : self._at + 2 + start[1]]
        return header if len(header) == start[1] else None

    def skip_puback(self, header: bytes) -> None:
        """Takes the PUBACK with this variable header."""
        self._at += 2 + len(header)

    def pending(self) -> int:
        """How many bytes can be read without asking the system."""
        return len(self._unread) - self._at

    def __getattr__(self, name: str) -> Any:
        return getattr(self._line, name)
