"""An evening on a bad line: `python -m tests.firmware.evening` throws 10,000 darts and says whether each is one hit.

Five darts a second on average; contacts that ring for up to 3 ms; a third of
the darts less than 50 ms behind the one before, in another bed; one byte in a
thousand lost, doubled or flipped, both ways; a host that is gone for 2 s now
and then, as if its cable was pulled. The flashed image, a pty, the daemon, a
broker. It takes 2,000 s of the board's time, and about half as much of ours.

Quick darts are at least 4 ms apart: a contact may first touch for so short a
time that no look at the matrix meets it, and where two ring at once, which of
them came first is not defined. And no dart is the third corner of a rectangle
whose other two are still closed: without diodes it and the fourth look alike.
"""

import argparse
import difflib
import random
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from engine.segments import PLAYABLE, SEGMENTS
from tests.firmware.any_board import MS, AnyBoard, Cell
from tests.firmware.avr_parts import image
from tests.firmware.host import Noise
from tests.firmware.live import LiveBoard
from tests.mqtt_clients import Referee, watching
from tests.rig import LIMIT_SECONDS, Daemon, Mosquitto

NOISE: Final = Noise(0.001 / 3, 0.001 / 3, 0.001 / 3)
AWAY_MS: Final = 2000
FREE_MS: Final = 60
"""A dart rings, holds for 20 ms at most, rings again, and its contact must then be open for 10 ms."""


@dataclass
class Evening:
    """What was pressed, and what came over MQTT."""

    pressed: list[str]
    hits: list[str]
    ids: list[str]
    quick: int
    """Darts less than 50 ms behind the one before."""
    away: int
    spoilt: int
    """Frames that could not be read, at either end."""
    board_s: float
    took_s: float
    counters: dict[str, int]

    @property
    def good(self) -> bool:
        return self.hits == self.pressed and len(set(self.ids)) == len(self.ids) == len(self.pressed)

    @property
    def difference(self) -> list[str]:
        """What was pressed and is not there, and the other way round."""
        # Not the default way of telling what is like what: it gives up on beds that are hit often.
        matcher = difflib.SequenceMatcher(None, self.pressed, self.hits, autojunk=False)
        steps = (step for step in matcher.get_opcodes() if step[0] != "equal")
        return [f"{what} at {a}: {self.pressed[a:b]} is {self.hits[c:d]}" for what, a, b, c, d in steps]


def cell_of(text: str) -> Cell:
    """Where a bed is on the board of `board_file`."""
    return divmod(PLAYABLE.index(SEGMENTS[text]), 10)


def board_file(folder: Path) -> Path:
    """A board of 8 rows and 10 columns, its beds in a row. Darts come quicker than anybody throws: each is a hit."""
    names = [bed.text for bed in PLAYABLE] + ["."] * (80 - len(PLAYABLE))
    rows = [" ".join([str(r), *names[r * 10 : r * 10 + 10]]) for r in range(8)]
    grid = "\n".join([" ".join(map(str, range(10))), *rows])
    path = folder / "garage.toml"
    path.write_text(
        f'name = "garage"\ntitle = "Garage"\ndialect = "oche-matrix"\nsource = "a test"\ngrid = """\n{grid}\n"""\n'
        "[pace]\nrebound_ms = 0.0\nneighbour_ms = 0.0\n",
        encoding="utf-8",
    )
    return path


def throw_all(board: AnyBoard, darts: int, rng: random.Random) -> tuple[list[str], list[float]]:
    """Puts every dart in the board's time to come: the beds, and when, in ms from now."""
    at_ms, beds, times = 50.0, list[str](), list[float]()
    held: list[tuple[Cell, int]] = []
    """The last darts, and when their contacts are open for good."""
    for _ in range(darts):
        quick = rng.random() < 1 / 3
        at_ms += rng.uniform(4, 50) if quick else 60 + rng.expovariate(1 / 226.5)
        # No two darts share a bed before the first has let go.
        taken = {bed for bed, at in zip(beds[-20:], times[-20:], strict=True) if at_ms - at < FREE_MS}
        free = [bed.text for bed in PLAYABLE if bed.text not in taken]
        beds.append(rng.choice(free))
        times.append(at_ms)
        start = board.now + round(at_ms * MS)
        while _third_corner(cell_of(beds[-1]), [cell for cell, end in held if end >= start]):
            beds[-1] = rng.choice(free)
        hold = round(rng.uniform(5, 20) * MS)
        cell = cell_of(beds[-1])
        ring = _ring(rng)
        board.dart(start, cell, hold, ring)
        let_go = start + hold + sum(a + b for a, b in ring)
        for length, gap in _ring(rng):
            board.dart(let_go + gap, cell, length)
            let_go += length + gap
        held = [*held[-20:], (cell, let_go)]
    return beds, times


