"""What a `rebound_ms` costs: `python -m tests.drivers.rings RIG MS...` throws 10,000 darts with each, in two ways.

Prints for each how many reports there were of a contact that rang as it let
go, how many of them were scored, and how many darts were shown as doubtful.
The harsh way is the one of the tests: second darts from 20 ms on, every third
contact held for up to 5 s, stuck beds. The calm way is an evening as people
play it.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from drivers.events import DartLanded, DoubtfulDart
from tests.drivers.boards import RIGS, Rig
from tests.drivers.contacts import Cell, Contacts, Thrown, session, thrown
from tests.drivers.firmware import over_the_wire
from tests.drivers.test_evenings import hear

SEEDS: Final = 10
DARTS: Final = 1_000

Way = Callable[[random.Random, list[Cell], int], list[Thrown]]


def calm(rng: random.Random, cells: list[Cell], count: int) -> list[Thrown]:
    """Visits of three darts, 1 to 4 s apart, then 8 to 20 s to pull them; one in four goes where the last one went.

    Of the contacts 85 % open within 60 ms, 12 % within 1.5 s and 3 % within 10 s.
    """
    darts: list[Thrown] = []
    free: dict[Cell, float] = {}
    at, cell = 50.0, rng.choice(cells)
    for number in range(count):
        if rng.random() > 0.25:
            cell = rng.choice(cells)
        at += rng.uniform(8_000, 20_000) if number % 3 == 0 else rng.uniform(1_000, 4_000)
        # A dart that hits a bed while another keeps its contact closed closes nothing: it is left out.
        if at < free.get(cell, 0.0) + 20.0:
            continue
        kind = rng.random()
        hold = rng.uniform(0.5, 60) if kind < 0.85 else rng.uniform(60, 1500) if kind < 0.97 else rng.uniform(1500, 1e4)
        darts.append(thrown(number, cell, at, hold, rng))
        free[cell] = darts[-1].rings[-1][1]
    return darts


def measure(rig: Rig, seed: int, way: Way, count: int = DARTS) -> Counter[str]:
    """What became of the darts that the wire reported, and of what rang."""
    rng = random.Random(seed)
    sent = list(rig.firmware(Contacts(way(rng, sorted(rig.beds), count)), rng))
    arrived = over_the_wire(sent, rig.driver.baud, rng, rng.uniform(0.995, 1.005))
    heard = hear(rig.pipeline(), arrived)
    scored = {h.at_ns for h in heard if isinstance(h, DartLanded)}
    doubted = {h.at_ns for h in heard if isinstance(h, DoubtfulDart)}
    totals = Counter(dict.fromkeys(("darts", "darts doubted", "darts dropped", "rings", "rings scored"), 0))
    for piece in arrived:
        if piece.sent.dart is None:
            continue
        kind = "darts" if piece.sent.first else "rings"
        totals[kind] += 1
        totals["rings scored"] += kind == "rings" and piece.at_ns in scored
        totals["darts doubted"] += kind == "darts" and piece.at_ns in doubted
        totals["darts dropped"] += kind == "darts" and piece.at_ns not in scored and piece.at_ns not in doubted
    return totals


def main(name: str, windows: list[float]) -> None:
    """One line for each window and each way."""
    for window in windows or [RIGS[name].pipeline()._timing.rebound_ms]:
        board = RIGS[name].board
        rig = replace(RIGS[name], board=replace(board, pace=replace(board.pace, rebound_ms=window)))
        for way in (calm, session):
            totals: Counter[str] = Counter()
            for seed in range(SEEDS):
                totals.update(measure(rig, seed, way))
            about = {"board": name, "rebound_ms": window, "way": "calm" if way is calm else "harsh"}
            print(json.dumps(about | totals), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], [float(ms) for ms in sys.argv[2:]])
