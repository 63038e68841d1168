"""From the command to the first dart accepted, with a long journal and with a short one, in turns."""

import asyncio
import random
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from daemon.record.journal import Imported, Journal
from daemon.record.reader import MatchRow
from engine import jsontext
from engine.actions import Throw, action_to_json
from engine.conformance import random_match
from engine.games import GAMES
from tests.bench.figures import Figure, quantile
from tests.bench.latency import BEDS
from tests.mqtt_clients import Referee, Watcher, watching
from tests.rig import Daemon, Mosquitto, PtyBoard

LONG: Final = 1_000_000
SHORT: Final = 1_000
AT_ONCE: Final = 200
"""Matches in one transaction."""


def measure(folder: Path, times: int, darts: int = LONG) -> list[Figure]:
    """The medians of `times` starts with `darts` darts in the journal and of as many with 1,000."""
    pty = PtyBoard(folder)
    took: dict[int, list[float]] = {SHORT: [], darts: []}
    for count in took:
        fill(folder / f"data-{count}", count)
    with Mosquitto(folder) as broker, watching(broker.port) as watcher:
        for n in range(times + 1):
            for count, starts in took.items():
                daemon = Daemon(
                    *(folder, "--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url),
                    node="bench",
                    data=folder / f"data-{count}",
                    forks=False,
                )
                seconds = _start(daemon, watcher, pty, n)
                if n:  # The first start of each looks at the whole journal once.
                    starts.append(seconds)
    pty.unplug()
    short, long = (quantile(starts, 0.5) for starts in took.values())
    return [
        Figure(f"restart with {SHORT:,} darts in the journal, median", short * 1000, "ms"),
        Figure(f"restart with {darts:,} darts in the journal, median", long * 1000, "ms"),
        Figure("the second over the first", long / short, "times", 1.2),
    ]


def fill(data: Path, darts: int) -> None:
    """Writes a journal of recorded random matches of x01, through the journal's own code."""
    record = random_match(GAMES["x01"], ("Ann", "Bob"), {}, None, random.Random(1))
    lines = tuple(jsontext.dump(action_to_json(action)) for action in record.actions)
    thrown = sum(isinstance(action, Throw) for action in record.actions)
    header = jsontext.dump(record.header.to_json())
    matches = [
        Imported(
            MatchRow(f"bench-{n:06}", "imported", header, "{}", "2026-01-01T20:00:00+00:00", "2026-01-01", "stopped"),
            lines,
        )
        for n in range(-(-darts // thrown))
    ]

    async def write(journal: Journal) -> None:
        for n in range(0, len(matches), AT_ONCE):
            await journal.write(*matches[n : n + AT_ONCE])

    with closing(Journal(data)) as journal:
        asyncio.run(write(journal))


def _start(daemon: Daemon, watcher: Watcher, pty: PtyBoard, n: int) -> float:
    since, began = len(watcher.seen), time.perf_counter()
    with daemon:
        Referee(watcher, "lounge", "bench").online(since)
        pty.say(BEDS[n % 2])
        watcher.wait(lambda m: m.topic.endswith("/hit"), "the first hit", since)
        return time.perf_counter() - began
