"""From the last byte of a dart on the wire to the state at a subscriber, compared with the least possible time.

The least: the same client library publishes a state of the same size through
the same broker to the same subscriber, after one commit of such a row with
`synchronous=FULL` on the same disk. Dart and floor take turns.
"""

import asyncio
import json
import sqlite3
import time
from pathlib import Path
from typing import Any, Final

import aiomqtt

from tests.bench.figures import Figure, quantile
from tests.rig import Daemon, Mosquitto, PtyBoard

FLOOR_TOPIC: Final = "floor/state"
ROOT: Final = "oche/bench/board/lounge"
START: Final = {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 1001, "legs": 99}}}

BEDS: Final = (b"1;1\r\n", b"2;1\r\n")
"""In turns: the same bed twice in a row, so soon, is a doubt to the daemon."""


class Subscriber:
    """Sees states and the floor's messages, and stamps when they came."""

    def __init__(self, client: aiomqtt.Client, root: str = ROOT) -> None:
        self._client = client
        self.root = root
        self._news = asyncio.Condition()
        self.state: dict[str, Any] = {}
        self.state_size = 0
        self.state_ns = 0
        self.floor = 0
        self.floor_ns = 0
        self.online = False

    async def run(self) -> None:
        for topic in (f"{self.root}/match", f"{self.root}/status", FLOOR_TOPIC):
            await self._client.subscribe(topic, qos=1)
        async for message in self._client.messages:
            now = time.perf_counter_ns()
            payload = message.payload if isinstance(message.payload, bytes) else b""
            async with self._news:
                if str(message.topic) == FLOOR_TOPIC:
                    self.floor, self.floor_ns = self.floor + 1, now
                elif str(message.topic).endswith("/match"):
                    self.state, self.state_ns, self.state_size = json.loads(payload), now, len(payload)
                else:
                    self.online = json.loads(payload)["state"] == "online"
                self._news.notify_all()

    async def until(self, seen: Any) -> None:
        async with self._news, asyncio.timeout(30):
            await self._news.wait_for(seen)


async def measure(folder: Path, darts: int) -> list[Figure]:
    """The latency of `darts` darts and as many floors, in turns."""
    pty = PtyBoard(folder)
    ours: list[float] = []
    floors: list[float] = []
    with Mosquitto(folder) as broker:
        arguments = ("--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url)
        nodelay = ((6, 1, 1),)
        async with (
            aiomqtt.Client("127.0.0.1", broker.port, socket_options=nodelay) as listening,
            aiomqtt.Client(
                "127.0.0.1", broker.port, socket_options=nodelay, protocol=aiomqtt.ProtocolVersion.V5
            ) as speaking,
        ):
            subscriber = Subscriber(listening)
            task = asyncio.create_task(subscriber.run())
            with Daemon(folder, *arguments, node="bench", forks=False):
                await subscriber.until(lambda: subscriber.online)
                await speaking.publish(f"{ROOT}/command", json.dumps(START), qos=1)
                await subscriber.until(lambda: bool(subscriber.state))
                disk = _disk(folder / "floor.db")
                for n in range(darts):
                    ours.append(await dart(subscriber, pty, n))
                    floors.append(await _floor(subscriber, speaking, disk, n))
                    await close_turn(subscriber, speaking)
                disk.close()
            task.cancel()
    pty.unplug()
    return _figures(ours, floors)


async def dart(subscriber: Subscriber, pty: PtyBoard, n: int) -> float:
    """Milliseconds from dart number `n` on the wire to the state at a subscriber."""
    revision = subscriber.state["revision"]
    start = time.perf_counter_ns()
    pty.say(BEDS[n % 2])
    await subscriber.until(lambda: subscriber.state["revision"] > revision)
    return (subscriber.state_ns - start) / 1e6


async def _floor(subscriber: Subscriber, client: aiomqtt.Client, disk: sqlite3.Connection, n: int) -> float:
    payload, count = "x" * subscriber.state_size, subscriber.floor
    start = time.perf_counter_ns()
    disk.execute("INSERT INTO row VALUES (?, ?)", (n, '{"throw":"S1","by":"board","at_ms":1760000000000}'))
    await client.publish(FLOOR_TOPIC, payload, qos=1, retain=True)
    await subscriber.until(lambda: subscriber.floor > count)
    return (subscriber.floor_ns - start) / 1e6


async def close_turn(subscriber: Subscriber, client: aiomqtt.Client) -> None:
    """Pulls the darts of a turn that is over."""
    if subscriber.state["turn"]["awaits"] == "next":
        revision = subscriber.state["revision"]
        await client.publish(f"{subscriber.root}/command", '{"next": true}', qos=1)
        await subscriber.until(lambda: subscriber.state["revision"] > revision)


def _disk(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE row (n INTEGER PRIMARY KEY, line TEXT)")
    return db


def _figures(ours: list[float], floors: list[float]) -> list[Figure]:
    rows = [
        Figure(f"dart on the wire to state at a subscriber, {name}", quantile(ours, part), "ms")
        for name, part in (("p50", 0.5), ("p99", 0.99))
    ]
    rows += [
        Figure(f"the least: one commit and one message, {name}", quantile(floors, part), "ms")
        for name, part in (("p50", 0.5), ("p99", 0.99))
    ]
    return [
        *rows,
        Figure("ratio at p50", quantile(ours, 0.5) / quantile(floors, 0.5), "times", 1.4),
        Figure("ratio at p99", quantile(ours, 0.99) / quantile(floors, 0.99), "times", 1.8),
    ]
