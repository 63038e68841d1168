"""What the fit of a hand and the chance to win cost a dart: both work, or are stopped, while darts are thrown.

They run as the daemon runs them, in processes of the lowest priority, but without a pause. Twenty darts with them and
twenty without take turns, so that whatever else runs on the machine is in both.
"""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import aiomqtt

from daemon.session.background_process import ONE_THREAD
from daemon.session.live_chance import question
from daemon.system.catalogue import faces, games
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from tests.bench.figures import Figure, quantile
from tests.bench.latency import START, Subscriber
from tests.bench.show import PACE_SECONDS, RUNS, Table, subscribed
from tests.rig import Mosquitto
from tests.twin.record import record

BLOCK: Final = 20
DARTS_OF_THE_HAND: Final = 1_000
LOWEST: Final = "19"


async def measure(folder: Path, darts: int) -> list[Figure]:
    """The median latency of a dart with the fit and the chance at work, and without them, in five runs."""
    data = folder / "hands"
    data.mkdir()
    await asyncio.to_thread(record, data, darts=DARTS_OF_THE_HAND)
    with Mosquitto(folder) as broker, _fits(data) as fits, _chances() as chances:
        table = Table(folder / "table", broker.url, "twin")
        async with (
            aiomqtt.Client("127.0.0.1", broker.port) as speaking,
            subscribed(broker.port, table.root) as watching,
        ):
            with table.daemon:
                await watching.until(lambda: watching.online)
                await speaking.publish(f"{table.root}/command", json.dumps(START), qos=1)
                await watching.until(lambda: bool(watching.state))
                works = (fits, chances)
                ratios = [await _ratio(table, watching, speaking, works, darts // 10) for _ in range(RUNS)]
        table.pty.unplug()
    name = "dart to state, with the fit of a hand and the chance to win / without, p50"
    return [
        *(Figure(f"{name}, run {n}", ratio, "times") for n, ratio in enumerate(ratios, 1)),
        Figure(f"{name}, median of {RUNS} runs", quantile(ratios, 0.5), "times", 1.05),
    ]


async def _ratio(
    table: Table, watching: Subscriber, speaking: aiomqtt.Client, works: tuple[int, ...], darts: int
) -> float:
    times: dict[bool, list[float]] = {False: [], True: []}
    for block in range(2 * max(1, darts // BLOCK)):
        at_work = block % 2 == 1
        for group in works:
            os.killpg(group, signal.SIGCONT if at_work else signal.SIGSTOP)
        for _ in range(BLOCK):
            await asyncio.sleep(PACE_SECONDS)
            times[at_work].append(await table.throw(watching, speaking))
    return quantile(times[True], 0.5) / quantile(times[False], 0.5)


def _started(command: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        # A benchmark that is run with a priority of real time must not hand it on.
        ["chrt", "--other", "0", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **ONE_THREAD},
        process_group=0,
    )


@contextmanager
def _fits(data: Path) -> Iterator[int]:
    """Has a hand worked out again and again; the group of the processes."""
    once = f"{sys.executable} -P -m daemon.history.coach {data} Ann x {LOWEST}"
    with _ending(_started(["sh", "-c", f"while {once}; do :; done"])) as group:
        yield group


@contextmanager
def _chances() -> Iterator[int]:
    """Has the chance at the start of a match of Cricket worked out again and again; the group of the process."""
    match = open_match(Header("cricket", ("Ann", "Bob"), {}, NEWEST), games(), faces())
    assert isinstance(match, Match)
    asked = json.dumps(question(match.header.to_json(), match.state, {"Ann": 22.0, "Bob": 28.0})).encode() + b"\n"
    process = _started([sys.executable, "-P", "-m", "daemon.session.chance_process", LOWEST])
    answered = threading.Event()

    def ask() -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while True:
                process.stdin.write(asked)
                process.stdin.flush()
                if not process.stdout.readline().startswith(b'{"chance"'):
                    return
                answered.set()

    thread = threading.Thread(target=ask, daemon=True)
    with _ending(process) as group:
        thread.start()
        assert answered.wait(120), "no chance was worked out"
        yield group


@contextmanager
def _ending(process: subprocess.Popen[bytes]) -> Iterator[int]:
    try:
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
