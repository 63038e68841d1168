"""Promise 2 at length: `python -m tests.drivers.soak SEEDS [DARTS]` throws at every board.

Prints what became of the darts; fails with the first report that was lost or invented, and its seed.
"""

import json
import sys
from collections import Counter

from tests.drivers.boards import RIGS
from tests.drivers.test_evenings import run


def main(seeds: int, darts: int) -> None:
    """One line of totals for each board."""
    for name, rig in RIGS.items():
        totals: Counter[str] = Counter()
        for seed in range(seeds):
            try:
                totals += run(rig, seed, darts, resets=darts // 20 if name != "virtual" and seed % 2 else 0)
            except AssertionError as error:
                raise SystemExit(f"{name}, seed {seed}: {error}") from error
        print(json.dumps({"board": name, **totals}), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
