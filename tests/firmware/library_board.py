"""The portable C of the firmware as a library of this machine, with a program around it that stands for a chip."""

import ctypes
import heapq
import shutil
import subprocess
from _ctypes import dlclose
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

from tests.firmware.any_board import AnyBoard, Cell, Event, Part, joined
from tests.firmware.avr_parts import FIRMWARE
from tests.firmware.board import NEVER
from tests.firmware.simavr import MHZ

PROGRAM: Final = Path(__file__).parent / "library" / "board.c"
LIBRARY: Final = Part(
    "library",
    "",
    tuple(("row", n) for n in range(8)),
    tuple(("column", n) for n in range(10)),
    tuple(("input", n) for n in range(6)),
)
HAS_COMPILER: Final = shutil.which("gcc") is not None


@cache
def library(folder: Path) -> Path:
    """Builds it with a C compiler of this machine, without warnings, or fails."""
    options = ["INPUTS=6", "LIBRARY_OPTIONS=-fPIC"]
    archive, linked = folder / "library" / "liboche.a", folder / "library" / "board.so"
    commands = (
        ["make", "-C", str(FIRMWARE), f"OUT={archive.parent}", "CC=gcc", *options, str(archive)],
        ["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{FIRMWARE}", "-o", str(linked),
         str(PROGRAM), str(archive)],
    )  # fmt: skip
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and "warning" not in done.stderr, done.stdout + done.stderr
    return linked


class LibraryBoard(AnyBoard):
    """The library in this process, which runs it for as long as asked. Only one at a time: its state is global."""

    def __init__(self, file: Path) -> None:
        super().__init__(LIBRARY)
        self._file = file
        self._events: list[Event] = []
        self._count = self._epoch = 0
        self._in_end = 0
        self._begin(0)

    def _begin(self, micros: int) -> None:
        self._code = ctypes.CDLL(str(self._file))
        self._nets = (ctypes.c_uint32 * 8).in_dll(self._code, "nets")
        self._pressed = ctypes.c_uint32.in_dll(self._code, "pressed")
        self._micros = ctypes.c_uint32.in_dll(self._code, "micros")
        self._sent = (ctypes.c_uint8 * 4096).in_dll(self._code, "sent")
        self._sent_at = (ctypes.c_uint32 * 4096).in_dll(self._code, "sent_at")
        self._sent_count = ctypes.c_uint32.in_dll(self._code, "sent_count")
        self._code.hear.argtypes = (ctypes.c_uint8,)
        self._code.run_until.argtypes = (ctypes.c_uint32,)
        ctypes.c_uint8.in_dll(self._code, "own_epoch").value = self._epoch
        self._micros.value = micros
        self._join()
        self._code.oche_begin()

    @property
    def now(self) -> int:
        return int(self._micros.value) * MHZ

    @property
    def misdriven(self) -> int:
        """How often a row was driven twice, or freed twice."""
        return int(ctypes.c_uint32.in_dll(self._code, "high").value)

    def at(self, cycle: int, do: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._events, Event(cycle, self._count, do))

    def run_until(self, cycle: int) -> None:
        while True:
            while self._events and self._events[0].cycle <= self.now:
                heapq.heappop(self._events).do()
            if self.now >= cycle:
                return
            due = min(cycle, self._events[0].cycle if self._events else NEVER)
            self._code.run_until(-(-due // MHZ))
            count, self._sent_count.value = self._sent_count.value, 0
            for n in range(count):
                self.sent.append((self._sent[n], self._sent_at[n] * MHZ))
                self.heard(*self.sent[-1])

    def close(self, cell: Cell) -> None:
        self.closed.add(cell)
        self._join()

    def open(self, cell: Cell) -> None:
        self.closed.discard(cell)
        self._join()

    def _join(self) -> None:
        nets = joined(self.closed)
        for row in range(8):
            self._nets[row] = nets.get(row, 0)

    def press(self, number: int, down: bool) -> None:
        bit = 1 << 16 + number
        self._pressed.value = self._pressed.value | bit if down else self._pressed.value & ~bit

    def say(self, data: bytes) -> None:
        for byte in data:
            self._in_end = max(self._in_end, self.now) + 10 * MHZ
            self.at(self._in_end, lambda byte=byte: self._code.hear(byte))  # type: ignore[misc]

    def reset(self) -> None:
        """Its memory is not kept: with another epoch it starts from the beginning."""
        micros, pressed = self._micros.value, self._pressed.value
        self.end()
        self._epoch += 1
        self._begin(micros)
        self._pressed.value = pressed

    def cut_power(self) -> None:
        self.reset()

    def end(self) -> None:
        """Unloads it: the next one starts with memory that nothing has written to."""
        dlclose(self._code._handle)
