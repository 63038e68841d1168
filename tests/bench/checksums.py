"""A dart with the checksums of the journal and without: two daemons take the darts in turns, in five runs.

The one without neither computes checksums, nor writes the end of a match's chain, nor the mark of what was written.
Users have no such option: a program of the benchmark replaces these functions. Processor time is measured as well,
because other work on the machine changes it less than latency.
"""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import aiomqtt

from tests.bench.figures import Figure, quantile
from tests.bench.latency import ROOT, START, Subscriber, close_turn, dart
from tests.daemon.house import changed
from tests.rig import OCHE, Daemon, Mosquitto, PtyBoard

RUNS: Final = 5
GOAL: Final = 1.05
WITHOUT: Final = """\
from daemon.record import chain, row_checksums, row_writer, written_mark
for module in (chain, row_checksums, row_writer, written_mark):
    for name in ("row_checksum", "action_checksum", "match_checksum", "board_checksum", "chain_start"):
        if hasattr(module, name): setattr(module, name, lambda *_: bytes(8))
written_mark.WrittenMark.write = lambda *_: None
row_writer.RowWriter.extent = lambda *_: None
write_match = row_writer.RowWriter.write_match
def only_actions(self, row, lines=(), rewritten=None):
    lines = tuple(lines)
    if row.ended is not None or self._ends.get(row.id, chain.ChainEnd()).actions == 0:
        return write_match(self, row, lines, rewritten)
    for n, line in lines:
        self._execute("INSERT INTO action VALUES (?, ?, ?, ?)", (row.id, n, line, None))
row_writer.RowWriter.write_match = only_actions
"""


@dataclass(frozen=True, slots=True)
class _House:
    """A daemon with its board and its broker."""

    daemon: Daemon
    pty: PtyBoard
    port: int


@contextmanager
def _house(folder: Path, program: str) -> Iterator[_House]:
    folder.mkdir()
    pty = PtyBoard(folder)
    arguments = ("--board", f"lounge=maddarts@{pty.path}", "--broker")
    with (
        Mosquitto(folder) as broker,
        Daemon(folder, *arguments, broker.url, node="bench", program=program, forks=False) as daemon,
    ):
        yield _House(daemon, pty, broker.port)
    pty.unplug()


async def measure(folder: Path, darts: int) -> list[Figure]:
    """The medians of `RUNS` runs with `darts` darts each, and what the checksums add."""
    program = changed(folder, f"exec({WITHOUT!r})")
    with ExitStack() as stack:
        houses = [
            stack.enter_context(_house(folder / name, program))
            for name, program in (("with", OCHE), ("without", program))
        ]
        async with asyncio.TaskGroup() as group:
            barrier = asyncio.Barrier(len(houses))
            turns = [asyncio.Event() for _ in houses]
            turns[0].set()
            runs = [group.create_task(_play(house, darts, n, turns, barrier)) for n, house in enumerate(houses)]
    with_them, without = (task.result() for task in runs)
    return _figures(with_them, without)


Run = tuple[float, float]
"""The median of a dart in milliseconds, and the processor time of a dart in microseconds."""


async def _play(
    house: _House, darts: int, number: int, turns: list[asyncio.Event], barrier: asyncio.Barrier
) -> list[Run]:
    async with (
        aiomqtt.Client("127.0.0.1", house.port) as listening,
        aiomqtt.Client("127.0.0.1", house.port, protocol=aiomqtt.ProtocolVersion.V5) as speaking,
    ):
        subscriber = Subscriber(listening)
        task = asyncio.create_task(subscriber.run())
        await subscriber.until(lambda: subscriber.online)
        await speaking.publish(f"{ROOT}/command", json.dumps(START), qos=1)
        await subscriber.until(lambda: bool(subscriber.state))
        runs = []
        for run in range(RUNS + 1):
            await barrier.wait()
            before, took = busy_ns(house.daemon.pid), []
            for n in range(darts):
                await turns[number].wait()
                turns[number].clear()
                took.append(await dart(subscriber, house.pty, n))
                await close_turn(subscriber, speaking)
                turns[1 - number].set()
            # The first run warms both up.
            if run:
                runs.append((quantile(took, 0.5), (busy_ns(house.daemon.pid) - before) / darts / 1e3))
        task.cancel()
    return runs


def busy_ns(pid: int) -> int:
    """The processor time of all threads of a process, in nanoseconds."""
    return sum(int(path.read_text().split()[0]) for path in Path(f"/proc/{pid}/task").glob("*/schedstat"))


def _figures(with_them: list[Run], without: list[Run]) -> list[Figure]:
    rows = []
    for n, (what, unit) in enumerate((("dart, p50", "ms"), ("processor time of a dart", "µs"))):
        pairs = [(a[n], b[n]) for a, b in zip(with_them, without, strict=True)]
        ratios = [a / b for a, b in pairs]
        rows += [
            Figure(f"{what}, with checksums", quantile([a for a, _ in pairs], 0.5), unit),
            Figure(f"{what}, without", quantile([b for _, b in pairs], 0.5), unit),
            Figure(f"{what}, with over without, median of five runs", quantile(ratios, 0.5), "times", GOAL),
            Figure(f"{what}, with over without, highest of five runs", max(ratios), "times"),
        ]
    return rows
