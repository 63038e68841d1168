"""A board under test: the image that is flashed, in the emulator, with a matrix of contacts on its pins.

Rows and columns are wires, closed contacts join them, and a wire is low when
anything on its net drives it low: so ghosts come of themselves. A column that
is let go rises `RISE_US` after its pull-up is on, as one on a long cable does,
and at the start and after a reset each is at 0 V. Time is virtual, in cycles of
16 MHz.
"""

import heapq
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from tests.firmware.any_board import AnyBoard, Cell, Event, Part, joined
from tests.firmware.simavr import (
    FREQUENCY,
    MHZ,
    PIN_ALL_DIRECTIONS,
    PORT_REGISTER,
    PORTS,
    UART_INPUT,
    UART_OUTPUT,
    Avr,
    Listener,
)

RISE_US: Final = 10
SURELY_LOW_OHM: Final = 8_500
"""A pin joined to ground by this reads as low for sure: 0.3 of the supply, behind the strongest pull-up, 20 kΩ."""
SURELY_HIGH_OHM: Final = 75_000
"""And as high for sure from this: 0.6 of it behind the weakest, 50 kΩ. Source: the data sheet of the ATmega328P."""
NEVER: Final = 1 << 62


def _bits_of(port: str, pins: tuple[tuple[str, int], ...]) -> list[int]:
    """For each value of a port a bit for each of these pins that is set in it, in their order."""
    here = [(n, pin) for n, (letter, pin) in enumerate(pins) if letter == port]
    return [sum(1 << n for n, pin in here if value >> pin & 1) for value in range(256)]


