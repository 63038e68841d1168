"""How much later a dart of the guest counts than one of the host: `python -m tests.houses.latency [DARTS [MS]]`.

A proxy between the guest and the shared broker delays each direction by MS. A dart of each house is thrown in turns, so
that other work on the machine troubles both alike. Printed is the difference of the two, less the line's round trip.
"""

import statistics
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path

from tests.houses.pair import House, invited
from tests.houses.schedule import Street

INVITE = {"invite": {"game": "count_up", "players": ["Ann", "Bob"], "options": {"rounds": 50}, "guests": ["Bob"]}}
AGAIN_SECONDS = 3.0
"""From a visit to the next one with its beds: more than the 1.5 s in which a bed that comes again is a doubt."""


def _milliseconds(house: House, player: str, thrown: list[str], bed: str) -> float:
    """Throws a dart; returns the time until its house shows it as counted."""
    since, begun = len(house.watcher.seen), time.perf_counter()
    house.say(bed)
    house.shows(player, *thrown, bed, since=since)
    return (time.perf_counter() - begun) * 1000


def measured(darts: int, delay_ms: float) -> tuple[list[float], list[float]]:
    """The times of the host's darts and of the guest's."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        street = Street(Path(folder), stack)
        invited(street.anna, street.bob, INVITE)
        street.line.delay = delay_ms / 1000
        times: tuple[list[float], list[float]] = ([], [])
        thrown_at: defaultdict[tuple[str, int], float] = defaultdict(float)
        while len(times[1]) < darts:
            for house, player, found in ((street.anna, "Ann", times[0]), (street.bob, "Bob", times[1])):
                house.shows(player, since=max(0, len(house.watcher.seen) - 20))
                # No bed comes again within 1.5 s, which would be a doubt: this board waits until they are over.
                while (pause := thrown_at[player, len(found) // 3 % 6] + AGAIN_SECONDS - time.monotonic()) > 0:
                    time.sleep(pause)
                thrown_at[player, len(found) // 3 % 6] = time.monotonic()
                beds = [f"S{(len(found) + n) % 18 + 1}" for n in range(3)]
                found += [_milliseconds(house, player, beds[:n], bed) for n, bed in enumerate(beds)]
                assert house.ask({"next": True})["ok"]
        return times


def main(darts: int = 60, delay_ms: float = 12.5) -> None:
    local, remote = measured(darts, delay_ms)
    added = sorted(there - here - 2 * delay_ms for here, there in zip(local, remote, strict=True))
    for name, values in (("host", local), ("guest", remote), ("added over the line's round trip", added)):
        print(f"{name}: p50 {statistics.median(values):.1f} ms, p90 {sorted(values)[len(values) * 9 // 10]:.1f} ms")


if __name__ == "__main__":
    main(*(kind(word) for kind, word in zip((int, float), sys.argv[1:], strict=False)))
