"""Runs the benchmarks, prints their table and writes them as JSON. `--quick` for a look, `--only WORD` for a part."""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.bench import (
    attack,
    boards,
    checksums,
    decoding,
    household,
    latency,
    lessons,
    paint,
    restart,
    rules,
    show,
    small,
    twin,
)
from tests.bench.figures import Figure, table

JSON = Path("build/bench.json")


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the darts")
    parts = (
        "latency, show, twin, attack, checksums, decoding, paint, start, journal, rest, small, load, boards, learning, "
    )
    parts += "rules"
    parser.add_argument("--only", default="", metavar="WORD", help=parts)
    arguments = parser.parse_args()
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="oche-bench-") as folder:
        for name, part in _parts(Path(folder), 100 if arguments.quick else 1000).items():
            if arguments.only in name:
                figures += part()
    print(table(figures))
    JSON.parent.mkdir(exist_ok=True)
    JSON.write_text(json.dumps([figure.to_json() for figure in figures], indent=1) + "\n")
    print(f"written to {JSON}")


def _parts(folder: Path, darts: int) -> dict[str, Callable[[], list[Figure]]]:
    def fresh(name: str) -> Path:
        place = folder / name
        place.mkdir()
        return place

    return {
        "latency": lambda: asyncio.run(latency.measure(fresh("latency"), darts)),
        "show": lambda: asyncio.run(show.measure(fresh("show"), darts)),
        "twin": lambda: asyncio.run(twin.measure(fresh("twin"), darts)),
        "attack": lambda: asyncio.run(attack.measure(fresh("attack"), darts)),
        "checksums": lambda: asyncio.run(checksums.measure(fresh("checksums"), darts // 5)),
        "decoding": lambda: decoding.measure(darts),
        "paint": lambda: asyncio.run(paint.measure(fresh("paint"), max(30, darts // 3))),
        "start": lambda: household.start(fresh("start"), max(3, darts // 100)),
        "journal": lambda: restart.measure(fresh("journal"), max(3, darts // 100)),
        "rest": lambda: household.rest(fresh("rest")),
        "small": lambda: small.measure(fresh("small"), max(5, darts // 100)),
        "load 1": lambda: household.load(fresh("load1"), 1),
        "load 10": lambda: household.load(fresh("load10"), 10),
        "load 100": lambda: household.load(fresh("load100"), 100),
        "load replayed": lambda: household.replayed(fresh("replayed"), 100),
        "boards": lambda: boards.speed(fresh("boards"), darts) + boards.pairs(fresh("pairs"), darts // 10),
        "learning": lambda: lessons.lessons(max(20, darts // 10)),
        "rules": rules.speeds,
    }


if __name__ == "__main__":
    main()
