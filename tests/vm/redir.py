"""USB devices that live in the test: the far end of QEMU's usb-redir, with a serial device (CDC ACM) behind it.

The guest's kernel sees an ordinary device with whatever numbers and strings
it is given. Connecting the socket plugs it in, closing it pulls it out.
Protocol: usbredir 0.7 (usbredirproto.h); descriptors: USB 2.0 chapter 9, CDC 1.2 and PSTN 1.2.
"""

import contextlib
import socket
import struct
import threading
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HELLO, CONNECT, INTERFACES, ENDPOINTS = 0, 1, 4, 5
SET_CONFIGURATION, GET_CONFIGURATION, CONFIGURATION = 6, 7, 8
SET_ALT, GET_ALT, ALT = 9, 10, 11
START_INTERRUPT, STOP_INTERRUPT, INTERRUPT_STATUS = 15, 16, 17
CANCEL: Final = 21
CONTROL, BULK = 100, 101
CAPABILITIES: Final = sum(1 << bit for bit in (1, 4, 5, 6))
"""Device version, packet sizes, 64-bit ids and 32-bit lengths: what QEMU's xhci asks for."""
STALL, CANCELLED = 4, 1
NO_ENDPOINT: Final = 255


@dataclass(frozen=True, slots=True)
class Strings:
    """What a device says of itself."""

    vid: int
    pid: int
    manufacturer: str
    product: str
    serial: str


