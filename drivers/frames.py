"""Bytes to frames and back: COBS, ended by a zero, with a CRC-16. A bounded buffer that never raises.

Source: Cheshire and Baker, Consistent Overhead Byte Stuffing (1999);
CRC-16/IBM-3740; `firmware/PROTOCOL.md`.
"""

from binascii import crc_hqx

from drivers.buffered import Buffered
from drivers.driver import Reject


def frame(payload: bytes) -> bytes:
    """Returns a payload of at most 250 bytes as it is sent."""
    checked = payload + crc_hqx(payload, 0xFFFF).to_bytes(2, "little")
    return b"".join(bytes([len(part) + 1]) + part for part in checked.split(b"\0")) + b"\0"


def payload_of(coded: bytes) -> bytes | Reject:
    """Returns the payload of a frame without its final zero, or the reason why the frame is dropped."""
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


class Frames(Buffered):
    """Collects frames of at most 128 bytes. Version 1 of our protocol has none over 32."""

    longest = 128

    def take(self, data: bytes) -> list[bytes]:
        """Returns the payloads of the frames that these bytes complete."""
        payloads: list[bytes] = []
        for byte in data:
            if byte:
                self._add(byte)
                continue
            if self._buffer:
                found = payload_of(bytes(self._buffer))
                if isinstance(found, bytes):
                    payloads.append(found)
                else:
                    self.rejects[found] += 1
            self._clear()
        return payloads
