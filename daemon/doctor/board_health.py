"""How a board is, from what it said in a few seconds: `oche doctor` asks the daemon, or listens where none runs."""

import asyncio
import contextlib
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import aiomqtt

from daemon.doctor.machine import Trouble
from daemon.links import supervisor
from daemon.links.link import Chunk, Link, chunk
from daemon.links.opener import open_link
from daemon.links.supervisor import Arrival, Lost, Opened
from daemon.mqtt.connection import visit
from daemon.system.catalogue import dialects, model
from daemon.system.urls import BoardSpec, BrokerUrl
from drivers.events import Awake, DartLanded
from drivers.pipeline import Pipeline

RESETS: Final = 2
"""One start is the opening of the port, which resets most Arduinos. A second one within seconds is a fault."""
REJECTS: Final = 5
"""Pieces that no firmware of the dialect sends, in a few seconds and without one dart between them."""
NOISE: Final = frozenset({"garbage", "overflow", "partial", "checksum", "range", "unmapped"})
"""The counters of what could not be read, or is on no table."""


@dataclass(slots=True)
class Health:
    """What was seen of one board."""

    name: str
    place: str
    starts: int = 0
    """How often it said that it has started, or its port came back."""
    darts: int = 0
    rejected: int = 0
    stuck: tuple[str, ...] = ()
    fault: str = ""
    """In the daemon's words: the wiring, or why it is away."""
    counters: dict[str, int] = field(default_factory=dict)


def troubles(health: Health) -> Iterator[Trouble]:
    """What the signs mean."""
    where = f"The board {health.name} at {health.place}"
    if health.starts >= RESETS:
        yield Trouble(
            "resets",
            f"{where} started {health.starts} times within seconds.",
            "It loses its power or its cable: try a short cable and a socket of the Pi itself, or a hub with a supply "
            "of its own. If it starts again whenever a dart lands, a wire touches its reset pin.",
        )
    if health.rejected >= REJECTS and not health.darts:
        yield Trouble(
            "baud",
            f"{where} sends what none of its model sends ({health.rejected} pieces).",
            "The speed is the likeliest cause: look for Serial.begin(…) in its firmware and write that number behind "
            "its address, as in ?baud=115200. Else the model is the wrong one: `oche boards --why`.",
        )
    for bed in health.stuck:
        yield Trouble(
            "stuck",
            f"{where} has a contact that stays closed: {bed}.",
            "Pull the darts and press around the bed; a tip may have broken off in it. Until it is repaired, a copy of "
            "the model's file with the contact in `masked` keeps it quiet (docs/boards.md).",
        )
    if health.fault:
        yield Trouble("wiring", f"{where}: {health.fault}", "Look at its wires; `oche listen` shows what it says.")


async def listen(specs: Iterable[BoardSpec], seconds: float) -> list[Health]:
    """Opens the boards' ports and hears what they say for a while. Only for boards that the owner has named."""
    return list(await asyncio.gather(*(_hear(spec, seconds) for spec in specs)))


async def _hear(spec: BoardSpec, seconds: float) -> Health:
    board = model(spec.model)
    driver = dialects()[board.dialect]
    reading = Pipeline(board, driver)
    health = Health(spec.name, spec.url.text or spec.url.place)
    opened = 0

    async def open_it() -> Link:
        return await open_link(spec.url, board.baud or driver.baud, board.report)

    async def arrived(arrival: Arrival) -> None:
        nonlocal opened
        match arrival:
            case Opened():
                opened += 1
                heard = reading.opened(arrival.at.at_ns)
            case Lost():
                heard = reading.lost(arrival.at.at_ns)
            case Chunk():
                heard = reading.feed(arrival.data, arrival.at_ns)
        health.darts += sum(isinstance(what, DartLanded) for what in heard)
        health.starts += sum(isinstance(what, Awake) for what in heard)

    keeper = asyncio.create_task(supervisor.supervise(open_it, driver, arrived))
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        await asyncio.sleep(min(0.1, left))
        reading.tick(chunk(b"").at_ns)
    keeper.cancel()
    await asyncio.gather(keeper, return_exceptions=True)
    # A board that says nothing when it starts is known by its port alone.
    health.starts = max(health.starts, opened)
    health.counters = dict(reading.counters)
    health.rejected = _noise(health.counters)
    health.stuck = reading.stuck
    health.fault = reading.fault or ""
    return health


async def ask(url: BrokerUrl, seconds: float) -> list[Health]:
    """What a running daemon shows of its boards, and how often each came and went meanwhile. MqttError: no answer."""
    found: dict[str, Health] = {}
    first: dict[str, dict[str, Any]] = {}
    async with visit(url) as client:
        await client.subscribe("oche/+/board/+/status", qos=0)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                async for message in client.messages:
                    _take(message, found, first)
    return list(found.values())


def _take(message: aiomqtt.Message, found: dict[str, Health], first: dict[str, dict[str, Any]]) -> None:
    if not isinstance(message.payload, bytes) or not message.payload:
        return
    name = str(message.topic).split("/")[3]
    status = json.loads(message.payload)
    health = found.setdefault(name, Health(name, status.get("model", "")))
    before = first.setdefault(name, status)
    if status is not before and status["state"] == "online":
        health.starts += 1
    health.counters = status.get("counters", {})
    health.rejected = _noise(health.counters)
    health.stuck = tuple(status.get("stuck", ()))
    health.fault = status.get("message", "") if status["state"] == "faulty" else ""


def _noise(counters: dict[str, int]) -> int:
    return sum(count for reason, count in counters.items() if reason in NOISE)
