"""Runs the tests of faults at length: `scripts/soak MINUTES [PART]…`; the parts are in `PARTS`.

Each part draws a seed, and adds a line to `docs/soak.jsonl` if it passes. A run can be stopped at any time and loses
only its current part, a few minutes at most. Several runs can work in parallel. `scripts/soak totals` adds the lines
up. A failure ends the run and prints the seed. `scripts/soak keep` copies useful fuzzing inputs into the tests.
"""

import json
import logging
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from hypothesis import HealthCheck, settings
from hypothesis import seed as seeded
from hypothesis.stateful import run_state_machine_as_test

from tests.faults.cuts import evening
from tests.faults.damage import damages
from tests.faults.forged_at_the_broker import at_the_broker
from tests.faults.forged_rules import Rules
from tests.faults.fuzz import HANG_SECONDS, keep
from tests.faults.mounts import volatile
from tests.faults.parsers import PARSERS
from tests.faults.served import GOOD, visited
from tests.faults.test_model import WorldMachine
from tests.hall.postgres import programs
from tests.hall.soak import CATCH_UP_SECONDS, long_evening
from tests.houses.many_schedules import schedules

ROOT: Final = Path(__file__).parent.parent.parent
LOG: Final = ROOT / "docs" / "soak.jsonl"
FINDS: Final = ROOT / "build" / "soak"
"""What a fuzzer found, and its corpora."""
KILLS: Final = 100
HALL_KILLS: Final = 25
"""Of processes of a hall, at least 10 s apart: five minutes."""
POWER_CUTS: Final = 25
DAMAGES: Final = 200
FORGED: Final = 200_000
FORGED_AT_BROKER: Final = 100_000
"""Messages of a round of forging."""
SCHEDULES: Final = 10
"""Of faults, one after another in the same two houses."""
HOUSES_AT_ONCE: Final = 4
"""Pairs of houses that play at the same time: most of a schedule is waiting."""
COVERAGE_SECONDS: Final = 10.0
"""Of a round of fuzzing; what follows draws on what this found."""
CHANCE_SECONDS: Final = 30.0
SHARE_BYTES: Final = 5_000_000
"""Of fuzzing, for each parser in each run."""
SHARES: Final = {"kills": 3, "power": 1, "model": 1, "damage": 1, "fuzz": 5, "forged": 1, "houses": 1, "hall": 1}
"""How the time is shared out between the parts."""


def kills(seed: int, _run: str) -> dict[str, int]:
    """An evening with SIGKILLs."""
    with tempfile.TemporaryDirectory() as folder:
        return {"kills": KILLS, "darts": evening(Path(folder), KILLS, seed)}


def power(seed: int, _run: str) -> dict[str, int]:
    """An evening with power cuts."""
    with tempfile.TemporaryDirectory() as folder, volatile(Path(folder) / "disk") as mount:
        return {"power_cuts": POWER_CUTS, "darts": evening(Path(folder), POWER_CUTS, seed, mount)}


