"""USB devices with a serial line, for the far end of QEMU's usb-redir: a CDC device, and the two chips of most clones.

A chip answers what Linux' own driver asks it, and passes bytes. Its rate is kept and not simulated.
Source: the drivers cdc-acm, ch341 and cp210x of Linux 6.1; CDC 1.2 and PSTN 1.2; AN571 of Silicon Labs.
"""

import struct
from collections import deque
from pathlib import Path
from typing import Final

from tests.vm.redir import BULK, BULK_KIND, CANCELLED, INTERRUPT_KIND, Device, Endpoint, Interface, Strings

FROM_CHIP, FROM_INTERFACE, TO_INTERFACE = 0xC0, 0xC1, 0x41
"""Types of requests that a maker has defined."""


class SerialDevice(Device):
    """A device with a serial line. `say` puts bytes on the wire, `heard` is what the guest wrote."""

    def __init__(self, path: Path, strings: Strings, kind: int, *interfaces: Interface) -> None:
        super().__init__(path, strings, kind, *interfaces)
        points = (point for face in interfaces for point in face.endpoints if point.kind == BULK_KIND)
        self._in = next(point.address for point in points if point.address & 0x80)
        self.heard = bytearray()
        self._wanted: deque[tuple[int, int]] = deque()
        self._unsaid = bytearray()

    def say(self, data: bytes) -> None:
        with self._lock:
            self._unsaid += data
            self._flush()

    def _plugged(self) -> None:
        self._wanted.clear()
        self._unsaid.clear()

    def _bulk(self, number: int, endpoint: int, length: int, data: bytes) -> None:
        with self._lock:
            if endpoint & 0x80:
                self._wanted.append((number, length))
                self._flush()
            else:
                self.heard += data
                self._send(BULK, number, struct.pack("<BBHIH", endpoint, 0, length & 0xFFFF, 0, length >> 16))

    def _cancelled(self, number: int) -> None:
        with self._lock:
            for wanted in [w for w in self._wanted if w[0] == number]:
                self._wanted.remove(wanted)
                self._send(BULK, number, struct.pack("<BBHIH", self._in, CANCELLED, 0, 0, 0))

    def _flush(self) -> None:
        while self._unsaid and self._wanted:
            number, length = self._wanted.popleft()
            data = bytes(self._unsaid[:length])
            del self._unsaid[:length]
            self._send(BULK, number, struct.pack("<BBHIH", self._in, 0, len(data), 0, 0) + data)


class AcmBoard(SerialDevice):
    """A board with a USB serial port of its own.

    Two interfaces: the modem's control with its notifications (0x81), and its data (0x02 out, 0x83 in).
    """

    def __init__(self, path: Path, strings: Strings) -> None:
        modem = bytes([5, 0x24, 0, 0x10, 1, 5, 0x24, 1, 0, 1, 4, 0x24, 2, 2, 5, 0x24, 6, 0, 1])
        control = Interface((2, 2, 0), modem, (Endpoint(0x81, INTERRUPT_KIND, 16, 16),))
        data = Interface((10, 0, 0), b"", (Endpoint(0x02, BULK_KIND, 64), Endpoint(0x83, BULK_KIND, 64)))
        super().__init__(path, strings, 2, control, data)


class Ch340(SerialDevice):
    """A board behind a CH340: no maker and no serial number, as most have none."""

    VERSION: Final = b"\x31\0"
    REGISTERS: Final = b"\x9f\xee"
    """Of any two that are read: modem lines that are high, a line that is idle."""

    def __init__(self, path: Path) -> None:
        ends = (Endpoint(0x82, BULK_KIND, 32), Endpoint(0x02, BULK_KIND, 32), Endpoint(0x81, INTERRUPT_KIND, 8, 1))
        super().__init__(path, Strings(0x1A86, 0x7523, "", "USB Serial", ""), 0xFF, Interface((0xFF, 1, 2), b"", ends))

    def _asked(self, to: int, request: int, value: int) -> bytes | None:
        return {0x5F: self.VERSION, 0x95: self.REGISTERS}.get(request) if to == FROM_CHIP else None


class Cp2102(SerialDevice):
    """A board behind a CP2102."""

    PART: Final = b"\x02"
    LINE, FLOW, RATE = 0x03, 0x13, 0x1E
    """Requests that set something; the one that asks for it has the next number, for the rate the one before."""

    def __init__(self, path: Path) -> None:
        product = "CP2102 USB to UART Bridge Controller"
        ends = (Endpoint(0x81, BULK_KIND, 64), Endpoint(0x01, BULK_KIND, 64))
        strings = Strings(0x10C4, 0xEA60, "Silicon Labs", product, "0001")
        super().__init__(path, strings, 0, Interface((0xFF, 0, 0), b"", ends))
        self.rate = 0
        self._line, self._flow = 0x0800, bytes(16)

    def _asked(self, to: int, request: int, value: int) -> bytes | None:
        if (to, request, value) == (FROM_CHIP, 0xFF, 0x370B):
            return self.PART
        if to != FROM_INTERFACE:
            return None
        return {
            self.LINE + 1: struct.pack("<H", self._line),
            self.FLOW + 1: self._flow,
            self.RATE - 1: struct.pack("<I", self.rate),
            0x08: b"\x30",  # the modem's lines: clear to send, data set ready
            0x10: bytes(19),  # nothing waits in its buffers
        }.get(request)

    def _told(self, to: int, request: int, value: int, data: bytes) -> None:
        if to == TO_INTERFACE and request == self.LINE:
            self._line = value
        elif to == TO_INTERFACE and request == self.FLOW:
            self._flow = data
        elif to == TO_INTERFACE and request == self.RATE:
            (self.rate,) = struct.unpack("<I", data)
