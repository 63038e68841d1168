"""The AVR emulator simavr 1.6 through its shared library: what of it the tests need, with its habits worked round.

Source: the headers and the library of Debian's libsimavr2. Only the head of its
main structure is relied on, and looked for when a part is made.
"""

import ctypes
import random
from collections.abc import Callable
from ctypes import CFUNCTYPE, Structure, c_char_p, c_int, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p
from ctypes.util import find_library
from functools import cache
from pathlib import Path
from typing import Any, Final

MHZ: Final = 16
FREQUENCY: Final = MHZ * 1_000_000

NOTIFY = CFUNCTYPE(None, c_void_p, c_uint32, c_void_p)
TIMER = CFUNCTYPE(c_uint64, c_void_p, c_uint64, c_void_p)
LOG = CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_void_p)

Listener = Callable[[int, int, int], None]
"""Called with a place of the emulator, its new value, and nothing of use."""

PIN_ALL_DIRECTIONS: Final = 9
PORT_REGISTER: Final = 10
UART_INPUT: Final = 0
UART_OUTPUT: Final = 1
FOR_EVER: Final = 1 << 62

RAM: Final = {"atmega328p": (0x100, 0x900), "atmega2560": (0x200, 0x2200), "atmega32u4": (0x100, 0xB00)}
PORTS: Final = {port: 0x20 + 3 * n for n, port in enumerate("ABCDEFG")} | {
    port: 0x100 + 3 * n for n, port in enumerate("HJKL")
}
"""Where PIN, DDR and PORT of a port are: one after the other."""
TIMER_INTERRUPTS: Final = (0x6E, 0x6F)
RESET_CAUSE: Final = 0x54
BY_RESET_PIN: Final = 0x02
STUB: Final = 0x6000
"""Behind each of our images, and in front of each boot loader."""


class _Head(Structure):
    """Where the state of the processor begins."""

    _pack_ = 1  # the state stands on a half of eight, and what follows is without gaps
    _fields_ = (
        ("state", c_int),
        ("frequency", c_uint32),
        ("volts", c_uint32 * 3),
        ("cycle", c_uint64),
        ("run_cycle_count", c_uint64),
        ("run_cycle_limit", c_uint64),
    )


@cache
def library() -> ctypes.CDLL | None:
    """The emulator; None where it is not installed."""
    name = find_library("simavr") or "libsimavr.so.2"
    try:
        lib = ctypes.CDLL(name)
    except OSError:
        return None
    lib.avr_make_mcu_by_name.restype = c_void_p
    lib.avr_make_mcu_by_name.argtypes = [c_char_p]
    lib.avr_init.argtypes = lib.avr_reset.argtypes = lib.avr_run.argtypes = lib.avr_terminate.argtypes = [c_void_p]
    lib.avr_loadcode.argtypes = [c_void_p, c_char_p, c_uint32, c_uint32]
    lib.avr_io_getirq.restype = c_void_p
    lib.avr_io_getirq.argtypes = [c_void_p, c_uint32, c_int]
    lib.avr_irq_register_notify.argtypes = [c_void_p, NOTIFY, c_void_p]
    lib.avr_raise_irq.argtypes = [c_void_p, c_uint32]
    lib.avr_core_watch_write.argtypes = [c_void_p, c_uint16, c_uint8]
    lib.avr_core_watch_read.argtypes = [c_void_p, c_uint16]
    lib.avr_core_watch_read.restype = c_uint8
    lib.avr_ioctl.argtypes = [c_void_p, c_uint32, c_void_p]
    lib.avr_cycle_timer_register.argtypes = [c_void_p, c_uint64, TIMER, c_void_p]
    lib.avr_cycle_timer_cancel.argtypes = [c_void_p, TIMER, c_void_p]
    lib.avr_extint_set_strict_lvl_trig.argtypes = [c_void_p, c_uint8, c_uint8]
    lib.avr_global_logger_set.argtypes = [LOG]
    lib.avr_global_logger_set(_SILENT)
    return lib


_SILENT = LOG(lambda _avr, _level, _text, _arguments: None)


