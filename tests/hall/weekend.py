"""Nodes that are back after a weekend without their hall: all they have comes at once, beside darts that are thrown.

`python -m tests.hall.weekend [NODES [MATCHES]]` prints how long it takes, and `… connections NODES` what it costs that
many are connected. The nodes are simulated: each has a key, a token and a connection of its own, and sends one request
after the other, but what it sends is made beforehand.
"""

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import asyncpg

from hall.nodes import token_hash
from hall.server import allow_connections
from league.digests import MatchRecord, Seat, digest_of
from league.signatures import new_key, public_key, sign
from tests.hall.postgres import Postgres
from tests.hall.programs import Serving, serving

LINES: Final = 200
"""Of each match: five legs or so."""
STARTED: Final = "2026-01-01T19:30:00+00:00"
HEADER: Final = '{"match":1,"rules":1,"game":"x01","players":["Player 1","Player 2"],"options":{"start":501}}'


def lines(count: int) -> list[str]:
    """Lines of a match in which nobody wins."""
    visit = ("S1", "S2", "S1")
    return [
        json.dumps(({"next": True} if n % 4 == 3 else {"throw": visit[n % 4]}) | {"at_ms": n * 900})
        for n in range(count)
    ]


@dataclass(slots=True)
class SimulatedNode:
    """A node with its requests, ready to be sent."""

    name: str
    key: bytes = field(default_factory=new_key)
    requests: list[bytes] = field(default_factory=list)

    @property
    def token(self) -> str:
        """What it sends with each request."""
        return f"token-{self.name}"

    def request(self, method: str, path: str, body: str) -> bytes:
        """A request as bytes."""
        head = f"{method} {path} HTTP/1.1\r\nHost: hall\r\nAuthorization: Bearer {self.token}\r\n"
        return f"{head}Content-Length: {len(body.encode())}\r\n\r\n{body}".encode()

    def seats(self, match: str) -> list[dict[str, Any]]:
        """Two signed seats."""
        seats = Seat(1, "Ann", "a" * 32), Seat(2, "Bob", "b" * 32)
        return [seat.to_json() | {"signature": sign(self.key, seat.signed_text(self.name, match))} for seat in seats]

    def finished(self, match: str, text: str) -> bytes:
        """The request with a finished match."""
        record = MatchRecord(self.name, match, 1, digest_of(text), STARTED, STARTED)
        body = {
            "record": record.to_json(),
            "signature": sign(self.key, record.signed_text()),
            "board": "lounge",
            "file": text,
            "seats": self.seats(match),
            "waiting": 0,
        }
        return self.request("PUT", f"/v1/match/{record.digest}", json.dumps(body))

    def running(self, match: str, first: int, some: list[str]) -> bytes:
        """A request with lines of a running match."""
        opening = {"board": "lounge", "header": HEADER, "started": STARTED, "seats": self.seats(match)}
        about: dict[str, Any] = {"match": match, "first": first, "waiting": 0, "live": False}
        about |= {"opening": opening} if first == 1 else {}
        return self.request("POST", "/v1/ship", "\n".join((json.dumps(about), *some)))


def with_matches(name: str, matches: int) -> SimulatedNode:
    """A node with finished matches."""
    node = SimulatedNode(name)
    text = "\n".join((HEADER, *lines(LINES), ""))
    node.requests = [node.finished(f"{name}-{n}", text) for n in range(matches)]
    return node


def with_lines(name: str, chunks: int) -> SimulatedNode:
    """A node with one running match, in chunks."""
    node, some = SimulatedNode(name), lines(LINES)
    node.requests = [node.running(name, n * LINES + 1, some) for n in range(chunks)]
    return node


