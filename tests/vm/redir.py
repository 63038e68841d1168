"""USB devices that live in the test: the far end of QEMU's usb-redir.

The guest's kernel sees an ordinary device with whatever numbers, strings and
interfaces it is given; `HidBoard` is one, `serial_devices.py` has those with a serial line. Connecting the
socket plugs it in, closing it pulls it out.
Protocol: usbredir 0.7 (usbredirproto.h); descriptors: USB 2.0 chapter 9.
"""

import contextlib
import socket
import struct
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HELLO, CONNECT, INTERFACES, ENDPOINTS = 0, 1, 4, 5
SET_CONFIGURATION, GET_CONFIGURATION, CONFIGURATION = 6, 7, 8
SET_ALT, GET_ALT, ALT = 9, 10, 11
START_INTERRUPT, STOP_INTERRUPT, INTERRUPT_STATUS = 15, 16, 17
CANCEL: Final = 21
CONTROL, BULK, INTERRUPT = 100, 101, 103
CAPABILITIES: Final = sum(1 << bit for bit in (1, 4, 5, 6))
"""Device version, packet sizes, 64-bit ids and 32-bit lengths: what QEMU's xhci asks for."""
STALL, CANCELLED = 4, 1
NO_ENDPOINT: Final = 255
PLACES: Final = 32
"""The tables of endpoints: 16 that take, then 16 that send."""
BULK_KIND, INTERRUPT_KIND = 2, 3
FIFO: Final = 2
"""Reports that a device's chip keeps until the host asks for them: its endpoints have two buffers."""


@dataclass(frozen=True, slots=True)
class Strings:
    """What a device says of itself; an empty text is one that it has not got."""

    vid: int
    pid: int
    manufacturer: str
    product: str
    serial: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`address` as in its descriptor, with bit 7 where it sends; `extra` stands between interface and endpoints."""

    address: int
    kind: int
    size: int
    interval: int = 0

    @property
    def place(self) -> int:
        return (self.address & 15) + (16 if self.address & 0x80 else 0)

    def descriptor(self) -> bytes:
        return struct.pack("<BBBBHB", 7, 5, self.address, self.kind, self.size, self.interval)


@dataclass(frozen=True, slots=True)
class Interface:
    """Class, subclass and protocol; the descriptors of that class (`extra`), and its endpoints."""

    kind: tuple[int, int, int]
    extra: bytes
    endpoints: tuple[Endpoint, ...]

    def descriptor(self, number: int) -> bytes:
        head = bytes([9, 4, number, 0, len(self.endpoints), *self.kind, 0])
        return head + self.extra + b"".join(endpoint.descriptor() for endpoint in self.endpoints)


class Device:
    """A device of one configuration. Full speed, as boards are."""

    def __init__(self, path: Path, strings: Strings, kind: int, *interfaces: Interface) -> None:
        self._path, self._strings, self._kind, self._interfaces = path, strings, kind, interfaces
        self._socket: socket.socket | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def plug(self) -> None:
        self.unplug()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(self._path))
        self._plugged()
        self._wide = False
        self._send(HELLO, 0, b"oche test".ljust(64, b"\0") + struct.pack("<I", CAPABILITIES))
        self._thread = threading.Thread(target=self._serve, args=(self._socket,), daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        if self._socket is not None and self._thread is not None:
            # Closing alone does not wake the thread that reads.
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            self._thread.join()
            self._socket.close()
            self._socket = None

    # ------------------------------------------------------------------ what a kind of device says for itself

    def _plugged(self) -> None:
        """It has power again: nothing is left of what was before."""

    def _asked(self, to: int, request: int, value: int) -> bytes | None:
        """The answer to a request of its class or its maker; None where it has none."""
        return None

    def _told(self, to: int, request: int, value: int, data: bytes) -> None:
        """The guest sets something by a request of the device's class or its maker."""

    def _started(self, *, listens: bool) -> None:
        """The guest begins or ends to listen to the endpoint that sends interrupts."""

    def _bulk(self, number: int, endpoint: int, length: int, data: bytes) -> None:
        """The guest writes to an endpoint, or asks for this many bytes of it."""

    def _cancelled(self, number: int) -> None:
        """The guest no longer wants these bytes."""

    # ------------------------------------------------------------------ the protocol

    def _serve(self, link: socket.socket) -> None:
        with contextlib.suppress(OSError), link.makefile("rb") as stream:
            while len(header := stream.read(16 if self._wide else 12)) >= 12:
                if self._wide and len(header) < 16:
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
        columns = zip(*(face.kind for face in self._interfaces), strict=True)
        tables = (range(len(self._interfaces)), *columns)
        told = b"".join(bytes(table).ljust(PLACES, b"\0") for table in tables)
        self._send(INTERFACES, 0, struct.pack("<I", len(self._interfaces)) + told)
        kinds, intervals, owners, sizes = [NO_ENDPOINT] * PLACES, [0] * PLACES, [0] * PLACES, [0] * PLACES
        for place in (0, 16):
            kinds[place], sizes[place] = 0, 64
        for owner, face in enumerate(self._interfaces):
            for point in face.endpoints:
                kinds[point.place], intervals[point.place] = point.kind, point.interval
                owners[point.place], sizes[point.place] = owner, point.size
        self._send(ENDPOINTS, 0, bytes(kinds + intervals + owners) + struct.pack("<32H", *sizes))
        ids = (self._strings.vid, self._strings.pid, 0x0100)
        self._send(CONNECT, 0, struct.pack("<BBBBHHH", 1, self._kind, 0, 0, *ids))

    def _answer(self, kind: int, number: int, body: bytes) -> None:
        if kind == SET_CONFIGURATION:
            self._send(CONFIGURATION, number, bytes([0, body[0]]))
        elif kind == GET_CONFIGURATION:
            self._send(CONFIGURATION, number, bytes([0, 1]))
        elif kind in (SET_ALT, GET_ALT):
            self._send(ALT, number, bytes([0, body[0], 0]))
        elif kind in (START_INTERRUPT, STOP_INTERRUPT):
            self._send(INTERRUPT_STATUS, number, bytes([0, body[0]]))
            self._started(listens=kind == START_INTERRUPT)
        elif kind == CONTROL:
            self._control(number, body)
        elif kind == BULK:
            endpoint, _status, low, _stream, high = struct.unpack_from("<BBHIH", body)
            self._bulk(number, endpoint, low | high << 16, body[10:])
        elif kind == CANCEL:
            self._cancelled(number)

    def _control(self, number: int, body: bytes) -> None:
        endpoint, request, to, _status, value, index, length = struct.unpack_from("<BBBBHHH", body)
        status, data = 0, b""
        if to & 0x80:
            found = self._asked(to, request, value)
            if found is None and (to, request) == (0x80, 6):
                found = self._descriptor(value)
            if found is None and request == 0:
                found = b"\0\0"
            status, data = (STALL, b"") if found is None else (0, found[:length])
            length = len(data)
        else:
            self._told(to, request, value, body[10:])
        self._send(CONTROL, number, struct.pack("<BBBBHHH", endpoint, request, to, status, value, index, length) + data)

    def _send(self, kind: int, number: int, body: bytes) -> None:
        if self._socket is not None:
            head = struct.pack("<IIQ" if self._wide else "<III", kind, len(body), number)
            with contextlib.suppress(OSError):
                self._socket.sendall(head + body)

    def _descriptor(self, value: int) -> bytes | None:
        match value >> 8, value & 0xFF:
            case 1, _:
                ids = struct.pack("<HHH", self._strings.vid, self._strings.pid, 0x0100)
                texts = (self._strings.manufacturer, self._strings.product, self._strings.serial)
                numbers = [number if text else 0 for number, text in enumerate(texts, 1)]
                return bytes([18, 1, 0, 2, self._kind, 0, 0, 64]) + ids + bytes([*numbers, 1])
            case 2, _:
                body = b"".join(face.descriptor(number) for number, face in enumerate(self._interfaces))
                return struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), len(self._interfaces), 1, 0, 0x80, 50) + body
            case 3, 0:
                return bytes([4, 3, 9, 4])
            case 3, n if n <= 3:
                said = (self._strings.manufacturer, self._strings.product, self._strings.serial)[n - 1]
                text = said.encode("utf-16-le")
                return bytes([len(text) + 2, 3]) + text
        return None


