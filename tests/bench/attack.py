"""Darts to a display at the pages while strangers from ten addresses do their worst, beside the same without them.

Both in one run, quiet first: what strangers have sent is worked off for up to ten seconds after they have left. At the
same time come empty frames, pings and pongs (30 connections), compressed bodies, requests without end, and 20 clients
who guess at the password of a user that exists. A plain MQTT subscriber sees the same darts.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import aiomqtt

from tests.bench.figures import Figure, quantile
from tests.bench.latency import BEDS, ROOT, START, Subscriber, close_turn
from tests.daemon.guest import OVER_THE_NETWORK
from tests.rig import OCHE, Daemon, PtyBoard, free_port, until

USER: Final = "tina"
AT_LEAST_MS: Final = 50.0
"""Quick enough for anybody, whatever multiple of the quiet figure it is."""
TIMES: Final = 3.0
UNDER_ATTACK: Final = "dart to a display at the pages while ten addresses attack, p99"
REST_SECONDS: Final = 0.01
"""Pause between two darts: a hundred a second, more than ten boards throw."""


@dataclass(frozen=True, slots=True)
class _Latencies:
    """Milliseconds from a dart on the wire to its state, at a display of the pages and at a plain subscriber."""

    display: list[float] = field(default_factory=list)
    plain: list[float] = field(default_factory=list)


async def measure(folder: Path, darts: int) -> list[Figure]:
    """The latency of `darts` darts in quiet, then of as many under attack."""
    pty, data = PtyBoard(folder), folder / "data"
    port, http = free_port(), free_port()
    await asyncio.to_thread(_let_in, data)
    arguments = ("--http", f"{OVER_THE_NETWORK}:{http}", "--broker", f"embedded://127.0.0.1:{port}")
    with Daemon(
        folder, "--board", f"lounge=maddarts@{pty.path}", *arguments, node="bench", data=data, forks=False
    ) as daemon:
        until(lambda: "display is at" in daemon.log(), "the pages")
        async with (
            aiomqtt.Client("127.0.0.1", http, transport="websockets", websocket_path="/mqtt") as showing,
            aiomqtt.Client("127.0.0.1", port) as listening,
            aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5) as speaking,
        ):
            display, plain = Subscriber(showing), Subscriber(listening)
            tasks = [asyncio.create_task(subscriber.run()) for subscriber in (display, plain)]
            await display.until(lambda: display.online)
            await speaking.publish(f"{ROOT}/command", json.dumps(START), qos=1)
            for subscriber in (display, plain):
                await subscriber.until(lambda subscriber=subscriber: bool(subscriber.state))
            quiet = await _darts(display, plain, speaking, pty, range(darts))
            async with _attacked(http) as answers:
                since, before = time.monotonic(), answers()
                attacked = await _darts(display, plain, speaking, pty, range(darts, 2 * darts))
                rate = (answers() - before) / (time.monotonic() - since)
            for task in tasks:
                task.cancel()
    pty.unplug()
    return _figures(quiet, attacked, rate)


def _let_in(data: Path) -> None:
    """Adds a user with a typed password, which is hashed with all rounds."""
    command = [OCHE, "access", "add", USER, "--role", "player", "--data", str(data)]
    subprocess.run(command, input="a password of hers\n", text=True, check=True, capture_output=True)


@asynccontextmanager
async def _attacked(http: int) -> AsyncIterator[Callable[[], int]]:
    """Attacks during the block. Yields a function that returns how many answers the attackers have got."""
    attackers = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.attackers", str(http), f"{OVER_THE_NETWORK}:{http}", USER),
        stdout=asyncio.subprocess.PIPE,
    )
    answers = 0

    async def count(output: asyncio.StreamReader) -> None:
        nonlocal answers
        while line := await output.readline():
            answers = int(line)

    assert attackers.stdout is not None
    try:
        # The first line comes when every kind of attack has had an answer.
        answers = int(await attackers.stdout.readline())
        counting = asyncio.create_task(count(attackers.stdout))
        yield lambda: answers
        counting.cancel()
    finally:
        attackers.kill()
        await attackers.wait()


async def _darts(
    display: Subscriber, plain: Subscriber, speaking: aiomqtt.Client, pty: PtyBoard, darts: range
) -> _Latencies:
    took = _Latencies()
    for n in darts:
        revision, start = display.state["revision"], time.perf_counter_ns()
        pty.say(BEDS[n % 2])
        for subscriber, latencies in ((display, took.display), (plain, took.plain)):
            await subscriber.until(lambda subscriber=subscriber: subscriber.state["revision"] > revision)  # noqa: B023
            latencies.append((subscriber.state_ns - start) / 1e6)
        await close_turn(display, speaking)
        await plain.until(lambda: plain.state["revision"] == display.state["revision"])
        await asyncio.sleep(REST_SECONDS)
    return took


def _figures(quiet: _Latencies, attacked: _Latencies, rate: float) -> list[Figure]:
    calm = quantile(quiet.display, 0.99)
    rows = [
        Figure(f"dart to {where}{during}, {name}", quantile(values, part), "ms")
        for during, latencies in (("", quiet), (" while ten addresses attack", attacked))
        for where, values in (("a display at the pages", latencies.display), ("a plain subscriber", latencies.plain))
        for name, part in (("p50", 0.5), ("p99", 0.99))
    ]
    limit = max(TIMES * calm, AT_LEAST_MS)
    return [
        *(replace(row, goal=limit) if row.name == UNDER_ATTACK else row for row in rows),
        Figure("answers that the ten addresses get", rate, "1/s"),
    ]
