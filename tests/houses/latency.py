"""How much later a dart of the guest counts than one of the host: `python -m tests.houses.latency [DARTS [MS]]`.

A proxy between the guest and the shared broker delays each direction by MS. A dart of each house is thrown in turns, so
that other work on the machine troubles both alike. Printed is the difference of the two, less the line's own round
trip, which is measured beside each dart: a byte goes there and back over a second proxy of the same kind, since a proxy
takes longer than its delay.
"""

import socket
import statistics
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tests.houses.line import Line
from tests.houses.pair import House, invited
from tests.houses.schedule import Street

INVITE = {"invite": {"game": "count_up", "players": ["Ann", "Bob"], "options": {"rounds": 50}, "guests": ["Bob"]}}
AGAIN_SECONDS = 3.0
"""From a visit to the next one with its beds: more than the 1.5 s in which a bed that comes again is a doubt."""


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds: of the host's darts, of the guest's, and of the line there and back beside each of the guest's."""

    host: list[float] = field(default_factory=list)
    guest: list[float] = field(default_factory=list)
    line: list[float] = field(default_factory=list)

    def added(self) -> list[float]:
        """How much later each dart of the guest counts, over the line's round trip."""
        pairs = zip(self.host, self.guest, self.line, strict=True)
        return [there - here - line for here, there, line in pairs]


def _milliseconds(house: House, player: str, thrown: list[str], bed: str) -> float:
    """Throws a dart; returns the time until its house shows it as counted."""
    since, begun = len(house.watcher.seen), time.perf_counter()
    house.say(bed)
    house.shows(player, *thrown, bed, since=since)
    return (time.perf_counter() - begun) * 1000


def _round_trips(delay_ms: float, stack: ExitStack) -> Callable[[], float]:
    """Returns what sends a byte there and back over a line with this delay, and the milliseconds that it took."""
    far = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    line = Line(far.getsockname()[1])
    line.delay = delay_ms / 1000
    near = socket.create_connection(("127.0.0.1", line.port))
    end, _ = far.accept()
    near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send_back() -> None:
        while data := end.recv(1):
            end.sendall(data)

    thread = threading.Thread(target=send_back)
    thread.start()
    for close in (end.close, thread.join, near.close, line.close):
        stack.callback(close)

    def measure() -> float:
        begun = time.perf_counter()
        near.sendall(b"x")
        assert near.recv(1) == b"x"
        return (time.perf_counter() - begun) * 1000

    return measure


def measured(darts: int, delay_ms: float) -> Times:
    """The times of at least this many darts of each house."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        street = Street(Path(folder), stack)
        invited(street.anna, street.bob, INVITE)
        street.line.delay = delay_ms / 1000
        round_trip, times = _round_trips(delay_ms, stack), Times()
        thrown_at: defaultdict[tuple[str, int], float] = defaultdict(float)
        while len(times.guest) < darts:
            for house, player, found in ((street.anna, "Ann", times.host), (street.bob, "Bob", times.guest)):
                house.shows(player, since=max(0, len(house.watcher.seen) - 20))
                # No bed comes again within 1.5 s, which would be a doubt: this board waits until they are over.
                while (pause := thrown_at[player, len(found) // 3 % 6] + AGAIN_SECONDS - time.monotonic()) > 0:
                    time.sleep(pause)
                thrown_at[player, len(found) // 3 % 6] = time.monotonic()
                beds = [f"S{(len(found) + n) % 18 + 1}" for n in range(3)]
                for n, bed in enumerate(beds):
                    found.append(_milliseconds(house, player, beds[:n], bed))
                    if house is street.bob:
                        times.line.append(round_trip())
                assert house.ask({"next": True})["ok"]
        return times


def main(darts: int = 60, delay_ms: float = 12.5) -> None:
    times = measured(darts, delay_ms)
    rows = {"host": times.host, "guest": times.guest, "line there and back": times.line}
    for name, values in (rows | {"added over the line's round trip": times.added()}).items():
        print(f"{name}: p50 {statistics.median(values):.1f} ms, p90 {sorted(values)[len(values) * 9 // 10]:.1f} ms")


if __name__ == "__main__":
    main(*(kind(word) for kind, word in zip((int, float), sys.argv[1:], strict=False)))
