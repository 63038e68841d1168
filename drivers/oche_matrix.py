"""Dialect `oche-matrix`: the firmware of this project, which sends every edge until it is acknowledged.

Seen on: `firmware/` on ATmega328P, ATmega2560, ATmega32U4 and RP2040, in
  emulators; no physical board.
Wire: 1000000 8N1, two-way. Frames in COBS, each ended by a zero: type, data,
  CRC-16. `firmware/PROTOCOL.md` has every field. Rows 0 to 7 are the matrix,
  row 8 the inputs for buttons and sensors.
Timing: both edges, debounced by the board: a press at once, a release after
  10 ms. Never repeated, never deaf. Times are the board's own.
Integrity: CRC-16, sequence numbers, acknowledgements. What is lost comes again,
  in order; duplicates are dropped. An epoch tells a restarted board from one
  whose line was lost.
Source: firmware/PROTOCOL.md.
"""

from collections.abc import Mapping
from typing import Final

from boards.board import Can, Cell, Ring
from drivers.board_clock import BoardClock
from drivers.driver import Contact, Driver, Reject, Report, Signal, Timing
from drivers.frames import Frames, frame
from drivers.oche_lights import SETTING, lights, ring_settings
from drivers.session_mark import Say, SessionMark, counters_of, read_mark

VERSION: Final = 1
ASK, ACKNOWLEDGE = 0x81, 0x82
SETTLE: Final = 2
SINCE_LIGHTS: Final = (1, 2)
"""The first firmware that has settings for lights; older ones count them as unreadable."""
SETTLE_AT: Final = 17
"""Where a heartbeat of firmware 1.1 and later has the settling time."""


