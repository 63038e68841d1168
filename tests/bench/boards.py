"""Our own firmware and stand-ins for the boards in the field, on an emulated Arduino Uno of 8 rows and 10 columns.

Virtual time: the figures are the same on every machine and in every run.
"""

from pathlib import Path
from typing import Final

from tests.bench.figures import Figure, quantile
from tests.drivers import thrower
from tests.drivers.boards import RIGS
from tests.firmware import measure
from tests.firmware.avr_parts import UNO, image
from tests.firmware.board import Board
from tests.firmware.standin import STANDINS

BAUDS: Final = {1_000_000: (0.35, 0.8), 115_200: (1.15, None)}
"""Ours, with the goals for median and maximum."""


def speed(folder: Path, darts: int) -> list[Figure]:
    """From a contact that closes to the end of the last byte of its report."""
    figures: list[Figure] = []
    for baud, goals in BAUDS.items():
        board = Board(UNO, image(UNO.name, folder, baud), baud)
        figures += _rows(f"oche-matrix at {baud} baud", measure.latencies(board, darts), *goals)
        board.end()
    for standin in STANDINS:
        figures += _rows(
            f"stand-in {standin.dialect} at {standin.baud} baud", measure.standin_latencies(standin, folder, darts)
        )
    return figures


def pairs(folder: Path, count: int) -> list[Figure]:
    """Two darts 20 ms apart: how many of the two are reported."""
    what = f"of {2 * count} darts in pairs {measure.APART_MS} ms apart, heard:"
    ours = Figure(f"{what} oche-matrix", measure.pairs(folder, count), "darts", 2 * count, at_least=True)
    others = [
        Figure(f"{what} stand-in {s.dialect}", measure.standin_pairs(s, folder, count), "darts") for s in STANDINS
    ]
    return [ours, *others, *_one_dart(10 * count)]


def _one_dart(count: int) -> list[Figure]:
    """What becomes of a thrower's darts that swing, or lie on a wire."""
    rig = RIGS["oche-matrix"]
    timing = rig.pipeline()._timing
    (total,) = thrower.judge(rig, 1, ((timing.rebound_ms, timing.neighbour_ms),), count)
    what = f"of {total['darts']} darts of a thrower, oche-matrix:"
    goals = (("doubled", "scored twice", 0.002), ("doubt", "a doubt alone", 0.005), ("lost", "lost", 0.001))
    return [Figure(f"{what} {words}", total[name], "darts", goal * count) for name, words, goal in goals]


def _rows(name: str, times: list[float], median: float | None = None, most: float | None = None) -> list[Figure]:
    return [
        Figure(f"contact to last byte, {name}, median", quantile(times, 0.5), "ms", median),
        Figure(f"contact to last byte, {name}, max", max(times), "ms", most),
    ]
