"""Checks of the boards, from a few seconds of their events: those that the daemon shows or, without one, our own."""

import asyncio
import contextlib
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import aiomqtt

from daemon.doctor.findings import Finding, Trouble, Unseen
from daemon.doctor.machine import Machine
from daemon.doctor.running_daemon import own_socket
from daemon.links import supervisor
from daemon.links.link import Chunk, Link, chunk
from daemon.links.opener import open_board
from daemon.links.supervisor import Arrival, Lost, Opened
from daemon.mqtt.connection import command_client
from daemon.system.catalogue import dialects, model
from daemon.system.error_text import error_text
from daemon.system.urls import BoardSpec, BrokerUrl
from drivers.events import Awake, DartLanded
from drivers.pipeline import Pipeline

RESETS: Final = 2
"""Starts within seconds that are a fault. The first one is normal: opening the port resets most Arduinos."""
REJECTS: Final = 5
"""Rejects within seconds, without a dart among them, that mean a wrong speed or model."""
NOISE: Final = frozenset({"garbage", "overflow", "partial", "checksum", "range", "unmapped"})
"""The counters of input that could not be decoded or is in no table."""


@dataclass(slots=True)
class Health:
    """What was observed of one board."""

    name: str
    place: str
    starts: int = 0
    """How often it reported a start, or its port came back."""
    darts: int = 0
    rejected: int = 0
    stuck: tuple[str, ...] = ()
    fault: str = ""
    """Why it is faulty; empty if it is not."""
    away: str = ""
    """Why it is offline; empty if it is not."""
    counters: dict[str, int] = field(default_factory=dict)


def boards(machine: Machine) -> Iterator[Finding]:
    """Boards that restart, are read at a wrong speed, have a stuck bed or a fault."""
    if machine.running.runs:
        if machine.running.bus is not None:
            yield Unseen("the daemon has their ports, and its broker does not answer.")
            return
        http = BrokerUrl("ws", machine.settings.host, machine.settings.port, path="/mqtt")
        try:
            found = asyncio.run(_ask_daemon(own_socket(machine.settings.data) or http, machine.seconds))
        except (aiomqtt.MqttError, OSError) as error:
            yield Unseen(f"the daemon has their ports, and its broker does not answer: {error_text(error)}.")
            return
        if not found:
            yield Unseen("the daemon has no board.")
    else:
        held = [spec for spec in machine.serial_boards() if list(machine.holders(spec.url.place))]
        free = [spec for spec in machine.serial_boards() if spec not in held]
        for spec in held:
            yield Unseen(f"{spec.name}: another program has its port.")
        others = [spec.name for spec in machine.settings.boards if spec not in machine.serial_boards()]
        if others:
            yield Unseen(f"{', '.join(others)}: only a running daemon listens to such a board.")
        if not machine.settings.boards:
            yield Unseen("no board is configured, and no daemon runs that has found one.")
        found = asyncio.run(_listen(free, machine.seconds))
    for health in found:
        if health.away:
            yield Unseen(f"{health.name}: {health.away}")
        yield from _troubles(health)


def _troubles(health: Health) -> Iterator[Trouble]:
    """Yields what the observations mean."""
    where = f"The board {health.name} at {health.place}"
    if health.starts >= RESETS:
        yield Trouble(
            "resets",
            f"{where} started {health.starts} times within seconds.",
            "Its power or its cable fails: try a short cable and a socket of the Pi itself, or a hub with a supply "
            "of its own. If it starts again whenever a dart lands, a wire touches its reset pin.",
        )
    if health.rejected >= REJECTS and not health.darts:
        yield Trouble(
            "baud",
            f"{where} sends what its model never sends ({health.rejected} pieces).",
            "The likeliest cause is the speed: look for Serial.begin(…) in its firmware and write that number behind "
            "its address, as in ?baud=115200. Otherwise the model is wrong: `oche boards --why`.",
        )
    for bed in health.stuck:
        yield Trouble(
            "stuck",
            f"{where} has a contact that stays closed: {bed}.",
            "Pull the darts and press around the bed; a tip may have broken off in it. Until it is repaired, a copy of "
            "the model's file with the contact in `masked` keeps it quiet (docs/boards.md).",
        )
    if health.fault:
        yield Trouble("wiring", f"{where}: {health.fault}", "Look at its wires; `oche listen` shows what it sends.")


async def _listen(specs: Iterable[BoardSpec], seconds: float) -> list[Health]:
    """Listens to the boards for a while. It opens their ports: only for boards that the owner has configured."""
    return list(await asyncio.gather(*(_observe(spec, seconds) for spec in specs)))


async def _observe(spec: BoardSpec, seconds: float) -> Health:
    board = model(spec.model)
    driver = dialects()[board.dialect]
    pipeline = Pipeline(board, driver)
    health = Health(spec.name, spec.url.shown or spec.url.place)
    opened = 0

    async def open_it() -> Link:
        return await open_board(spec.url, board, driver)

    async def arrived(arrival: Arrival) -> None:
        nonlocal opened
        match arrival:
            case Opened():
                opened += 1
                events = pipeline.opened(arrival.at.at_ns)
            case Lost():
                events = pipeline.lost(arrival.at.at_ns)
            case Chunk():
                events = pipeline.feed(arrival.data, arrival.at_ns)
        health.darts += sum(isinstance(event, DartLanded) for event in events)
        health.starts += sum(isinstance(event, Awake) for event in events)

    supervising = asyncio.create_task(supervisor.supervise(open_it, driver, arrived))
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        await asyncio.sleep(min(0.1, left))
        pipeline.tick(chunk(b"").at_ns)
    supervising.cancel()
    await asyncio.gather(supervising, return_exceptions=True)
    # A board that does not report its start shows it by its port alone.
    health.starts = max(health.starts, opened)
    health.counters = dict(pipeline.counters)
    health.rejected = _noise(health.counters)
    health.stuck = pipeline.stuck
    health.fault = pipeline.fault or ""
    return health


async def _ask_daemon(url: BrokerUrl, seconds: float) -> list[Health]:
    """Returns what a running daemon publishes of its boards within a time. MqttError if the broker does not answer."""
    found: dict[str, Health] = {}
    first: dict[str, dict[str, Any]] = {}
    async with command_client(url) as client:
        await client.subscribe("oche/+/board/+/status", qos=0)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                async for message in client.messages:
                    _take_status(message, found, first)
    return list(found.values())


def _take_status(message: aiomqtt.Message, found: dict[str, Health], first: dict[str, dict[str, Any]]) -> None:
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
    why = status.get("message", "")
    health.fault = why if status["state"] == "faulty" else ""
    health.away = (why or "it is offline.") if status["state"] == "offline" else ""


def _noise(counters: dict[str, int]) -> int:
    return sum(count for reason, count in counters.items() if reason in NOISE)