class OcheMatrix:
    """Decodes frames to edges, each once and in order; `answers` returns what must be written to the board."""

    def __init__(self) -> None:
        self._frames = Frames()
        self._board: tuple[bytes, int] | None = None
        """The board's identity and epoch, after a hello in a known version."""
        self._left: SessionMark | None = None
        """How far an earlier process had read which board."""
        self._fault = ""
        self._heard_ns = 0
        self._size = (0, 0, 0)
        self._expected = 0
        self._early: dict[int, bytes] = {}
        """Edges after a gap, by number, until the gap is filled: at most 127."""
        self._closed: set[Cell] = set()
        self._clock = BoardClock()
        self._stored = 0
        """How many of the next edges the board had stored when it sent its last hello."""
        self._ask = self._acknowledge = self._gap = False
        self._gap_told: int | None = None
        self._counters: Mapping[str, int] = {}
        self._settle_us = 0
        self._settled_us = 0
        self._ring = b""
        self._has_lights = False
        """The board's firmware knows of rings."""
        self._tell = False

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        reports = (self._frame(payload, at_ns) for payload in self._frames.take(data))
        return tuple(report for some in reports for report in some)

    def answers(self) -> bytes:
        answer = frame(bytes([ASK, VERSION])) if self._ask else b""
        if self._tell and self._settle_us:
            answer += frame(bytes([SETTING, SETTLE]) + self._settle_us.to_bytes(2, "little"))
        if self._tell and self._has_lights:
            answer += self._ring
        if self._acknowledge and self._board is not None:
            answer += frame(bytes([ACKNOWLEDGE, self._board[1], self._expected, self._gap]))
        self._ask = self._acknowledge = self._gap = self._tell = False
        return answer

    def settle(self, settle_us: int) -> None:
        self._settle_us = settle_us

    def light(self, ring: Ring) -> None:
        self._ring = ring_settings(ring)

    def resume(self, mark: str) -> None:
        self._left = read_mark(mark)

    def reset(self) -> None:
        """Handles the loss of the line. The board and its last edge stay known: it may come back without a restart."""
        self._frames.reset()
        self._ask = self._acknowledge = self._gap = False
        self._gap_told = None

    @property
    def counters(self) -> Mapping[str, int]:
        return self._counters

    @property
    def size(self) -> tuple[int, int, int]:
        """Rows, columns and inputs, from the board's last valid hello; all 0 before."""
        return self._size

    @property
    def settled_us(self) -> int:
        """How long the board gives a column to rise, in us, by its last heartbeat; 0 before, and of older firmware."""
        return self._settled_us

    @property
    def heard_ns(self) -> int:
        return self._heard_ns

    @property
    def fault(self) -> str:
        return self._fault

    @property
    def rejects(self) -> Mapping[Reject, int]:
        return self._frames.rejects

    @property
    def pending(self) -> int:
        return self._frames.pending

    def _frame(self, payload: bytes, at_ns: int) -> list[Report]:
        """Decodes a payload. Additional bytes and unknown types come from newer firmware and are ignored."""
        self._heard_ns = at_ns
        match payload[0]:
            case Say.HELLO if len(payload) >= 2:
                return self._hello(payload, at_ns)
            case Say.HEARTBEAT if len(payload) >= 8:
                self._ask |= self._board is None or self._board[1] != payload[1]
                self._clock.set(payload[4:8], at_ns)
                self._counters = counters_of(payload[8:])
                self._settled_us = payload[SETTLE_AT] if len(payload) > SETTLE_AT else 0
            case Say.CLOSED | Say.OPENED | Say.GHOST | Say.HELD if len(payload) >= 6:
                return self._edge(payload, at_ns)
            case _:
                self._frames.rejects["range"] += 1
        return []

    def _hello(self, payload: bytes, at_ns: int) -> list[Report]:
        if payload[1] != VERSION or len(payload) < 24:
            self._board = None
            fault = (
                f"The board speaks version {payload[1]} of oche-matrix and this program version {VERSION}. "
                "Bring the older one up to date; oche flash does so with the board."
            )
            again, self._fault = self._fault == fault, fault
            return [] if again else [Signal("fault", at_ns, fault)]
        rows, cols, inputs = payload[3:6]
        self._has_lights = tuple(payload[6:8]) >= SINCE_LIGHTS
        epoch, first, following = payload[9:12]
        board = (payload[16:24], epoch)
        if self._left is not None:
            self._board, self._expected = (self._left.identity, self._left.epoch), self._left.expected
            self._clock.begin(self._left.ticks)
            self._left = None
        if board != self._board:
            self._clock.begin()
        reports: list[Report] = []
        if board != self._board or (self._expected - first) % 256 > (following - first) % 256:
            # A new board, or one that was restarted: its contacts are open until it reports otherwise.
            now_ns = self._clock.own_ns
            reports = [Contact(*cell, False, at_ns, clock_ns=now_ns) for cell in sorted(self._closed)]
            self._closed.clear()
            self._early.clear()
            self._expected = first
        self._board, self._fault, self._size = board, "", (rows, cols, inputs)
        self._clock.set(payload[12:16], at_ns, payload[8])
        self._stored = (following - self._expected) % 256
        self._gap_told, self._acknowledge, self._gap, self._tell = None, True, True, True
        return reports

    def _edge(self, payload: bytes, at_ns: int) -> list[Report]:
        if self._board is None:
            self._ask = True
            return []
        sequence = payload[1]
        ahead = (sequence - self._expected) % 256
        self._acknowledge = True
        if ahead >= 128:
            # A duplicate: the acknowledgement was lost.
            return []
        self._early[sequence] = payload
        if ahead and self._gap_told != self._expected:
            self._gap, self._gap_told = True, self._expected
        reports: list[Report] = []
        while self._expected in self._early:
            reports += self._in_turn(self._early.pop(self._expected), at_ns)
            self._expected = (self._expected + 1) % 256
        return reports

    def _in_turn(self, payload: bytes, at_ns: int) -> list[Report]:
        assert self._board is not None
        kind, contact, ticks = payload[0], payload[2], payload[3:6]
        own_ns = self._clock.elapsed(ticks, stored=self._stored > 0)
        self._stored = max(0, self._stored - 1)
        row, col = divmod(contact, 16)
        rows, cols, inputs = self._size
        if not (col < inputs if row == 8 else row < rows and col < cols):
            self._frames.rejects["range"] += 1
            return []
        if kind == Say.GHOST:
            self._frames.rejects["ghost"] += 1
            return []
        (self._closed.discard if kind == Say.OPENED else self._closed.add)((row, col))
        moment = self._clock.moment(ticks, at_ns)
        mark = SessionMark(*self._board, (self._expected + 1) % 256, self._clock.last).mark
        return [Contact(row, col, kind != Say.OPENED, moment, kind == Say.HELD, mark, own_ns)]


DRIVER: Final = Driver(
    name="oche-matrix",
    summary="this project's firmware: every edge, until it is acknowledged",
    decoder=OcheMatrix,
    can=Can(ring=True, inner_outer=True, release=True),
    timing=Timing(boot_ms=2000.0, rebound_ms=150.0, neighbour_ms=60.0),
    rows=9,
    cols=16,
    baud=1_000_000,
    hello=frame(bytes([ASK, VERSION])),
    says=lights,
)
