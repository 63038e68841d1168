"""Boot loaders on a pty: an Uno's (STK500 version 1), a Mega's (version 2), a Leonardo's (AVR109), each with a flash.

They answer the real avrdude. Source: Atmel's application notes AVR061, AVR068
and AVR109.
"""

import contextlib
import os
import select
import threading
import tty
from dataclasses import dataclass, field


@dataclass
class Bootloader:
    """A part that waits to be programmed. `sick` flashes forget a bit; `silent` ones never answer."""

    signature: bytes
    sick: bool = False
    silent: bool = False
    flash: bytearray = field(default_factory=lambda: bytearray(b"\xff" * 0x40000))
    asked: bytearray = field(default_factory=bytearray)
    """The commands that came, one byte each."""

    def __post_init__(self) -> None:
        self._ours, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        self.port = os.ttyname(self._theirs)
        self._address = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._live)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        os.close(self._ours)
        os.close(self._theirs)

    @property
    def written(self) -> bool:
        return any(byte != 0xFF for byte in self.flash)

    def _live(self) -> None:
        while not self._stop.is_set():
            # What is half a command when the caller has gone away is dropped.
            with contextlib.suppress(TimeoutError):
                command = self._take(1)
                if not self.silent:
                    self._obey(command[0])

    def _take(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            if self._stop.is_set() or not select.select([self._ours], [], [], 0.05)[0]:
                raise TimeoutError
            data += os.read(self._ours, size - len(data))
        return data

    def _say(self, data: bytes) -> None:
        os.write(self._ours, data)

    def _put(self, at: int, data: bytes) -> None:
        self.flash[at : at + len(data)] = bytes([data[0] & 0xFE]) + data[1:] if self.sick else data

    def _obey(self, command: int) -> None:
        raise NotImplementedError


class UnoLoader(Bootloader):
    """STK500 version 1: commands end with a blank, answers are between 0x14 and 0x10."""

    def _obey(self, command: int) -> None:
        parameters = {0x41: 1, 0x42: 20, 0x45: 5, 0x55: 2, 0x56: 4, 0x64: 3, 0x74: 3}.get(command, 0)
        given = self._take(parameters)
        data = self._take(given[0] << 8 | given[1]) if command == 0x64 else b""
        if self._take(1) != b" ":
            return
        self.asked.append(command)
        answer = b""
        match command:
            case 0x41:
                answer = b"\x04"
            case 0x55:
                self._address = 2 * (given[0] | given[1] << 8)
            case 0x56:
                answer = b"\0"
            case 0x64:
                self._put(self._address, data)
            case 0x74:
                answer = bytes(self.flash[self._address : self._address + (given[0] << 8 | given[1])])
            case 0x75:
                answer = self.signature
        self._say(b"\x14" + answer + b"\x10")


class MegaLoader(Bootloader):
    """STK500 version 2: messages with a number, a length and a sum."""

    def _obey(self, command: int) -> None:
        if command != 0x1B:
            return
        head = self._take(4)
        body = self._take(head[1] << 8 | head[2])
        self._take(1)
        self.asked.append(body[0])
        answer = bytes([body[0], 0]) + self._answer(body)
        message = bytes([0x1B, head[0], len(answer) >> 8, len(answer) & 0xFF, 0x0E]) + answer
        total = 0
        for byte in message:
            total ^= byte
        self._say(message + bytes([total]))

    def _answer(self, body: bytes) -> bytes:
        match body[0]:
            case 0x01:
                return b"\x08AVRISP_2"
            case 0x03:
                return b"\x02"
            case 0x06:
                self._address = 2 * (int.from_bytes(body[1:5], "big") & 0x7FFFFFFF)
            case 0x13:
                size = body[1] << 8 | body[2]
                self._put(self._address, body[10 : 10 + size])
                self._address += size
            case 0x14:
                size = body[1] << 8 | body[2]
                self._address += size
                return bytes(self.flash[self._address - size : self._address]) + b"\0"
            case 0x1B:
                # One byte of the signature: which, is in the third byte of the chip's own command.
                return bytes([self.signature[body[4]], 0])
        return b""


class LeonardoLoader(Bootloader):
    """AVR109: letters, and a carriage return where there is nothing to say."""

    def _obey(self, command: int) -> None:
        self.asked.append(command)
        match chr(command):
            case "S":
                self._say(b"CATERIN")
            case "V" | "v":
                self._say(b"10")
            case "p":
                self._say(b"S")
            case "a":
                self._say(b"Y")
            case "b":
                self._say(b"Y\0\x80")
            case "t":
                self._say(b"D\0")
            case "s":
                self._say(self.signature[::-1])
            case "r" | "F" | "N" | "Q":
                self._say(b"\xff")
            case "A":
                high, low = self._take(2)
                self._address = 2 * (high << 8 | low)
                self._say(b"\r")
            case "B":
                high, low, _kind = self._take(3)
                data = self._take(high << 8 | low)
                self._put(self._address, data)
                self._address += len(data)
                self._say(b"\r")
            case "g":
                high, low, _kind = self._take(3)
                size = high << 8 | low
                self._say(bytes(self.flash[self._address : self._address + size]))
                self._address += size
            case "T" | "x" | "y":
                self._take(1)
                self._say(b"\r")
            case "P" | "L" | "E" | "e":
                self._say(b"\r")
            case _:
                self._say(b"?")