class Board(AnyBoard):
    """The board. `sent` has each byte with the cycle in which its stop bit ends, ten bit times a byte."""

    def __init__(
        self,
        part: Part,
        hex_file: Path,
        baud: int = 1_000_000,
        rise_us: float = RISE_US,
        boot_loader: Path | None = None,
    ) -> None:
        super().__init__(part)
        self.baud = baud
        self.avr = Avr(part.name, hex_file, boot_loader)
        self.rise_us = rise_us
        self.contact_ohm = 0.0
        """Of a closed contact."""
        self.leak_ohm = math.inf
        """From each row to ground, as of damp foils; what is neither low nor high for sure is taken for the worse."""
        self._events: list[Event] = []
        self._count = 0
        self._at_work = False
        # What the part makes of it: its clock is divided by a whole number, 117647 for 115200.
        self._bit = 8.0 * round(FREQUENCY / (8 * baud))
        self._written = self._wire_end = self._in_end = 0.0
        self._sensed = (*part.cols, *part.inputs)
        """The pins that are read: a bit for each, in this order."""
        self._directions: dict[str, int] = {}
        self._outputs: dict[str, int] = {}
        self._levels: dict[str, int] = {}
        self._low_rows = 0
        self._low = 0
        """Of the pins that are read, those that are low now."""
        self._pressed = 0
        self._pins_low = self._pins_high = self._pins_pulled = 0
        """Of the pins that are read, those that the part itself drives low or high, and those with a pull-up."""
        self._rising = self._risings = 0
        self._rising_since = [0] * len(self._sensed)
        self._nets: dict[int, int] = {}
        ports = sorted({port for port, _ in (*part.rows, *self._sensed)})
        self._row_bits = {port: _bits_of(port, part.rows) for port in ports}
        self._sensed_bits = {port: _bits_of(port, self._sensed) for port in ports}
        self._mask = {port: sum(1 << n for p, n in (*part.rows, *self._sensed) if p == port) for port in ports}
        self._pin_irq = {pin: self.avr.irq("iog" + pin[0], pin[1]) for pin in self._sensed}
        for port in ports:
            self._directions[port] = self._outputs[port] = 0
            self.avr.listen(self.avr.irq("iog" + port, PIN_ALL_DIRECTIONS), self._port(port, self._directions))
            self.avr.listen(self.avr.irq("iog" + port, PORT_REGISTER), self._port(port, self._outputs))
        self._uart_in = self.avr.irq("uar" + part.uart, UART_INPUT)
        self.avr.listen(self.avr.irq("uar" + part.uart, UART_OUTPUT), lambda _irq, byte, _param: self._byte_out(byte))
        self._attach()

    def _attach(self) -> None:
        self._low = (1 << len(self._sensed)) - 1
        self._rising = 0
        for port, mask in self._mask.items():
            self._levels[port] = 0
            self.avr.pull(port, mask, 0)
        for irq in self._pin_irq.values():
            # What is the same as before is not passed on, and a reset forgets the pins without saying so.
            self.avr.put(irq, 1)
            self.avr.put(irq, 0)
        for port in self._mask:
            for what, offset in ((PIN_ALL_DIRECTIONS, 1), (PORT_REGISTER, 2)):
                self.avr.put(self.avr.irq("iog" + port, what), self.avr.peek(PORTS[port] + offset))
        self._settle()
        self._arm()

    # ---- time ----

    @property
    def now(self) -> int:
        return self.avr.cycle

    def at(self, cycle: int, do: Callable[[], None]) -> None:
        """Does something at a cycle, one late at most."""
        self._count += 1
        heapq.heappush(self._events, Event(cycle, self._count, do))
        if self._events[0].number == self._count and not self._at_work:
            self._arm()

    def run_until(self, cycle: int) -> None:
        self.avr.run_until(cycle)

    def _arm(self) -> None:
        self.avr.on_time(self._due, self._events[0].cycle if self._events else NEVER)

    def _due(self, now: int) -> int:
        self._at_work = True
        while self._events and self._events[0].cycle <= now:
            heapq.heappop(self._events).do()
        self._at_work = False
        return self._events[0].cycle if self._events else NEVER

    # ---- contacts ----

    def close(self, cell: Cell) -> None:
        self.closed.add(cell)
        self._net()

    def open(self, cell: Cell) -> None:
        self.closed.discard(cell)
        self._net()

    def press(self, number: int, down: bool) -> None:
        """A button or sensor, which joins its input to ground."""
        bit = 1 << len(self.part.cols) + number
        self._pressed = self._pressed | bit if down else self._pressed & ~bit
        self._settle()

    def _net(self) -> None:
        """For each row the columns that it reaches, by whatever way."""
        self._nets = joined(self.closed)
        self._settle()

    # ---- wires ----

    def _port(self, port: str, known: dict[str, int]) -> Listener:
        """A listener for a register of a port, whose value is kept in `known`."""
        mask, driven = self._mask[port], self._driven

        def written(_irq: int, value: int, _param: int) -> None:
            changed = (known[port] ^ value) & mask
            known[port] = value
            if changed:
                driven(port, changed)

        return written

    def _driven(self, port: str, changed: int) -> None:
        """Handles new levels and directions of a port. It is called 100,000 times in a second of the board's."""
        direction, output = self._directions[port], self._outputs[port]
        rows = self._row_bits[port]
        self._low_rows = self._low_rows & ~rows[0xFF] | rows[direction & ~output]
        # A row that is driven high shorts with a low one as soon as two contacts meet.
        if short := rows[changed & direction & output]:
            self.shorts += short.bit_count()
        sensed = self._sensed_bits[port]
        if here := sensed[changed]:
            every = ~sensed[0xFF]
            self._pins_low = self._pins_low & every | sensed[direction & ~output]
            self._pins_high = self._pins_high & every | sensed[direction & output]
            self._pins_pulled = self._pins_pulled & every | sensed[output & ~direction]
        if here or self._nets or self._low:
            self._settle()

    def _wanted(self) -> int:
        """The pins that something pulls low: a driven row, a leak, a pressed button."""
        low = self._pressed
        leaks = self.contact_ohm + self.leak_ohm < SURELY_HIGH_OHM
        conducts = self.contact_ohm <= SURELY_LOW_OHM
        for row, cols in self._nets.items():
            if leaks or (conducts and self._low_rows >> row & 1):
                low |= cols
        return low

    def _settle(self) -> None:
        wanted = self._wanted()
        self.shorts += bool(wanted & self._pins_high)
        low = wanted & ~self._pins_high | self._pins_low
        free = self._low & ~low & self._pins_pulled
        if change := (low & ~self._low) | (self._low & self._pins_high):
            self._low ^= change
            self._show(change)
        if new := free & ~self._rising:
            self._risings += 1
            self.at(self.now + round(self.rise_us * MHZ), partial(self._rise, new, self._risings))
            for n in range(len(self._sensed)):
                if new >> n & 1:
                    self._rising_since[n] = self._risings
        self._rising = free

    def _rise(self, bits: int, number: int) -> None:
        """Raises the pins that began to rise together, and were not pulled low meanwhile."""
        for n in range(len(self._sensed)):
            if bits & self._rising & 1 << n and self._rising_since[n] == number:
                self._rising ^= 1 << n
                self._low &= ~(1 << n)
                self._show(1 << n)

    def _show(self, pins: int) -> None:
        for n, (port, pin) in enumerate(self._sensed):
            if pins >> n & 1:
                self._level(port, pin, not self._low >> n & 1)

    def _level(self, port: str, pin: int, high: bool) -> None:
        bit = 1 << pin
        self._levels[port] = self._levels[port] | bit if high else self._levels[port] & ~bit
        self.avr.pull(port, self._mask[port], self._levels[port])
        self.avr.put(self._pin_irq[port, pin], high)

    # ---- the line ----

    def _byte_out(self, byte: int) -> None:
        """The emulator takes eleven bit times a byte and has no second buffer: what follows at once follows at ten.

        Not across frames: one that is made while another is on its way must not start before it was made.
        """
        now = float(self.now)
        in_frame = bool(self.sent) and self.sent[-1][0] != 0
        at_once = in_frame and now - self._written < 11 * self._bit + 20 * MHZ
        start = self._wire_end if at_once else max(now, self._wire_end)
        self._written, self._wire_end = now, start + 10 * self._bit
        self.sent.append((byte, round(self._wire_end)))
        self.heard(byte, round(self._wire_end))

    def say(self, data: bytes) -> None:
        """The host writes: its bytes come at the pace of the line."""
        for byte in data:
            self._in_end = max(self._in_end, float(self.now)) + 11 * self._bit
            self.at(round(self._in_end), partial(self.avr.put, self._uart_in, byte))

    # ---- what happens to it ----

    def reset(self) -> None:
        """The reset pin, as a host's DTR pulls it."""
        self.avr.reset()
        self.rewire()

    def cut_power(self) -> None:
        """The memory is gone, the EEPROM is not."""
        self.avr.forget()
        self.reset()

    def hang(self) -> None:
        """No instruction is carried out any more, until the next reset."""
        self.avr.hang()

    def rewire(self) -> None:
        """After a reset, also one of its own: the emulator forgets timers and what the pins were."""
        self.avr.tidy()
        self._attach()
        self._net()

    def end(self) -> None:
        self.avr.close()
