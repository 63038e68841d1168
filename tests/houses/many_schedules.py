"""Random schedules of faults in several pairs of houses at once. Each prints its seed."""

import json
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from tests.houses.schedule import Schedule, Street


def schedules(folder: Path, seed: int, count: int, at_once: int) -> dict[str, int]:
    """Runs `count` schedules on each of `at_once` pairs of houses; returns how many darts and faults there were.

    AssertionError with the seed of a schedule that failed, as soon as the other pairs have ended theirs.
    """
    chance = random.Random(seed)
    seeds = [[chance.randrange(2**31) for _ in range(count)] for _ in range(at_once)]
    with ThreadPoolExecutor(at_once) as pool:
        done = list(pool.map(lambda n: _in_turn(folder / f"street-{n}", n, seeds[n]), range(at_once)))
    totals = sum(done, Counter[str]())
    darts = totals.pop("darts")
    return {"schedules": count * at_once, "house_darts": darts, "house_faults": totals.total()}


def _in_turn(folder: Path, street: int, seeds: list[int]) -> Counter[str]:
    """Runs schedules one after another in the same two houses."""
    totals = Counter[str]()
    folder.mkdir()
    with ExitStack() as stack:
        between = Street(folder, stack)
        for seed in seeds:
            begun = time.monotonic()
            try:
                did = Schedule(between, seed).run()
            except Exception as error:
                raise AssertionError(f"schedule {seed} on street {street}: {error}") from error
            totals.update(did)
            about = {"schedule": seed, "street": street, "seconds": round(time.monotonic() - begun, 1), "did": did}
            print(json.dumps(about), flush=True)
    return totals
