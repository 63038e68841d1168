"""The clock of a board with our own firmware: for the distances between its edges, and on the host's clock.

The distances decide what is one dart and what are two, so they are the board's own: the line and a busy host delay
each report differently. To correct the times of arrival, by the smallest delay seen for instance, was not chosen: a
resonator is off by half a percent, and a minute of that is longer than any delay.

Source: `firmware/PROTOCOL.md`.
"""

from typing import Final

AHEAD: Final = 1 << 18
"""How many ticks an edge can be later than the last known time of the board. Larger differences are in the past."""

APART_NS: Final = 3_600 * 1_000_000_000
"""How far apart two edges are taken to be if it is not known: longer than any time that is judged."""

BEHIND_NS: Final = 1_000_000_000
"""How far a clock can be behind the host's, since both were last compared, without a reset: delays of two reports."""

_EDGE: Final = 1 << 24
_WHOLE: Final = 1 << 32


class BoardClock:
    """The board's time. An edge has its lower 24 bits, a hello and a heartbeat all 32. It begins at 0 after a reset."""

    def __init__(self) -> None:
        self._tick_ns = self._ticks = self._latest_ns = 0
        self._at_ns: int | None = None
        self._last: int | None = None
        """The last edge, in ticks; `None` if the next one is of another epoch."""
        self._own_ns = 0
        self._reset = False
        """The board was reset after the last edge: those that it stored before have times from before."""

    def set(self, ticks: bytes, at_ns: int, tick_us: int | None = None) -> None:
        """Sets the board's time at the arrival of a frame; a hello has the length of a tick."""
        now = int.from_bytes(ticks, "little")
        if tick_us is not None:
            self._tick_ns = tick_us * 1000
            self._reset |= self._is_reset(now, at_ns)
        self._ticks, self._at_ns = now, at_ns

    def moment(self, ticks: bytes, at_ns: int) -> int:
        """Returns when an edge was on the host's clock: not after `at_ns`, not before an earlier edge.

        A delayed heartbeat moves the board's clock; the order of the edges stays.
        """
        moment = (self._at_ns or 0) + self._since(ticks) * self._tick_ns
        self._latest_ns = max(self._latest_ns, min(moment, at_ns))
        return self._latest_ns

    def elapsed(self, ticks: bytes, *, stored: bool) -> int:
        """Returns when the next edge was on the board's own clock, in ns; it never decreases.

        `stored`: the edge is older than the last hello, and so than a reset that the hello shows.
        """
        last, whole = self._last, (self._ticks + self._since(ticks)) % _WHOLE
        if self._reset and stored and last is not None:
            # The hello does not tell which 18 minutes these 24 bits are in: they are those of the last edge.
            step = (int.from_bytes(ticks, "little") - last) % _EDGE
            whole, step = (last + step) % _WHOLE, step if step < _EDGE // 2 else -1
        elif self._reset or last is None:
            step, self._reset = -1, False
        else:
            step = _signed(whole - last)
        self._last = whole
        self._own_ns += APART_NS if step < 0 else step * self._tick_ns
        return self._own_ns

    @property
    def last(self) -> int | None:
        """When the last edge was, in ticks of the board."""
        return self._last

    @property
    def own_ns(self) -> int:
        """When the last edge was, as `elapsed` returned it."""
        return self._own_ns

    def begin(self, last: int | None = None) -> None:
        """Handles another epoch: nothing of before is near. `last` is an edge of an earlier process, which was at 0."""
        self._last, self._reset = last, False

    def _is_reset(self, now: int, at_ns: int) -> bool:
        """Whether the board's time is less than it would be by now without a reset."""
        if self._at_ns is None:
            return self._last is not None and _signed(now - self._last) < 0
        return _signed(now - self._ticks) * self._tick_ns < at_ns - self._at_ns - BEHIND_NS

    def _since(self, ticks: bytes) -> int:
        """Returns how many ticks an edge was after the last known time of the board."""
        since = (int.from_bytes(ticks, "little") - self._ticks) % _EDGE
        return since if since < AHEAD else since - _EDGE


def _signed(ticks: int) -> int:
    ticks %= _WHOLE
    return ticks if ticks < _WHOLE // 2 else ticks - _WHOLE