def code(letters: str) -> int:
    """The name of a request to a part of the chip."""
    a, b, c, d = letters.encode()
    return a << 24 | b << 16 | c << 8 | d


class Avr:
    """One part with an image in its flash, at 16 MHz, in virtual time.

    It starts, and restarts, behind `boot_loader`. Without one, code runs first that leaves what the worst of them
    could: every pin is an output that is low, and timers interrupt. The memory holds nonsense.
    """

    def __init__(self, part: str, image: Path, boot_loader: Path | None = None) -> None:
        lib = library()
        assert lib is not None
        self._lib = lib
        self._avr = lib.avr_make_mcu_by_name(part.encode())
        if not self._avr:
            raise ValueError(f"the emulator knows no {part}")
        lib.avr_init(self._avr)
        self._head = self._find_head()
        self._head.frequency = FREQUENCY
        self._sleep_in_virtual_time()
        self._ram = RAM[part]
        self._find_program_counter()
        self._image = _pieces_of_hex(image)
        before = [(STUB, _worst_start(part))] if boot_loader is None else _pieces_of_hex(boot_loader)
        self._image += before
        self._reset_to.value = before[0][0]
        self.flash()
        self.reset()
        self.forget()
        self._kept: list[Any] = []
        self._timer = TIMER(self._at_timer)
        self._due: Callable[[int], int] = lambda _now: FOR_EVER
        self.tidy()

    def _find_head(self) -> _Head:
        """After its init, and only then, a part is running at 1 MHz, at cycle 0, a cycle at a time."""
        for offset in range(32, 160, 4):
            head = _Head.from_address(self._avr + offset)
            found = (head.state, head.frequency, head.cycle, head.run_cycle_limit)
            if found == (2, 1_000_000, 0, 1):
                return head
        raise AssertionError("this is not simavr 1.6: its main structure is another one")

    def _find_program_counter(self) -> None:
        """After one jump it is where that leads, and the address of a start is behind it."""
        self._lib.avr_loadcode(self._avr, _jump(STUB), 4, 0)
        self._lib.avr_run(self._avr)
        for offset in range(64, 512, 4):
            counter, start = (c_uint32.from_address(self._avr + offset + n) for n in (0, 4))
            if (counter.value, start.value) == (STUB, 0):
                self._reset_to = start
                return
        raise AssertionError("this is not simavr 1.6: its program counter is in another place")

    def _sleep_in_virtual_time(self) -> None:
        """A part that sleeps makes the emulator sleep for as long. Put in its place: what only adds up how long."""
        sleeps = ctypes.cast(self._lib.avr_callback_sleep_raw, c_void_p).value
        for offset in range(64, 512, 4):
            place = c_uint64.from_address(self._avr + offset)
            if place.value == sleeps:
                place.value = ctypes.cast(self._lib.avr_pending_sleep_usec, c_void_p).value or 0
                return
        raise AssertionError("this is not simavr 1.6: it sleeps in another way")

    def tidy(self) -> None:
        """What a reset undoes."""
        # One instruction a call otherwise.
        self._head.run_cycle_limit = FREQUENCY // 1000
        # A low pin of an external interrupt is looked at in every cycle otherwise.
        for number in range(8):
            self._lib.avr_extint_set_strict_lvl_trig(self._avr, number, 0)
        # It echoes to the terminal and sleeps at every look at an empty line otherwise.
        for uart in "01":
            self._lib.avr_ioctl(self._avr, code("uas" + uart), ctypes.byref(c_uint32(0)))

    @property
    def cycle(self) -> int:
        return int(self._head.cycle)

    def run_until(self, cycle: int) -> None:
        run, avr, head = self._lib.avr_run, self._avr, self._head
        while head.cycle < cycle:
            if run(avr) > 3:
                raise AssertionError(f"the processor crashed at cycle {head.cycle}")

    def flash(self) -> None:
        for address, data in self._image:
            self._lib.avr_loadcode(self._avr, data, len(data), address)

    def hang(self) -> None:
        """From here on every instruction jumps to itself."""
        loops = b"\xff\xcf" * 4096
        self._lib.avr_loadcode(self._avr, loops, len(loops), 0)

    def forget(self) -> None:
        """What the memory holds after a power cut: nonsense."""
        for address in range(*self._ram):
            self._lib.avr_core_watch_write(self._avr, address, address * 37 & 0xFF)

    def decay(self, chance: float, rng: random.Random) -> None:
        """What the memory holds when the power was nearly gone: each bit is another one with this chance."""
        for address in range(*self._ram):
            flips = sum(1 << bit for bit in range(8) if rng.random() < chance)
            if flips:
                self.flip(address, flips)

    def peek(self, address: int) -> int:
        """What is at one place of the memory."""
        return int(self._lib.avr_core_watch_read(self._avr, address))

    def flip(self, address: int, bits: int) -> None:
        """Other bits at one place of the memory."""
        self._lib.avr_core_watch_write(self._avr, address, self.peek(address) ^ bits)

    def reset(self) -> None:
        """The reset pin: the memory stays."""
        self._lib.avr_reset(self._avr)
        self._lib.avr_core_watch_write(self._avr, RESET_CAUSE, BY_RESET_PIN)

    def on_time(self, due: Callable[[int], int], first: int) -> None:
        """Calls `due(now)` at cycle `first`; it returns when it wants to be called next."""
        self._due = due
        self._lib.avr_cycle_timer_cancel(self._avr, self._timer, None)
        self._lib.avr_cycle_timer_register(self._avr, max(1, first - self.cycle), self._timer, None)

    def _at_timer(self, _avr: int, when: int, _param: int) -> int:
        return max(self._due(when), when + 1)

    def irq(self, letters: str, number: int) -> int:
        found = self._lib.avr_io_getirq(self._avr, code(letters), number)
        assert found, letters
        return int(found)

    def listen(self, irq: int, heard: Listener) -> None:
        call = NOTIFY(heard)
        self._kept.append(call)
        self._lib.avr_irq_register_notify(irq, call, None)

    def ask(self, what: int, about: Any) -> int:
        """A request to a part of the chip, by its code."""
        return int(self._lib.avr_ioctl(self._avr, what, about))

    def put(self, irq: int, value: int) -> None:
        self._lib.avr_raise_irq(irq, value)

    def pull(self, port: str, mask: int, value: int) -> None:
        """The levels of a port's input pins; each write to the port sets them again."""
        packed = c_uint64(ord(port) | mask << 7 | value << 15)
        self._lib.avr_ioctl(self._avr, code("iop" + port), ctypes.byref(packed))

    def close(self) -> None:
        self._lib.avr_terminate(self._avr)


