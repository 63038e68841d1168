"""Parses CONNECT, the first packet of an MQTT client, for its name and password.

The proxy reads it before the broker does, because the broker checks passwords on its only thread. The broker then
parses the same bytes and decides; a client that is rejected here does not reach it. Layout: MQTT 3.1.1 and 5.0,
section 3.1.
"""

from dataclasses import dataclass
from typing import Final

from engine.refusals import Refusal

MAX_BYTES: Final = 16 * 1024
"""The largest CONNECT accepted from the network: names, a password, and a command as the will."""
_CONNECT: Final = 0x10
_VERSION_5: Final = 5
_WILL, _PASSWORD, _USER = 0x04, 0x40, 0x80


@dataclass(frozen=True, slots=True)
class Connect:
    """The credentials of a CONNECT; `user` is `None` without a name. `version` is the protocol level: 3, 4 or 5."""

    version: int
    user: str | None
    password: str | None

    @property
    def refused(self) -> bytes:
        """The CONNACK for a wrong name or password, as mosquitto sends it: "not authorized"."""
        return bytes.fromhex("2003008700" if self.version == _VERSION_5 else "20020005")


BAD: Final = Refusal(
    "bad_value", f"The first packet is not a CONNECT of MQTT 3.1, 3.1.1 or 5 of at most {MAX_BYTES} bytes."
)


def read_connect(data: bytes) -> Connect | Refusal | None:
    """The CONNECT at the beginning of `data`; `None` while it is incomplete."""
    if not data:
        return None
    if data[0] != _CONNECT:
        return BAD
    length = _length(data, 1)
    if isinstance(length, Refusal) or length is None:
        return length
    size, start = length
    if start + size > MAX_BYTES:
        return BAD
    if len(data) < start + size:
        return None
    try:
        return _read(_Fields(data[start : start + size]))
    except (ValueError, IndexError):
        return BAD


def _length(data: bytes, at: int) -> tuple[int, int] | Refusal | None:
    """A variable byte integer and the offset after it."""
    value = 0
    for n in range(4):
        if at + n >= len(data):
            return None
        value |= (data[at + n] & 0x7F) << 7 * n
        if not data[at + n] & 0x80:
            return value, at + n + 1
    return BAD


class _Fields:
    """Reads one field after the other. IndexError or ValueError: the packet is too short."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def take(self, size: int) -> bytes:
        found = self._data[self._at : self._at + size]
        if len(found) < size:
            raise ValueError("the packet is too short")
        self._at += size
        return found

    def sized(self) -> bytes:
        return self.take(int.from_bytes(self.take(2)))

    def properties(self) -> None:
        found = _length(self._data, self._at)
        if found is None or isinstance(found, Refusal):
            raise ValueError("no valid length")
        size, self._at = found
        self.take(size)


def _read(fields: _Fields) -> Connect | Refusal:
    name, version = fields.sized(), fields.byte()
    if (name, version) not in ((b"MQIsdp", 3), (b"MQTT", 4), (b"MQTT", _VERSION_5)):
        return BAD
    flags = fields.byte()
    fields.take(2)  # keep-alive
    if version == _VERSION_5:
        fields.properties()
    fields.sized()  # client id
    if flags & _WILL:
        if version == _VERSION_5:
            fields.properties()
        fields.sized()
        fields.sized()
    user = fields.sized().decode() if flags & _USER else None
    password = fields.sized().decode() if flags & _PASSWORD else None
    return Connect(version, user, password)
