"""`/metrics`: what Prometheus asks for, made of what the bus has last published and of the journal's times."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aiohttp import web

from daemon.mqtt.bus import Bus
from daemon.record.write_times import BOUNDS, WriteTimes
from daemon.web.auth import Handler

if TYPE_CHECKING:
    from prometheus_client import Metric

FORMAT = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one moment. `darts`: the hits of each board since its first one; the statuses as on the bus."""

    darts: Mapping[str, int]
    boards: Mapping[str, Mapping[str, Any]]
    node: Mapping[str, Any]
    is_connected: bool
    writes: WriteTimes


def figures(bus: Bus, darts: Mapping[str, int], writes: WriteTimes) -> Figures:
    """Returns the figures of now."""
    return Figures(
        darts,
        {name: json.loads(bus.retained(f"board/{name}/status") or "{}") for name in darts},
        json.loads(bus.retained("status") or "{}"),
        bus.connected.is_set(),
        writes,
    )


def metrics(now: Callable[[], Figures]) -> Handler:
    """Returns the handler of `/metrics`. The library is loaded with the first request: most houses never ask."""

    async def answer(_request: web.Request) -> web.StreamResponse:
        await asyncio.to_thread(_import_library)
        from prometheus_client import CollectorRegistry, generate_latest

        class Collector:
            def collect(self) -> "Iterator[Metric]":
                return _families(now())

        registry = CollectorRegistry()
        registry.register(Collector())
        return web.Response(body=generate_latest(registry), headers={"Content-Type": FORMAT})

    return answer


def _import_library() -> None:
    # In a thread: darts do not wait for it.
    import prometheus_client.core

    assert prometheus_client.core


def _families(found: Figures) -> "Iterator[Metric]":
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

    darts = CounterMetricFamily("oche_darts", "Darts that a board has reported, since its first one.", labels=["board"])
    state = GaugeMetricFamily("oche_board_online", "1 if the darts of a board count, else 0.", labels=["board"])
    stuck = GaugeMetricFamily("oche_board_stuck_beds", "Beds whose contact stays closed.", labels=["board"])
    counted = CounterMetricFamily(
        "oche_board_events", "What docs/bus.md lists as counters of a board.", labels=["board", "counter"]
    )
    for board, status in found.boards.items():
        darts.add_metric([board], found.darts[board])
        state.add_metric([board], float(status.get("state") == "online"))
        stuck.add_metric([board], len(status.get("stuck", ())))
        for counter, count in status.get("counters", {}).items():
            counted.add_metric([board, counter], count)
    messages = CounterMetricFamily("oche_messages", "What docs/bus.md lists as counters of a node.", labels=["counter"])
    for counter, count in found.node.get("counters", {}).items():
        messages.add_metric([counter], count)
    broker = GaugeMetricFamily("oche_broker_connected", "1 while the daemon has a connection to its broker, else 0.")
    broker.add_metric([], float(found.is_connected))
    damaged = GaugeMetricFamily("oche_journal_damaged", "Records that can no longer be read as they were written.")
    damaged.add_metric([], len(found.node.get("damaged", ())))
    writes = HistogramMetricFamily("oche_journal_write_seconds", "From a change to the flush of the disk.")
    writes.add_metric([], _buckets(found.writes), found.writes.sum)
    yield from (darts, state, stuck, counted, messages, broker, damaged, writes)


def _buckets(writes: WriteTimes) -> list[tuple[str, float]]:
    """The buckets as Prometheus has them: each with those before it."""
    total, found = 0, []
    for bound, count in zip([*map(str, BOUNDS), "+Inf"], writes.counts, strict=True):
        total += count
        found.append((bound, float(total)))
    return found
