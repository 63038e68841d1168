"""Bytes to frames and back: COBS, ended by a zero, with a CRC-16. A bounded buffer that never raises.

Source: Cheshire and Baker, Consistent Overhead Byte Stuffing (1999);
CRC-16/IBM-3740; `firmware/PROTOCOL.md`.
"""

from binascii import crc_hqx
from collections import Counter
from typing import Final

from drivers.driver import Reject

LONGEST: Final = 128
"""Bytes of the longest frame that is kept. Version 1 of our protocol has none over 32."""


def frame(payload: bytes) -> bytes:
    """A payload of at most 250 bytes as it goes over the line."""
    checked = payload + crc_hqx(payload, 0xFFFF).to_bytes(2, "little")
    return b"".join(bytes([len(part) + 1]) + part for part in checked.split(b"\0")) + b"\0"


def payload_of(coded: bytes) -> bytes | Reject:
    """What is in a frame without its zero, or what is wrong with it."""
    data, at = bytearray(), 0
    while at < len(coded):
        end = at + coded[at]
        if end > len(coded):
            return "garbage"
        data += coded[at + 1 : end]
        if end < len(coded):
            data.append(0)
        at = end
    if len(data) < 3:
        return "garbage"
    payload = bytes(data[:-2])
    return payload if crc_hqx(payload, 0xFFFF) == int.from_bytes(data[-2:], "little") else "checksum"


class Frames:
    """Collects bytes and gives the payloads of whole frames; counts what it drops."""

    __slots__ = ("_line", "_skipping", "rejected")

    def __init__(self) -> None:
        self._line = bytearray()
        self._skipping = False
        self.rejected: Counter[Reject] = Counter()

    @property
    def pending(self) -> int:
        return len(self._line)

    def take(self, data: bytes) -> list[bytes]:
        """The payloads that these bytes complete."""
        payloads: list[bytes] = []
        for byte in data:
            if byte:
                self._add(byte)
            else:
                self._end(payloads)
        return payloads

    def reset(self) -> None:
        """Drops the frame that was begun, and counts it."""
        if self._line or self._skipping:
            self.rejected["partial"] += 1
        self._line.clear()
        self._skipping = False

    def _add(self, byte: int) -> None:
        if len(self._line) == LONGEST and not self._skipping:
            # Counted once for the whole frame, however long it gets.
            self.rejected["overflow"] += 1
            self._skipping = True
            self._line.clear()
        if not self._skipping:
            self._line.append(byte)

    def _end(self, payloads: list[bytes]) -> None:
        if self._line:
            found = payload_of(bytes(self._line))
            if isinstance(found, bytes):
                payloads.append(found)
            else:
                self.rejected[found] += 1
        self._line.clear()
        self._skipping = False
