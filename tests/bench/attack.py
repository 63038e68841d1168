"""Darts to a display at the pages while strangers from ten addresses attack, compared with the same without them.

Both in one run: quiet, attacked, quiet. All at once come empty frames, pings and pongs (30 connections), compressed
bodies, requests without end, and 20 who guess at the password of a user that there is.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import aiomqtt

from tests.bench.figures import Figure, quantile
from tests.bench.latency import ROOT, START, Subscriber, close_turn, dart
from tests.daemon.guest import OVER_THE_NETWORK
from tests.rig import OCHE, Daemon, PtyBoard, free_port, until

USER: Final = "tina"
AT_LEAST_MS: Final = 50.0
"""What is quick enough for anybody, whatever it is a multiple of."""
TIMES: Final = 3.0


async def measure(folder: Path, darts: int) -> list[Figure]:
    """The latency of `darts` darts in quiet and of as many under attack."""
    pty, data = PtyBoard(folder), folder / "data"
    port, http = free_port(), free_port()
    await asyncio.to_thread(_let_in, data)
    arguments = ("--http", f"{OVER_THE_NETWORK}:{http}", "--broker", f"embedded://127.0.0.1:{port}")
    quiet: list[float] = []
    attacked: list[float] = []
    with Daemon(folder, "--board", f"lounge=maddarts@{pty.path}", *arguments, node="bench", data=data) as daemon:
        until(lambda: "display is at" in daemon.log(), "the pages")
        async with (
            aiomqtt.Client("127.0.0.1", http, transport="websockets", websocket_path="/mqtt") as showing,
            aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5) as speaking,
        ):
            display = Subscriber(showing)
            task = asyncio.create_task(display.run())
            await display.until(lambda: display.online)
            await speaking.publish(f"{ROOT}/command", json.dumps(START), qos=1)
            await display.until(lambda: bool(display.state))
            await _darts(display, speaking, pty, quiet, range(darts // 2))
            async with _attacked(http):
                await _darts(display, speaking, pty, attacked, range(darts // 2, darts // 2 + darts))
            await _darts(display, speaking, pty, quiet, range(darts // 2 + darts, 2 * darts))
            task.cancel()
    pty.unplug()
    return _figures(quiet, attacked)


def _let_in(data: Path) -> None:
    """A user with a typed password, which has all its rounds."""
    command = [OCHE, "access", "add", USER, "--role", "player", "--data", str(data)]
    subprocess.run(command, input="a password of hers\n", text=True, check=True, capture_output=True)


@asynccontextmanager
async def _attacked(http: int) -> AsyncIterator[None]:
    attackers = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.attackers", str(http), f"{OVER_THE_NETWORK}:{http}", USER),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert attackers.stdout is not None
        assert await attackers.stdout.readline(), "the attackers have ended"
        yield
    finally:
        attackers.kill()
        await attackers.wait()


async def _darts(display: Subscriber, speaking: aiomqtt.Client, pty: PtyBoard, took: list[float], darts: range) -> None:
    for n in darts:
        took.append(await dart(display, pty, n))
        await close_turn(display, speaking)


def _figures(quiet: list[float], attacked: list[float]) -> list[Figure]:
    calm, worst = quantile(quiet, 0.99), quantile(attacked, 0.99)
    return [
        Figure("dart to a display at the pages, p50", quantile(quiet, 0.5), "ms"),
        Figure("dart to a display at the pages, p99", calm, "ms"),
        Figure("the same while ten addresses attack, p50", quantile(attacked, 0.5), "ms"),
        Figure("the same while ten addresses attack, p99", worst, "ms", max(TIMES * calm, AT_LEAST_MS)),
    ]
