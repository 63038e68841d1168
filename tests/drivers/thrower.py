"""What `rebound_ms` and `neighbour_ms` cost: `python -m tests.drivers.thrower [RIG...]` throws 100,000 darts.

It judges them with each choice of times, which takes about a minute for each board, and prints the rows of the table in
`docs/boards.md`. `--darts N` throws fewer; `--write` puts the rows into `thrown.json` and into the table.

The thrower, whose numbers are the constants below, is a guess at quick people with a bad board: nobody has measured
real ones here. The board is simulated at the level of its contacts, its firmware and its line; time is virtual.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from drivers.events import DartLanded, DoubtfulDart
from drivers.neighbours import touch
from engine.segments import Segment
from tests.drivers.boards import RIGS, Rig
from tests.drivers.contacts import Cell, Contacts, Thrown, thrown
from tests.drivers.firmware import over_the_wire
from tests.drivers.test_evenings import hear

APART_MS: Final = (300.0, 2000.0)
"""Between two darts of a visit: a leisurely player and one who throws as fast as an arm can."""
PULLED_MS: Final = (5000.0, 15000.0)
"""Between two visits of three darts."""
SAME_BED: Final = 0.25
"""How many darts follow the last one into its bed."""
NEXT_BED: Final = 0.25
"""How many land in a bed that touches the last one's."""
SWINGING: Final = 0.05
"""How many swing: the contact opens and closes again, once or twice."""
SWING_MS: Final = (12.0, 140.0)
"""How long it is open then."""
ON_WIRE: Final = 0.03
"""How many touch a neighbouring bed as well."""
WIRE_MS: Final = (0.3, 55.0)
"""How much later that one closes."""
HOLDS: Final = ((0.90, (5.0, 60.0)), (0.08, (60.0, 1500.0)), (0.02, (1500.0, 5000.0)))
"""How long contacts stay closed: a share, and from how many ms to how many."""

CHUNK: Final = 1000
"""Darts of one seed."""
SHARE: Final = 200
"""How many darts of seed 0 the tests throw again."""
FOUND: Final = Path(__file__).parent / "thrown.json"
"""For each board and choice: what became of all darts, and of the share."""
DOCS: Final = Path(__file__).parents[2] / "docs" / "boards.md"
HEADER: Final = (
    "| board | rebound_ms | neighbour_ms | darts | not reported | scored twice | a doubt alone | lost |",
    "|---|---|---|---|---|---|---|---|",
)
COLUMNS: Final = ("darts", "unheard", "doubled", "doubt", "lost")
"""What the table has of a `judge`."""

Choice = tuple[float, float]
"""`rebound_ms` and `neighbour_ms`."""
OURS: Final = ((0.0, 0.0), (50.0, 20.0), (100.0, 40.0), (150.0, 60.0), (200.0, 100.0), (300.0, 150.0), (500.0, 300.0))
"""For our own firmware."""
BOTH_EDGES: Final = ((0.0, 0.0), (150.0, 60.0))
"""For other boards that report when a contact opens, beside the times that they have."""
ONE_EDGE: Final = ((0.0, 0.0), (120.0, 0.0), (150.0, 60.0), (200.0, 60.0), (200.0, 100.0))
"""For boards that do not."""
DEAF: Final = ((0.0, 0.0), (150.0, 60.0))
"""For firmware that is deaf for longer than both after a line, and then says again what is still closed."""
MORE: Final[dict[str, tuple[Choice, ...]]] = {
    "ordinal": ((300.0, 60.0), (500.0, 60.0)),  # longer than the 200 ms for which it is deaf
    "usb-bits": ((20.0, 0.0),),
    "usb-codes": ((20.0, 0.0),),
}
"""In addition."""


@dataclass(frozen=True)
class Evening:
    """Contacts of many darts; a dart that swings or lies on a wire has more than one."""

    contacts: list[Thrown]
    darts: int


def evening(rng: random.Random, beds: dict[Cell, Segment], count: int) -> Evening:
    """Draws darts by the constants above."""
    cells = sorted(beds)
    near = {cell: [other for other in cells if other != cell and touch(beds[cell], beds[other])] for cell in cells}
    contacts: list[Thrown] = []
    free: dict[Cell, float] = {}
    at, cell, darts = 50.0, rng.choice(cells), 0
    for n in range(count):
        at += rng.uniform(*(PULLED_MS if n % 3 == 0 else APART_MS))
        kind = rng.random()
        if kind > SAME_BED + NEXT_BED:
            cell = rng.choice(cells)
        elif kind > SAME_BED:
            cell = rng.choice(near[cell])
        if at < free.get(cell, 0.0) + 20.0:
            # Another dart keeps this contact closed: no board notices this one.
            continue
        here = [thrown(darts, cell, at, _hold(rng), rng)]
        if rng.random() < SWINGING:
            for _ in range(rng.randint(1, 2)):
                again = here[-1].rings[-1][1] + rng.uniform(*SWING_MS)
                here.append(thrown(darts, cell, again, rng.uniform(5.0, 60.0), rng))
        if rng.random() < ON_WIRE:
            other, touched = rng.choice(near[cell]), at + rng.uniform(*WIRE_MS)
            if touched > free.get(other, 0.0) + 20.0:
                here.append(thrown(darts, other, touched, rng.uniform(5.0, 60.0), rng))
        for one in here:
            free[one.cell] = max(free.get(one.cell, 0.0), one.rings[-1][1])
        contacts += here
        darts += 1
    return Evening(contacts, darts)


