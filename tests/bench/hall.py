"""A node's own latency with and without a hall on the same processor, in turns."""

import asyncio
import json
import statistics
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Final

import aiomqtt
import asyncpg

from hall.nodes import new_code
from tests.bench.figures import Figure, quantile
from tests.bench.latency import START, Subscriber, close_turn, dart
from tests.hall.postgres import Postgres, programs
from tests.hall.programs import Serving, oche, serving
from tests.rig import Daemon, Mosquitto, PtyBoard

ROUNDS: Final = 5


def measure(folder: Path, darts: int) -> list[Figure]:
    """Blocks of darts at two daemons in turns, of which one has joined a hall. Nothing without PostgreSQL."""
    if programs() is None:
        return []
    server = Postgres(flushed=True)
    try:
        url = server.start().new_database("hall")
        with serving(url) as hall:
            return asyncio.run(_measure(folder, darts, hall, url))
    finally:
        server.close()


async def _measure(folder: Path, darts: int, hall: Serving, url: str) -> list[Figure]:
    with ExitStack() as stack:
        db = await asyncpg.connect(url)
        code = await new_code(db)
        assert code is not None
        broker = stack.enter_context(Mosquitto(folder))
        async with AsyncExitStack() as clients:
            alone = await _node(stack, clients, folder, "alone", broker)
            member = await _node(stack, clients, folder, "member", broker)
            joined = await oche("hall", "join", hall.at, code, data=folder / "member" / "data")
            assert joined[0] == 0, joined
            ratios, p50 = [], {"without a hall": 0.0, "with one": 0.0}
            for _ in range(ROUNDS):
                for name, (subscriber, speaking, pty) in zip(p50, (alone, member), strict=True):
                    times = []
                    for n in range(darts // ROUNDS):
                        times.append(await dart(subscriber, pty, n))
                        await close_turn(subscriber, speaking)
                    p50[name] = quantile(times, 0.5)
                ratios.append(p50["with one"] / p50["without a hall"])
            # The hall has what was thrown: otherwise nothing was measured.
            async with asyncio.timeout(60):
                while await db.fetchval("SELECT sum(have) FROM match") in (None, 0):
                    pass  # Each look asks the server, and waits for its answer.
        await db.close()
    return [
        *(Figure(f"dart to a subscriber {name}, p50", value, "ms") for name, value in p50.items()),
        Figure("ratio with and without a hall, median of five", statistics.median(ratios), "times", 1.2),
    ]


async def _node(
    stack: ExitStack, clients: AsyncExitStack, folder: Path, name: str, broker: Mosquitto
) -> tuple[Subscriber, aiomqtt.Client, PtyBoard]:
    """A daemon in a match of two people."""
    place = folder / name
    place.mkdir()
    pty = PtyBoard(place)
    stack.callback(pty.unplug)
    nodelay = ((6, 1, 1),)
    listening = await clients.enter_async_context(aiomqtt.Client("127.0.0.1", broker.port, socket_options=nodelay))
    speaking = await clients.enter_async_context(aiomqtt.Client("127.0.0.1", broker.port, socket_options=nodelay))
    subscriber = Subscriber(listening, f"oche/{name}/board/lounge")
    task = asyncio.create_task(subscriber.run())
    clients.callback(task.cancel)
    stack.enter_context(
        Daemon(place, "--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url, node=name, forks=False)
    )
    await subscriber.until(lambda: subscriber.online)
    await speaking.publish(f"{subscriber.root}/command", json.dumps(START), qos=1)
    await subscriber.until(lambda: bool(subscriber.state))
    return subscriber, speaking, pty
