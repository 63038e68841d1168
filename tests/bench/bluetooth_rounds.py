"""Connects a Bluetooth board again and again: `python -m tests.bench.bluetooth_rounds [ROUNDS [DARTS]]`.

bumble is at both ends, in this process: what grows from round to round is in the daemon's part, or in the emulated
stack. Besides the processor time the calls of functions are counted, which a busy machine does not change.
"""

import asyncio
import cProfile
import pstats
import sys
import time
from statistics import median
from typing import Final

from daemon.links import bluetooth_radio
from drivers.messages import unframed
from tests.daemon.test_bluetooth import Room

PARTS: Final = 10
"""The rounds are compared in so many parts."""


async def one_round(room: Room, darts: int) -> tuple[float, float]:
    """Connects, hears darts one at a time, and is cut off; returns the seconds of connecting, and of a dart."""
    [board] = room._boards
    began = time.process_time()
    link = await room.open("ble://", "granboard")
    connected = time.process_time()
    for n in range(darts):
        said = b"%d.%d@" % (n % 12, n % 7)
        await board.say(said)
        assert unframed((await link.read()).data) == (said,)
    heard = time.process_time()
    link.close()
    await board.until(lambda: not board.connected.is_set())
    return connected - began, (heard - connected) / darts


async def measured(rounds: int, darts: int) -> None:
    """Plays the rounds, and prints what those of each part took."""
    room = Room()
    await room.central.power_on()
    await room.board("granboard", "GRANBOARD")
    try:
        for part in range(PARTS):
            with cProfile.Profile() as profile:
                took = [await one_round(room, darts) for _ in range(rounds // PARTS)]
            calls = pstats.Stats(profile).total_calls // len(took)  # type: ignore[attr-defined]
            connecting, dart = (median(values) * 1000 for values in zip(*took, strict=True))
            done = (part + 1) * len(took)
            print(f"to round {done}: {calls:,} calls a round; connecting {connecting:.1f} ms, a dart {dart:.2f} ms")
    finally:
        await room.close()


def main(words: list[str]) -> None:
    rounds, darts = (int(word) for word in [*words, *("200", "50")[len(words) :]])
    # The wait for a second board of the kind is of no interest here.
    bluetooth_radio.ALONE_SECONDS = 0.01  # type: ignore[misc]
    asyncio.run(measured(rounds, darts))


if __name__ == "__main__":
    main(sys.argv[1:])
