"""A USB host for the emulated ATmega32U4: it enumerates the board, opens its serial line, and reads and writes.

The emulator has the device's end of the USB alone, and is asked for packets. A
host that is told to wait lets the board run and asks again, as on a bus.

Source: Universal Serial Bus 2.0, chapter 9; the communication device class.
"""

import ctypes
from ctypes import POINTER, Structure, c_uint8, c_uint32
from typing import Final

from tests.firmware.board import Board
from tests.firmware.simavr import MHZ, code

READ, WRITE, SETUP, RESET = code("usbr"), code("usbw"), code("usbs"), code("usbR")
WAIT, STALL = -2, -3
FROM_HOST, TO_HOST = 2, 3
STARTED_MS: Final = 150
"""After that a new board has made its identity and looks at the bus."""
TRIES: Final = 4000
"""Of 5 us each: a device must answer within some ms."""


class _Packet(Structure):
    _fields_ = (("pipe", c_uint8), ("size", c_uint32), ("data", POINTER(c_uint8)))


class Stalled(Exception):
    """The device does not know what it was asked."""


class UsbHost:
    """One host on one board."""

    def __init__(self, board: Board) -> None:
        self.board = board

    # ---- enumeration ----

    def enumerate(self) -> tuple[bytes, bytes]:
        """Resets the bus, gives the device an address and sets it up. Its descriptors: device and configuration."""
        self._ask(RESET, 0, b"")
        self.board.run_ms(2)
        device = self.control_in(0x80, 6, 0x0100, 0, 64)
        self.control_out(0x00, 5, 7, 0)
        whole = int.from_bytes(self.control_in(0x80, 6, 0x0200, 0, 9)[2:4], "little")
        configuration = self.control_in(0x80, 6, 0x0200, 0, whole)
        self.control_out(0x00, 9, configuration[5], 0)
        return device, configuration

    def string(self, number: int) -> str:
        return self.control_in(0x80, 6, 0x0300 | number, 0x0409, 255)[2:].decode("utf-16-le")

    def open(self, baud: int = 1_000_000) -> None:
        """As a program opens the port: line coding, then the line's state."""
        self.control_out(0x21, 0x20, 0, 0, baud.to_bytes(4, "little") + b"\0\0\x08")
        self.control_out(0x21, 0x22, 3, 0)

    # ---- transfers ----

    def control_in(self, kind: int, what: int, value: int, index: int, length: int) -> bytes:
        self._setup(kind, what, value, index, length)
        data = b""
        while len(data) < length:
            piece = self._until(READ, 0, b"")
            data += piece
            if len(piece) < 64:
                break
        self._until(WRITE, 0, b"")
        self.board.run(20 * MHZ)
        return data

    def control_out(self, kind: int, what: int, value: int, index: int, data: bytes = b"") -> None:
        self._setup(kind, what, value, index, len(data))
        if data:
            self._until(WRITE, 0, data)
        assert self._until(READ, 0, b"") == b""
        self.board.run(20 * MHZ)

    def write(self, data: bytes) -> None:
        for at in range(0, len(data), 64):
            self._until(WRITE, FROM_HOST, data[at : at + 64])

    def poll(self) -> bytes:
        """What is there to be fetched now."""
        _, data = self._ask(READ, TO_HOST, b"")
        return data

    def _setup(self, kind: int, what: int, value: int, index: int, length: int) -> None:
        words = b"".join(number.to_bytes(2, "little") for number in (value, index, length))
        self._until(SETUP, 0, bytes([kind, what]) + words)
        self.board.run(30 * MHZ)

    def _until(self, what: int, pipe: int, data: bytes) -> bytes:
        for _ in range(TRIES):
            result, answer = self._ask(what, pipe, data)
            if result == STALL:
                raise Stalled
            if result != WAIT:
                return answer
            self.board.run(5 * MHZ)
        raise AssertionError("the device keeps its host waiting")

    def _ask(self, what: int, pipe: int, data: bytes) -> tuple[int, bytes]:
        room = (c_uint8 * 128)(*data)
        packet = _Packet(pipe, len(data), room)
        result = self.board.avr.ask(what, ctypes.byref(packet))
        return result, bytes(room[: packet.size]) if what == READ and result >= 0 else b""


def plugged(board: Board) -> UsbHost:
    """A board on the USB of a computer, its port open."""
    host = UsbHost(board)
    host.enumerate()
    host.open()
    return host
