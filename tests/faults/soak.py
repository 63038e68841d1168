"""What the tests do for a moment, for as long as you like: `scripts/soak MINUTES [kills] [power] [model] [fuzz]`.

Every part that ended well adds a line to `docs/soak.jsonl`, and the next run goes on with the seeds that come then; so
a run can be stopped at any time. `scripts/soak totals` adds the lines up. A failure ends it with the seed.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.faults.cuts import evening, volatile
from tests.faults.parsers import PARSERS
from tests.faults.test_model import Household

ROOT: Final = Path(__file__).parent.parent.parent
LOG: Final = ROOT / "docs" / "soak.jsonl"
FINDS: Final = ROOT / "build" / "soak"
"""What a fuzzer found, and its corpora."""
CUTS: Final = 100
FUZZ_SECONDS: Final = 10


def kills(seed: int) -> dict[str, int]:
    """An evening with SIGKILLs."""
    with tempfile.TemporaryDirectory() as folder:
        return {"kills": CUTS, "darts": evening(Path(folder), CUTS, seed)}


def power(seed: int) -> dict[str, int]:
    """An evening with power cuts."""
    with tempfile.TemporaryDirectory() as folder, volatile(Path(folder) / "disk") as mount:
        return {"power_cuts": CUTS, "darts": evening(Path(folder), CUTS, seed, mount)}


def model(seed: int) -> dict[str, int]:
    """New orders of faults, drawn anew each time."""
    del seed
    steps = settings(
        max_examples=3, stateful_step_count=25, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(Household, settings=steps)
    return {"households": 3}


def fuzz(seed: int) -> dict[str, int]:
    """One parser after the other, each in a process of its own."""
    FINDS.mkdir(parents=True, exist_ok=True)
    name = list(PARSERS)[seed % len(PARSERS)]
    report = FINDS / "report.json"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "tests.faults.fuzz", name, str(FUZZ_SECONDS), str(seed), str(report)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)
    if done.returncode != 0:
        raise AssertionError(f"{name}: {done.stdout[-2000:]}{done.stderr[-4000:]}")
    return {f"fuzzed_bytes {name}": json.loads(report.read_text())["bytes"]}


PARTS: Final[dict[str, Callable[[int], dict[str, int]]]] = {
    "kills": kills,
    "power": power,
    "model": model,
    "fuzz": fuzz,
}


def lines() -> list[dict[str, object]]:
    return [json.loads(line) for line in LOG.read_text().splitlines()] if LOG.exists() else []


def totals() -> dict[str, int]:
    """What all runs together did."""
    sums: Counter[str] = Counter()
    for line in lines():
        did = line["did"]
        assert isinstance(did, dict)
        sums.update(did)
    return dict(sums)


def run(minutes: float, names: list[str]) -> None:
    end = time.monotonic() + minutes * 60
    while time.monotonic() < end:
        for name in names:
            seed = sum(line["part"] == name for line in lines()) + 1000
            begun = time.monotonic()
            try:
                did = PARTS[name](seed)
            except AssertionError as error:
                raise SystemExit(f"{name}, seed {seed}: {error}") from error
            about = {"part": name, "seed": seed, "seconds": round(time.monotonic() - begun, 1), "did": did}
            with LOG.open("a") as log:
                log.write(json.dumps(about) + "\n")
            print(json.dumps(about), flush=True)
            if time.monotonic() > end:
                break


def main(words: list[str]) -> None:
    if words == ["totals"]:
        print(json.dumps(totals(), indent=1))
    elif words and words[0].replace(".", "").isdecimal() and set(words[1:]) <= set(PARTS):
        run(float(words[0]), words[1:] or list(PARTS))
    else:
        raise SystemExit(f"usage: scripts/soak MINUTES [{'] ['.join(PARTS)}]   or: scripts/soak totals")


if __name__ == "__main__":
    main(sys.argv[1:])