def _jump(address: int) -> bytes:
    return b"\x0c\x94" + (address // 2).to_bytes(2, "little")


def _worst_start(part: str) -> bytes:
    """Code that makes every pin an output, lets timers interrupt, and jumps to the image without a reset."""
    ports = {"atmega328p": "BCD", "atmega2560": "ABCDEFGHJKL", "atmega32u4": "BCDEF"}[part]
    written = [(PORTS[port] + 1, 0xFF) for port in ports] + [(address, 1) for address in TIMER_INTERRUPTS]
    loads = (
        bytes([value & 0xF, 0xE0 | value >> 4]) + b"\x00\x93" + address.to_bytes(2, "little")
        for address, value in written
    )
    return b"".join(loads) + _jump(0)


def _pieces_of_hex(image: Path) -> list[tuple[int, bytes]]:
    """The data records of an Intel HEX file: what a programmer writes into the flash."""
    pieces, base = [], 0
    for line in image.read_text(encoding="ascii").splitlines():
        record = bytes.fromhex(line[1:])
        assert sum(record) % 256 == 0, line
        size, address, kind = record[0], record[1] << 8 | record[2], record[3]
        if kind == 0:
            pieces.append((base + address, record[4 : 4 + size]))
        elif kind == 2:
            base = (record[4] << 8 | record[5]) << 4
        elif kind == 4:
            base = (record[4] << 8 | record[5]) << 16
    return pieces


__all__ = ["FREQUENCY", "MHZ", "Avr", "Listener", "library"]
