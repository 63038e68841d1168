"""What the node says of itself is what is so now, also to a broker that comes back with nothing in it."""

import asyncio
from pathlib import Path
from typing import Any

from daemon.mqtt.bus import Bus
from daemon.system.urls import broker_url
from tests.mqtt_clients import Watcher, watching
from tests.rig import Mosquitto

AT_FIRST: dict[str, Any] = {"state": "online", "boards": []}
NOW: dict[str, Any] = {"state": "online", "boards": ["lounge"]}
COUNTED: dict[str, Any] = {"counters": {"stuck": 1}}


async def _play(broker: Mosquitto, watcher: Watcher) -> None:
    async def shows(status: dict[str, Any], since: int = 0) -> None:
        await asyncio.to_thread(watcher.wait, lambda m: m.payload == status, f"{status}", since)

    bus = Bus("test", lambda _message: None)
    running = asyncio.create_task(bus.run(broker_url(broker.url), AT_FIRST))
    try:
        await shows(AT_FIRST)
        bus.count_stuck_display()
        await shows(AT_FIRST | COUNTED)
        bus.say(NOW)
        await shows(NOW | COUNTED)
        await asyncio.to_thread(broker.stop)
        before = len(watcher.seen)
        await asyncio.to_thread(broker.start)
        await shows(NOW | COUNTED, before)
        # A broker that ends publishes the will, which may arrive after its end.
        shown = [m.payload for m in watcher.seen[before:] if m.payload["state"] == "online"]
        assert all(status == NOW | COUNTED for status in shown), f"a display was shown what is past: {shown}"
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


def test_a_board_that_came_is_in_the_status_after_a_reconnect_too(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as broker, watching(broker.port, "oche/test/status") as watcher:
        asyncio.run(_play(broker, watcher))