class AcmBoard:
    """A board with a USB serial port of its own. `says` puts bytes on the wire, `heard` is what the guest wrote."""

    def __init__(self, path: Path, strings: Strings) -> None:
        self.heard = bytearray()
        self._path, self._strings = path, strings
        self._socket: socket.socket | None = None
        self._wanted: deque[tuple[int, int]] = deque()
        self._unsaid = bytearray()
        self._lock = threading.Lock()

    def plug(self) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(self._path))
        self._wanted.clear()
        self._unsaid.clear()
        self._wide = False
        self._send(HELLO, 0, b"oche test".ljust(64, b"\0") + struct.pack("<I", CAPABILITIES))
        threading.Thread(target=self._serve, args=(self._socket,), daemon=True).start()

    def unplug(self) -> None:
        if self._socket is not None:
            # Closing alone does not wake the thread that reads.
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()
            self._socket = None

    def say(self, data: bytes) -> None:
        with self._lock:
            self._unsaid += data
            self._flush()

    # ------------------------------------------------------------------ the protocol

    def _serve(self, link: socket.socket) -> None:
        with contextlib.suppress(OSError), link.makefile("rb") as stream:
            while header := stream.read(16 if self._wide else 12):
                if len(header) < 12:
                    return
                kind, length, number = struct.unpack("<IIQ" if self._wide else "<III", header)
                body = stream.read(length)
                if kind == HELLO:
                    self._greet(body)
                else:
                    self._answer(kind, number, body)

    def _greet(self, body: bytes) -> None:
        """Ids are 64 bits wide from here on; then the device is described and plugged in."""
        self._wide = bool(struct.unpack_from("<I", body, 64)[0] & 1 << 5)
        places = 32
        self._send(
            INTERFACES,
            0,
            struct.pack("<I", 2)
            + _bytes(places, 0, 1)
            + _bytes(places, 2, 10)
            + _bytes(places, 2, 0)
            + _bytes(places, 0, 0),
        )
        kinds, intervals, owners, sizes = [NO_ENDPOINT] * places, [0] * places, [0] * places, [0] * places
        for place, kind, interval, owner, size in (
            (0, 0, 0, 0, 64),
            (16, 0, 0, 0, 64),
            (17, 3, 16, 0, 16),
            (2, 2, 0, 1, 64),
            (19, 2, 0, 1, 64),
        ):
            kinds[place], intervals[place], owners[place], sizes[place] = kind, interval, owner, size
        self._send(ENDPOINTS, 0, bytes(kinds + intervals + owners) + struct.pack("<32H", *sizes))
        self._send(CONNECT, 0, struct.pack("<BBBBHHH", 1, 2, 0, 0, self._strings.vid, self._strings.pid, 0x0100))

    def _answer(self, kind: int, number: int, body: bytes) -> None:
        if kind == SET_CONFIGURATION:
            self._send(CONFIGURATION, number, bytes([0, body[0]]))
        elif kind == GET_CONFIGURATION:
            self._send(CONFIGURATION, number, bytes([0, 1]))
        elif kind in (SET_ALT, GET_ALT):
            self._send(ALT, number, bytes([0, body[0], 0]))
        elif kind in (START_INTERRUPT, STOP_INTERRUPT):
            self._send(INTERRUPT_STATUS, number, bytes([0, body[0]]))
        elif kind == CONTROL:
            self._control(number, body)
        elif kind == BULK:
            self._bulk(number, body)
        elif kind == CANCEL:
            with self._lock:
                for wanted in [w for w in self._wanted if w[0] == number]:
                    self._wanted.remove(wanted)
                    self._send(BULK, number, struct.pack("<BBHIH", 0x83, CANCELLED, 0, 0, 0))

    def _control(self, number: int, body: bytes) -> None:
        endpoint, request, to, _status, value, index, length = struct.unpack_from("<BBBBHHH", body)
        status, data = 0, b""
        if to & 0x80:
            found = self._descriptor(value) if request == 6 else b"\0\0" if request == 0 else None
            status, data = (STALL, b"") if found is None else (0, found[:length])
            length = len(data)
        self._send(CONTROL, number, struct.pack("<BBBBHHH", endpoint, request, to, status, value, index, length) + data)

    def _bulk(self, number: int, body: bytes) -> None:
        endpoint, _status, low, stream, high = struct.unpack_from("<BBHIH", body)
        length = low | high << 16
        with self._lock:
            if endpoint & 0x80:
                self._wanted.append((number, length))
                self._flush()
            else:
                self.heard += body[10:]
                self._send(BULK, number, struct.pack("<BBHIH", endpoint, 0, low, stream, high))

    def _flush(self) -> None:
        while self._unsaid and self._wanted:
            number, length = self._wanted.popleft()
            data = bytes(self._unsaid[:length])
            del self._unsaid[:length]
            self._send(BULK, number, struct.pack("<BBHIH", 0x83, 0, len(data), 0, 0) + data)

    def _send(self, kind: int, number: int, body: bytes) -> None:
        if self._socket is not None:
            head = struct.pack("<IIQ" if self._wide else "<III", kind, len(body), number)
            with contextlib.suppress(OSError):
                self._socket.sendall(head + body)

    # ------------------------------------------------------------------ the device

    def _descriptor(self, value: int) -> bytes | None:
        match value >> 8, value & 0xFF:
            case 1, _:
                ids = struct.pack("<HHH", self._strings.vid, self._strings.pid, 0x0100)
                return bytes([18, 1, 0, 2, 2, 0, 0, 64]) + ids + bytes([1, 2, 3, 1])
            case 2, _:
                return _configuration()
            case 3, 0:
                return bytes([4, 3, 9, 4])
            case 3, n if n <= 3:
                text = (self._strings.manufacturer, self._strings.product, self._strings.serial)[n - 1].encode(
                    "utf-16-le"
                )
                return bytes([len(text) + 2, 3]) + text
        return None


def _configuration() -> bytes:
    """Two interfaces: the modem's control with its notifications (0x81), and its data (0x02 out, 0x83 in)."""
    parts = [
        bytes([9, 4, 0, 0, 1, 2, 2, 0, 0]),
        bytes([5, 0x24, 0, 0x10, 1]),
        bytes([5, 0x24, 1, 0, 1]),
        bytes([4, 0x24, 2, 2]),
        bytes([5, 0x24, 6, 0, 1]),
        bytes([7, 5, 0x81, 3, 16, 0, 16]),
        bytes([9, 4, 1, 0, 2, 10, 0, 0, 0]),
        bytes([7, 5, 0x02, 2, 64, 0, 0]),
        bytes([7, 5, 0x83, 2, 64, 0, 0]),
    ]
    body = b"".join(parts)
    return struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), 2, 1, 0, 0x80, 50) + body


def _bytes(places: int, *values: int) -> bytes:
    return bytes(values).ljust(places, b"\0")