def model(seed: int, _run: str) -> dict[str, int]:
    """Runs new orders of faults."""
    steps = settings(
        max_examples=3, stateful_step_count=12, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(seeded(seed)(WorldMachine), settings=steps)
    return {"households": 3}


def damage(seed: int, _run: str) -> dict[str, int]:
    """Flips and cuts in a journal and its log."""
    logging.disable(logging.CRITICAL)  # Each of them is said, which is what is tried.
    try:
        return {f"damages {verdict}": count for verdict, count in damages(DAMAGES, seed).items()}
    finally:
        logging.disable(logging.NOTSET)


def fuzz(seed: int, run: str) -> dict[str, int]:
    """A parser, in processes of its own, first led by coverage, then by chance. First every parser has its share of the
    run, then it is the turn of the one that has had the fewest bytes in all."""
    so_far, now = totals(), totals(run)
    called = {name: f"fuzzed_bytes {name}" for name in [*PARSERS, *GOOD]}
    name = min(called, key=lambda name: (now.get(called[name], 0) >= SHARE_BYTES, so_far.get(called[name], 0)))
    if name in GOOD:
        end = time.monotonic() + COVERAGE_SECONDS + CHANCE_SECONDS
        with tempfile.TemporaryDirectory() as folder:
            return {f"fuzzed_bytes {name}": visited(Path(folder), name, seed, lambda _: time.monotonic() > end)}
    led = _round("coverage", name, COVERAGE_SECONDS, seed) if _has_atheris() else 0
    return {f"fuzzed_bytes {name}": led + _round("chance", name, CHANCE_SECONDS, seed), "led_by_coverage": led}


def forged(seed: int, _run: str) -> dict[str, int]:
    """Forged messages, first against the rules alone, then at the real broker and the real daemon."""
    rules = Rules(seed)
    rules.run(FORGED)
    with tempfile.TemporaryDirectory() as folder:
        return {"forged": FORGED} | at_the_broker(Path(folder), seed, FORGED_AT_BROKER)


def houses(seed: int, _run: str) -> dict[str, int]:
    """Matches in two houses, with kills, cut lines, delays, and messages that come twice."""
    with tempfile.TemporaryDirectory() as folder:
        return schedules(Path(folder), seed, SCHEDULES, HOUSES_AT_ONCE)


def hall(seed: int, _run: str) -> dict[str, int]:
    """200 boards at a dart a second, with kills of PostgreSQL and of the processes of their hall."""
    did = long_evening(HALL_KILLS, seed)
    print(did.told(), file=sys.stderr, flush=True)
    slow = sum(seconds > CATCH_UP_SECONDS for seconds in did.caught_up)
    return {"hall_kills": HALL_KILLS, "hall_darts": did.darts, "hall_kills_caught_up_late": slow}


def _round(how: str, name: str, seconds: float, seed: int) -> int:
    FINDS.mkdir(parents=True, exist_ok=True)
    report = FINDS / f"report-{seed}.json"
    command = [sys.executable, "-m", "tests.faults.fuzz", how, name, str(seconds), str(seed), str(FINDS)]
    try:
        # In addition to its time: imports, reading the corpus, and its own limit for inputs that hang.
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, cwd=ROOT, timeout=seconds + 5 * HANG_SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise AssertionError(f"{name}: {how} does not end") from error
    if done.returncode != 0:
        raise AssertionError(f"{name}: {done.stdout[-2000:]}{done.stderr[-4000:]}")
    read: int = json.loads(report.read_text())["bytes"]
    report.unlink()
    return read


def _has_atheris() -> bool:
    return find_spec("atheris") is not None


PARTS: Final[dict[str, Callable[[int, str], dict[str, int]]]] = {
    "kills": kills,
    "power": power,
    "model": model,
    "damage": damage,
    "fuzz": fuzz,
    "forged": forged,
    "houses": houses,
}
if programs() is not None:  # Its PostgreSQL.
    PARTS["hall"] = hall


def lines() -> list[dict[str, object]]:
    return [json.loads(line) for line in LOG.read_text().splitlines()] if LOG.exists() else []


def totals(run: str | None = None) -> dict[str, int]:
    """What all runs together did, or one."""
    sums: Counter[str] = Counter()
    for line in lines():
        if run not in (None, line.get("run")):
            continue
        did = line["did"]
        assert isinstance(did, dict)
        sums.update(did)
    return dict(sums)


def run(minutes: float, names: list[str]) -> None:
    end, this = time.monotonic() + minutes * 60, secrets.token_hex(4)
    spent = dict.fromkeys(names, 0.0)
    while time.monotonic() < end:
        name = min(names, key=lambda name: spent[name] / SHARES[name])
        seed = secrets.randbits(31)
        begun = time.monotonic()
        try:
            did = PARTS[name](seed, this)
        except Exception as error:
            traceback.print_exc()  # The text of a group of errors names none of them.
            raise SystemExit(f"{name}, seed {seed}: {error}") from error
        seconds = time.monotonic() - begun
        spent[name] += seconds
        about = {"run": this, "part": name, "seed": seed, "seconds": round(seconds, 1), "did": did}
        with LOG.open("a") as log:
            log.write(json.dumps(about) + "\n")
        print(json.dumps(about), flush=True)


def main(words: list[str]) -> None:
    # What was started for the part that is broken off ends with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    if words == ["totals"]:
        print(json.dumps(totals(), indent=1))
    elif words == ["keep"]:
        for name in PARSERS:
            keep(name, FINDS)
    elif words and words[0].replace(".", "").isdecimal() and set(words[1:]) <= set(PARTS):
        run(float(words[0]), words[1:] or list(PARTS))
    else:
        raise SystemExit(f"usage: scripts/soak MINUTES [{'] ['.join(PARTS)}]   or: scripts/soak totals | keep")


if __name__ == "__main__":
    main(sys.argv[1:])