def _third_corner(cell: Cell, held: list[Cell]) -> bool:
    """It makes a rectangle of two that are closed: of this one and the fourth no wire tells which is the dart."""
    in_row = any(other[0] == cell[0] for other in held)
    in_col = any(other[1] == cell[1] for other in held)
    rows, cols = {r for r, _ in held}, {c for _, c in held}
    joined = any((r, cell[1]) in held and (r, c) in held and c != cell[1] for r in rows for c in cols if r != cell[0])
    bent = any((cell[0], c) in held and (r, c) in held and r != cell[0] for r in rows for c in cols if c != cell[1])
    return (in_row and in_col) or joined or bent


def _ring(rng: random.Random) -> tuple[tuple[int, int], ...]:
    """Touches and gaps, 3 ms in all at most; half of the contacts do not ring."""
    if rng.random() < 0.5:
        return ()
    cuts = sorted(rng.sample(range(50, 3000), 2 * rng.randint(1, 4)))
    spans = [(b - a) * MS // 1000 for a, b in zip([0, *cuts], cuts, strict=False)]
    return tuple(zip(spans[::2], spans[1::2], strict=True))


def whole_evening(folder: Path, images: Path, darts: int, away: int, seed: int = 1, noise: Noise = NOISE) -> Evening:
    """Throws `darts` darts, pulls the cable `away` times, and reports."""
    rng, began = random.Random(seed), time.monotonic()
    live = LiveBoard(image("atmega328p", images), folder, hurried=True, noise=noise)
    try:
        with (
            Mosquitto(folder) as broker,
            watching(broker.port) as watcher,
            Daemon(folder, "--board", f"lounge={board_file(folder)}@{live.path}", "--broker", broker.url),
        ):
            Referee(watcher, "lounge").online()
            ready, over = threading.Event(), threading.Event()
            thrown: list[tuple[list[str], list[float]]] = []

            def begin() -> None:
                thrown.append(throw_all(live.board, darts, rng))
                times = thrown[0][1]
                for n in range(1, away + 1):
                    at = live.board.now + round((times[-1] * n / (away + 1) + rng.uniform(-1000, 1000)) * MS)
                    live.board.at(at, live.unplug)
                    live.board.at(at + AWAY_MS * MS, live.plug)
                live.board.at(live.board.now + round((times[-1] + 3000) * MS), over.set)
                ready.set()

            live.order(begin)
            assert ready.wait(LIMIT_SECONDS)
            pressed, times = thrown[0]
            assert over.wait(LIMIT_SECONDS + times[-1] / 500), "the board is slower than half its own time"
            # The board has been quiet for three seconds: what it had to say it has said.
            watcher.wait(lambda m: m.topic.endswith("/hit") and m.payload["seq"] >= 0.9 * darts, "most of the hits")
            with suppress(AssertionError):
                watcher.wait(lambda m: m.topic.endswith("/hit") and m.payload["seq"] >= darts, "the last hit")
            hits = watcher.all("/hit")
            status = watcher.last("/status")
            counters = next(m.payload["counters"] for m in reversed(watcher.seen) if m.topic.endswith("lounge/status"))
        board_s = live.board.now / MS / 1000
    finally:
        live.close()
    assert status
    return Evening(
        pressed,
        [hit["segment"] for hit in hits],
        [hit["id"] for hit in hits],
        sum(b - a < 50 for a, b in pairwise(times)),
        away,
        sum(counters.get(name, 0) for name in ("garbage", "checksum", "board_rejected")),
        board_s,
        time.monotonic() - began,
        counters,
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.firmware.evening", description=__doc__)
    parser.add_argument("--darts", type=int, default=10_000)
    parser.add_argument("--away", type=int, default=40, help="how often the cable is pulled for 2 s")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="oche-evening-") as name:
        folder = Path(name)
        evening = whole_evening(folder, folder, arguments.darts, arguments.away, arguments.seed)
    print(f"pressed {len(evening.pressed)}, {evening.quick} of them less than 50 ms behind the one before")
    print(f"hits {len(evening.hits)}, ids {len(set(evening.ids))}; the host was gone {evening.away} times for 2 s")
    print(f"{evening.spoilt} frames could not be read; counters {evening.counters}")
    print(f"{evening.board_s:.0f} s of the board's time in {evening.took_s:.0f} s")
    print("each dart is one hit, in order, each id once" if evening.good else "NOT the darts that were pressed")
    print("\n".join(evening.difference[:20]))
    sys.exit(0 if evening.good else 1)


if __name__ == "__main__":
    main()