def _hold(rng: random.Random) -> float:
    kind = rng.random()
    for share, span in HOLDS:
        kind -= share
        if kind < 0:
            return rng.uniform(*span)
    return rng.uniform(*HOLDS[0][1])


def judge(rig: Rig, seed: int, choices: Sequence[Choice], count: int) -> list[Counter[str]]:
    """Returns for each choice how many darts scored once, more than once, as a doubt alone, or not at all.

    `unheard` darts are no matter of the choice: the firmware has reported none of their contacts.
    """
    rng = random.Random(seed)
    thrown_darts = evening(rng, rig.beds, count)
    arrived = over_the_wire(list(rig.firmware(Contacts(thrown_darts.contacts), rng)), rig.driver.baud, rng)
    dart_at = {piece.at_ns: piece.sent.dart for piece in arrived if piece.sent.dart is not None}
    reported = set(dart_at.values())
    totals = []
    for rebound, near in choices:
        pace = replace(rig.board.pace, rebound_ms=rebound, neighbour_ms=near)
        scored: Counter[int | None] = Counter()
        doubted: set[int | None] = set()
        for event in hear(replace(rig, board=replace(rig.board, pace=pace)).pipeline(), arrived):
            if isinstance(event, DartLanded):
                scored[dart_at.get(event.at_ns)] += 1
            elif isinstance(event, DoubtfulDart):
                doubted.add(dart_at.get(event.at_ns))
        totals.append(
            Counter(
                darts=thrown_darts.darts,
                unheard=thrown_darts.darts - len(reported),
                once=sum(scored[dart] == 1 for dart in reported),
                doubled=sum(max(0, scored[dart] - 1) for dart in reported),
                doubt=sum(not scored[dart] and dart in doubted for dart in reported),
                lost=sum(not scored[dart] and dart not in doubted for dart in reported),
            )
        )
    return totals


def chosen(rig: Rig) -> Choice:
    """The times that this board has."""
    timing = rig.pipeline()._timing
    return timing.rebound_ms, timing.neighbour_ms


def choices(rig: Rig) -> list[Choice]:
    """The times that are tried for a board, its own among them."""
    timing = rig.pipeline()._timing
    deaf = timing.hides == "all" or max(timing.repeat_ms, timing.stuck_first_ms) > ONE_EDGE[-1][0]
    others = BOTH_EDGES if rig.board.can.release else DEAF if deaf else ONE_EDGE
    usual = OURS if rig.name == "oche-matrix" else others
    return sorted({*usual, *MORE.get(rig.name, ()), chosen(rig)})


def measured(rig: Rig, darts: int) -> list[dict[str, list[int]]]:
    """What became of the darts with each of the `choices`."""
    tried = choices(rig)
    totals = [Counter[str]() for _ in tried]
    for seed in range(-(-darts // CHUNK)):
        for total, more in zip(totals, judge(rig, seed, tried, CHUNK), strict=True):
            total.update(more)
    share = judge(rig, 0, tried, SHARE)
    return [
        {"all": [total[name] for name in COLUMNS], "share": [part[name] for name in COLUMNS]}
        for total, part in zip(totals, share, strict=True)
    ]


def rows(rig: Rig, found: list[dict[str, list[int]]]) -> list[str]:
    """The lines of the table for a board."""
    lines = []
    for choice, one in zip(choices(rig), found, strict=True):
        mark = " (chosen)" if choice == chosen(rig) else ""
        counts = " | ".join(f"{count:,}" for count in one["all"])
        lines.append(f"| {rig.name} | {choice[0]:g} | {choice[1]:g}{mark} | {counts} |")
    return lines


def ordered() -> list[Rig]:
    """All boards, our own firmware first."""
    return sorted(RIGS.values(), key=lambda rig: rig.name != "oche-matrix")


def kept() -> dict[str, list[dict[str, list[int]]]]:
    """What was written of earlier runs."""
    read: dict[str, list[dict[str, list[int]]]] = json.loads(FOUND.read_text(encoding="utf-8"))
    return read


def table() -> list[str]:
    """The table of `docs/boards.md`, from what was written."""
    found = kept()
    return [*HEADER, *(line for rig in ordered() if rig.name in found for line in rows(rig, found[rig.name]))]


def write(name: str, found: list[dict[str, list[int]]]) -> None:
    """Writes what was measured for one board, and the table."""
    all_of_them = (kept() if FOUND.exists() else {}) | {name: found}
    lines = [f'"{name}": {json.dumps(all_of_them[name])}' for name in sorted(all_of_them)]
    FOUND.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    before, _, after = DOCS.read_text(encoding="utf-8").partition(HEADER[0] + "\n")
    _, _, after = after.partition("\n\n")
    DOCS.write_text(before + "\n".join(table()) + "\n\n" + after, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drivers.thrower", description=__doc__)
    parser.add_argument("rigs", nargs="*", metavar="RIG")
    parser.add_argument("--darts", type=int, default=100_000)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    print("\n".join(HEADER))
    for rig in [rig for rig in ordered() if rig.name in (arguments.rigs or RIGS)]:
        found = measured(rig, arguments.darts)
        print("\n".join(rows(rig, found)), flush=True)
        if arguments.write:
            write(rig.name, found)


if __name__ == "__main__":
    main()