class Connection(asyncio.Protocol):
    """Sends the requests of a node, each after the answer to the one before, and counts the answers."""

    def __init__(self, node: SimulatedNode, done: Callable[[], None]) -> None:
        self._left, self._done = iter(node.requests), done
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._answer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Sends the first request."""
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        self._next()

    def _next(self) -> None:
        if (request := next(self._left, None)) is None:
            self._transport.close()
            self.ended.set_result(None)
        else:
            self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        """Sends the next request if the answer is whole."""
        self._answer += data
        if self._answer.endswith(b"}"):
            if not self._answer.startswith(b"HTTP/1.1 200"):
                self.ended.set_exception(AssertionError(self._answer.decode()))
                self._transport.close()
                return
            self._answer = b""
            self._done()
            self._next()

    @classmethod
    async def run(cls, node: SimulatedNode, port: int, done: Callable[[], None]) -> Self:
        """Sends everything, and returns when it is answered."""
        _, made = await asyncio.get_running_loop().create_connection(lambda: cls(node, done), "127.0.0.1", port)
        await made.ended
        return made


async def enrol(url: str, nodes: list[SimulatedNode]) -> None:
    """Has the hall know the nodes."""
    db = await asyncpg.connect(url)
    try:
        rows = [(node.name, public_key(node.key), token_hash(node.token)) for node in nodes]
        await db.executemany("INSERT INTO node (name, public_key, token_hash) VALUES ($1, $2, $3)", rows)
    finally:
        await db.close()


def memory(hall: Serving) -> int:
    """The most memory that a process of the hall has had, in MiB."""
    peaks = []
    for pid in (hall.process.pid, *hall.workers()):
        status = Path(f"/proc/{pid}/status").read_text().splitlines()
        peaks += [int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM")]
    return max(peaks)


async def weekend(hall: Serving, url: str, nodes: list[SimulatedNode]) -> tuple[float, list[float]]:
    """Sends everything. Returns the seconds it took, and how long each dart took that was thrown meanwhile."""
    live = SimulatedNode("live")
    await enrol(url, [*nodes, live])
    reader, writer = await asyncio.open_connection("127.0.0.1", hall.port)
    darts: list[float] = []

    async def throw() -> None:
        while True:
            dart = live.running("live", len(darts) + 1, lines(1)).replace(b'"live": false', b'"live": true ')
            at = time.monotonic()
            writer.write(dart)
            answer = b""
            while not answer.endswith(b"}"):
                answer += await reader.read(4096)
            assert b" 200 " in answer, answer
            darts.append(time.monotonic() - at)
            await asyncio.sleep(0.05)

    throwing = asyncio.create_task(throw())
    begun = time.monotonic()
    await asyncio.gather(*(Connection.run(node, hall.port, lambda: None) for node in nodes))
    took = time.monotonic() - begun
    throwing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await throwing  # What it raised before is raised here.
    writer.close()
    return took, darts


@contextmanager
def hall_of_two() -> Iterator[tuple[Serving, str]]:
    """A hall of two processes, with a PostgreSQL that flushes its commits to the disk."""
    server = Postgres(flushed=True)
    try:
        url = server.start().new_database("weekend")
        with serving(url, 2) as hall:
            yield hall, url
    finally:
        server.close()


async def connected(hall: Serving, url: str, count: int) -> None:
    """Prints what it costs that many nodes are connected, and throw ten darts a second together."""
    nodes = [SimulatedNode(f"node-{n}") for n in range(count)]
    await enrol(url, nodes)
    before = memory(hall)
    open_at_once, times = asyncio.Semaphore(100), list[float]()

    async def dart(node: SimulatedNode, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, n: int) -> None:
        at, answer = time.monotonic(), b""
        writer.write(node.running(node.name, n, lines(1)))
        while not answer.endswith(b"}"):
            answer += await reader.read(4096)
        assert b" 200 " in answer, answer
        times.append(time.monotonic() - at)

    async def connect(node: SimulatedNode) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        async with open_at_once:
            found = await asyncio.open_connection("127.0.0.1", hall.port)
            await dart(node, *found, 1)
        return found

    begun = time.monotonic()
    streams = await asyncio.gather(*map(connect, nodes))
    took = time.monotonic() - begun
    print(f"{count} nodes connected and a dart of each in {took:.1f} s; {memory(hall) - before} MiB more in a process")
    times.clear()
    for n in range(0, count, max(1, count // 100)):
        await dart(nodes[n], *streams[n], 2)
        await asyncio.sleep(0.1)
    print(f"then a dart takes p50 {1000 * sorted(times)[50]:.0f} ms, p99 {1000 * max(times):.0f} ms")
    for _, writer in streams:
        writer.close()


def main(words: list[str]) -> None:
    """Prints the figures."""
    if words and words[0] == "connections":
        allow_connections()
        with hall_of_two() as (hall, url):
            asyncio.run(connected(hall, url, int(words[1])))
        return
    count, each = int(words[0]) if words else 1000, int(words[1]) if len(words) > 1 else 10
    for what, made in (("running matches", with_lines), ("finished matches", with_matches)):
        nodes = [made(f"node-{n}", each) for n in range(count)]
        server = Postgres(flushed=True)
        try:
            url = server.start().new_database("weekend")
            with serving(url, 2) as hall:
                took, darts = asyncio.run(weekend(hall, url, nodes))
                rate, slow = count * each * LINES / took, sorted(darts)[int(0.99 * len(darts))]
                print(
                    f"{what}: {rate:.0f} lines/s, {took:.1f} s, live darts p99 {1000 * slow:.0f} ms, {memory(hall)} MiB"
                )
        finally:
            server.close()


if __name__ == "__main__":
    main(sys.argv[1:])
