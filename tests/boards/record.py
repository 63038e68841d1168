"""Makes the recordings of this folder that are not from hardware: `python -m tests.boards.record`.

A recording is the raw bytes of a board with the time of their arrival, taken
below the decoders: JSON Lines, the first `{"recording": 1, "model", "source",
"note"}` with a source of `grammar` or `hardware`, every other `{"at_ms", "hex"}`
in ms from the start. Beside it, `NAME.expected.jsonl` has the hits, one a line.
These are what the simulated firmware threw, not what our decoders made of it.
"""

import json
import random
from pathlib import Path

from tests.drivers.boards import RIGS, Rig
from tests.drivers.contacts import Contacts, Thrown, thrown
from tests.drivers.firmware import Arrived, over_the_wire

FOLDER = Path(__file__).parent
DARTS = 60


def evening(rig: Rig, rng: random.Random) -> list[Thrown]:
    """Darts that every reader can tell: none lands while the one before holds, nor in the deaf time."""
    darts: list[Thrown] = []
    at = 3000.0
    cells = sorted(rig.beds)
    for number in range(DARTS):
        # Where a ring at the release looks like a dart, the contact is closed no longer than the firmware is deaf.
        longest = 15.0 if not rig.tells_repeats else 4500.0
        hold = rng.uniform(3.0, 15.0) if rng.random() < 0.7 else rng.uniform(3.0, longest)
        dart = thrown(number, rng.choice(cells), at, hold, rng)
        darts.append(dart)
        at = dart.rings[-1][1] + rng.uniform(1200.0, 4000.0)
    return darts


def record(rig: Rig, seed: int) -> tuple[list[Arrived], list[tuple[int, str]]]:
    """What arrived, and the hits of it with the time of their arrival in ns."""
    rng = random.Random(seed)
    darts = evening(rig, rng)
    arrived = over_the_wire(list(rig.firmware(Contacts(darts), rng)), rig.driver.baud, rng)
    cells = {dart.number: dart.cell for dart in darts}
    hits = [
        (piece.at_ns, rig.beds[cells[piece.sent.dart]].text)
        for piece in arrived
        if piece.sent.first and piece.sent.dart is not None
    ]
    return arrived, hits


def write(rig: Rig, seed: int) -> None:
    """One recording with its expectation. Bytes come in pieces, as a serial port gives them."""
    arrived, hits = record(rig, seed)
    rng = random.Random(seed)
    lines: list[dict[str, object]] = [
        {"recording": 1, "model": rig.board.name, "source": "grammar", "note": f"{DARTS} darts, seed {seed}"}
    ]
    pieces: list[dict[str, object]] = []
    for piece in arrived:
        data, at_ms = piece.sent.data, piece.at_ns / 1e6
        cut = rng.randrange(len(data))
        if cut:
            pieces.append({"at_ms": at_ms, "hex": data[:cut].hex()})
        pieces.append({"at_ms": at_ms, "hex": data[cut:].hex()})
    folder = FOLDER / rig.board.name
    folder.mkdir(exist_ok=True)
    _save(folder / "evening.jsonl", [*lines, *pieces])
    _save(folder / "evening.expected.jsonl", [{"at_ms": at / 1e6, "segment": bed} for at, bed in hits])


def _save(path: Path, lines: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    for number, rig in enumerate(RIGS.values()):
        # A board whose table was learnt is nobody else's.
        if rig.board.name != "learnt":
            write(rig, 100 + number)