class HidBoard(Device):
    """A board that sends HID reports of 8 bytes, from one endpoint (0x81); HID 1.11.

    With `types` it is a keyboard with a keyboard's boot report (appendix B.1): modifiers, a byte of nothing, up to
    six keys. Else its bytes mean what its maker says, and no driver but the general one takes it.
    """

    MAKERS_OWN: Final = bytes.fromhex("0600ff0901a1010902150026ff00750895088102c0")
    KEYBOARD: Final = bytes.fromhex(
        "05010906a101050719e029e7150025017501950881029501750881019505750105081901290591029501750391019506750815002565"
        "05071900296581 00c0"
    )

    def __init__(self, path: Path, strings: Strings, *, types: bool = False) -> None:
        self._shape = self.KEYBOARD if types else self.MAKERS_OWN
        hid = struct.pack("<BBHBBBH", 9, 0x21, 0x0111, 0, 1, 0x22, len(self._shape))
        kind = (3, 1, 1) if types else (3, 0, 0)
        super().__init__(path, strings, 0, Interface(kind, hid, (Endpoint(0x81, INTERRUPT_KIND, 8, 10),)))
        self._now = bytes(8)
        self._waiting: list[bytes] = []
        self._listened_to = False
        self._count = 0

    def say(self, report: bytes) -> None:
        """What is closed from now on."""
        with self._lock:
            self._now = report.ljust(8, b"\0")
            if len(self._waiting) < FIFO:
                self._waiting.append(self._now)
            self._flush()

    def _plugged(self) -> None:
        self._now, self._listened_to = bytes(8), False
        self._waiting.clear()

    def _started(self, *, listens: bool) -> None:
        with self._lock:
            self._listened_to = listens
            self._flush()

    def _flush(self) -> None:
        while self._listened_to and self._waiting:
            self._count += 1
            self._send(INTERRUPT, self._count, struct.pack("<BBH", 0x81, 0, 8) + self._waiting.pop(0))

    def _asked(self, to: int, request: int, value: int) -> bytes | None:
        match to, request, value >> 8:
            case 0x81, 6, 0x22:
                return self._shape
            case 0xA1, 1, _:
                return self._now
        return None
