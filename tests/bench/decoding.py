"""What decoding, debouncing and the board's table cost for a dart, dialect by dialect."""

import random
import time
from typing import Final

from tests.bench.figures import Figure
from tests.drivers.boards import RIGS, Rig

DIALECTS: Final = ("sector-multiplier", "oche-matrix", "granboard", "dartslive-home", "unicorn", "sdb-bt", "smartness")
"""A dialect of lines and one of frames, to compare with, and those of Bluetooth boards."""
GAP_NS: Final = 2_000_000_000
"""Between two darts: no debounce takes the second for a repeat."""


def measure(darts: int) -> list[Figure]:
    """A figure for each dialect."""
    return [Figure(f"decode a dart: {name}", _microseconds(RIGS[name], darts), "µs") for name in DIALECTS]


def _microseconds(rig: Rig, darts: int) -> float:
    rng = random.Random(1)
    cells = sorted(rig.beds)
    wire = [rig.encode(rng.choice(cells)) for _ in range(darts)]
    pipeline = rig.pipeline()
    pipeline.opened(0)
    times: list[float] = []
    for n, data in enumerate(wire, 1):
        began = time.perf_counter()
        pipeline.feed(data, n * GAP_NS)
        times.append(time.perf_counter() - began)
    # The lower quartile: other work on this machine is in it least.
    return sorted(times)[len(times) // 4] * 1e6
