"""What lights, web hooks and listeners cost a dart: two daemons at one broker, one of them with rules for every dart.

Its WLED controller and its web hook take connections and never answer, and its listener never reads. The daemons
throw in turns, so that whatever else runs on the machine is in both.
"""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

import aiohttp
import aiomqtt

from daemon.show.caller_door import PING_SECONDS
from tests.bench.figures import Figure, quantile
from tests.bench.latency import START, Subscriber, close_turn, dart
from tests.rig import LIMIT_SECONDS, Daemon, Mosquitto, PtyBoard, free_port

RUNS: Final = 5
PACE_SECONDS: Final = 0.05
"""Between two darts whose latency is measured: a hand needs ten times that."""
EVENTS: Final = 10_000
SOCKET_IO: Final = "/socket.io/?EIO=4&transport=websocket"
RULES: Final = """
[caller_door]
address = "127.0.0.1:{door}"

[[show]]
when = {{ event = ["dart", "score", "turn"] }}
wled = {{ at = "http://127.0.0.1:{dead}", color = "#00a0ff", seconds = 1 }}
http = {{ url = "http://127.0.0.1:{dead}/$player", body = "$segment" }}
words = "$player $segment $total"
"""


class Table:
    """A daemon with one board, and what its subscriber has seen of it."""

    def __init__(self, folder: Path, broker: str, node: str, *arguments: str) -> None:
        folder.mkdir()
        self.pty = PtyBoard(folder)
        self.root = f"oche/{node}/board/lounge"
        board = f"lounge=maddarts@{self.pty.path}"
        self.daemon = Daemon(folder, "--board", board, "--broker", broker, *arguments, node=node, forks=False)
        self.thrown = 0

    async def throw(self, subscriber: Subscriber, speaking: aiomqtt.Client) -> float:
        """Throws a dart; returns the milliseconds to its state."""
        took = await dart(subscriber, self.pty, self.thrown)
        self.thrown += 1
        await close_turn(subscriber, speaking)
        return took


class Counter:
    """Counts hits and events of a board."""

    def __init__(self, client: aiomqtt.Client, root: str) -> None:
        self._client, self._root = client, root
        self.is_subscribed = asyncio.Event()
        self._news = asyncio.Condition()
        self.hits: set[int] = set()
        self.events = 0

    async def run(self) -> None:
        await self._client.subscribe([(f"{self._root}/hit", 1), (f"{self._root}/event", 1)])
        self.is_subscribed.set()
        async for message in self._client.messages:
            assert isinstance(message.payload, bytes)
            async with self._news:
                if str(message.topic).endswith("/hit"):
                    self.hits.add(json.loads(message.payload)["seq"])
                else:
                    self.events += 1
                self._news.notify_all()

    async def has(self, hits: int) -> None:
        """Waits for so many hits; gives those up that do not come."""
        with contextlib.suppress(TimeoutError):
            async with self._news, asyncio.timeout(LIMIT_SECONDS):
                await self._news.wait_for(lambda: len(self.hits) >= hits)


async def measure(folder: Path, darts: int) -> list[Figure]:
    """The latency of a dart with and without rules; darts that are lost in 10,000 events, a tenth with `--quick`."""
    async with AsyncExitStack() as open_things:
        broker = open_things.enter_context(Mosquitto(folder))
        dead, door = open_things.enter_context(nobody_answers()), free_port()
        config = folder / "oche.toml"
        config.write_text(RULES.format(door=door, dead=dead))
        plain = Table(folder / "plain", broker.url, "plain")
        shown = Table(folder / "shown", broker.url, "shown", "--config", str(config))
        speaking = await open_things.enter_async_context(aiomqtt.Client("127.0.0.1", broker.port))
        watching = [
            await open_things.enter_async_context(subscribed(broker.port, table.root)) for table in (plain, shown)
        ]
        for table, subscriber in zip((plain, shown), watching, strict=True):
            open_things.enter_context(table.daemon)
            await subscriber.until(lambda subscriber=subscriber: subscriber.online)
            await speaking.publish(f"{table.root}/command", json.dumps(START), qos=1)
            await subscriber.until(lambda subscriber=subscriber: bool(subscriber.state))
        await open_things.enter_async_context(never_reads(door))
        ratios = [await _ratio((plain, shown), watching, speaking, darts // 5) for _ in range(RUNS)]
        # Joins only now: what it reads would be read before the state of a dart.
        client = await open_things.enter_async_context(aiomqtt.Client("127.0.0.1", broker.port))
        before, counter = shown.thrown, Counter(client, shown.root)
        counting = asyncio.create_task(counter.run())
        await counter.is_subscribed.wait()
        while counter.events < EVENTS * darts // 1000:
            await shown.throw(watching[1], speaking)
        thrown = shown.thrown - before
        await counter.has(thrown)
        counting.cancel()
        for table in (plain, shown):
            table.daemon.stop()
            table.pty.unplug()
    return [
        *(Figure(f"dart to state, with rules / without, p50, run {n}", r, "times") for n, r in enumerate(ratios, 1)),
        Figure(f"dart to state, with rules / without, median of {RUNS} runs", quantile(ratios, 0.5), "times", 1.05),
        Figure("events with a dead light, a dead web hook, a listener that does not read", counter.events, "events"),
        Figure("darts lost in them", thrown - len(counter.hits), "darts", 0.0),
    ]


async def _ratio(
    tables: Sequence[Table], watching: Sequence[Subscriber], speaking: aiomqtt.Client, darts: int
) -> float:
    """The median with rules divided by the one without: of darts at a pace, from both tables in turns."""
    times: list[list[float]] = [[], []]
    for _ in range(darts):
        for table, subscriber, found in zip(tables, watching, times, strict=True):
            await asyncio.sleep(PACE_SECONDS)
            found.append(await table.throw(subscriber, speaking))
    plain, shown = (quantile(found, 0.5) for found in times)
    return shown / plain


@asynccontextmanager
async def subscribed(port: int, root: str) -> AsyncIterator[Subscriber]:
    """A subscriber to the states of a board."""
    async with aiomqtt.Client("127.0.0.1", port, socket_options=((6, 1, 1),)) as client:
        subscriber = Subscriber(client, root)
        task = asyncio.create_task(subscriber.run())
        try:
            yield subscriber
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@contextmanager
def nobody_answers() -> Iterator[int]:
    """A port that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listening:
        yield listening.getsockname()[1]


@asynccontextmanager
async def never_reads(port: int) -> AsyncIterator[None]:
    """A listener at the port for callers that reads nothing, and joins again whenever the port has given it up."""
    joined = asyncio.Event()

    async def join_again() -> None:
        async with aiohttp.ClientSession() as session:
            while True:
                try:
                    async with session.ws_connect(f"ws://127.0.0.1:{port}{SOCKET_IO}") as socket_io:
                        await socket_io.send_str("40")
                        joined.set()
                        await asyncio.sleep(2 * PING_SECONDS)
                except aiohttp.ClientError:
                    await asyncio.sleep(0.05)

    task = asyncio.create_task(join_again())
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            await joined.wait()
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
