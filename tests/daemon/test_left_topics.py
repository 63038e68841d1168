"""Retained topics that nobody stands behind any more are removed, and the search for them hears nothing else."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiomqtt import ProtocolVersion

from daemon.mqtt import leftovers
from daemon.mqtt.bus import Bus
from daemon.mqtt.client import Acknowledged
from daemon.mqtt.connection import connection
from daemon.system.urls import broker_url
from tests.mqtt_clients import watching
from tests.rig import Mosquitto


@pytest.mark.parametrize("version", [ProtocolVersion.V5, ProtocolVersion.V311])
def test_the_search_hears_what_was_left_and_not_its_own_states(
    broker: Mosquitto, version: ProtocolVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before MQTT 5 it hears its own, which are no topics that were left."""
    is_5 = version is ProtocolVersion.V5
    monkeypatch.setattr(leftovers, "SHOWN_SECONDS", 1000.0)
    url = broker_url(broker.url)

    async def play() -> list[tuple[str, bool]]:
        async with connection(url, version, None, "former") as former:
            await former.publish("oche/test/board/gone/match", "left", qos=1, retain=True)
        async with connection(url, version, None, "now") as client, connection(url, version, None, "other") as other:
            searching = asyncio.create_task(leftovers.show(client, "oche/test"))
            heard = list[tuple[str, bool]]()
            async for message in client.received():
                heard.append((str(message.topic), message.retain))
                if len(heard) == 1:
                    # Everything is subscribed when the last topic is: answers come in order.
                    await client.subscribe("last")
                    await client.publish("oche/test/board/own/match", "own", qos=1, retain=True)
                    await other.publish("last", "", qos=1)
                elif heard[-1][0] == "last":
                    break
            searching.cancel()
            await asyncio.gather(searching, return_exceptions=True)
        return heard

    own = [] if is_5 else [("oche/test/board/own/match", False)]
    assert asyncio.run(play()) == [("oche/test/board/gone/match", True), *own, ("last", False)]


@asynccontextmanager
async def _connected(bus: Bus, broker: Mosquitto) -> AsyncIterator[None]:
    running = asyncio.create_task(bus.run(broker_url(broker.url), {"state": "online"}))
    await bus.connected.wait()
    yield
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize("again", [False, True])
def test_a_topic_that_is_removed_while_the_broker_is_away_is_gone_afterwards(
    broker: Mosquitto, again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless the topic shows a state again when the broker is back. The search need not find it: to a broker it may be
    one of the client's own, which are not shown to it."""

    async def nothing_is_found(*_: object, **__: object) -> None:
        pass

    monkeypatch.setattr(leftovers, "show", nothing_is_found)

    async def play(until: Callable[[str, str | None], Awaitable[None]]) -> None:
        bus = Bus("test", lambda _: None)
        async with _connected(bus, broker):
            bus.retain("board/gone/match", "old")
            await until("gone", "old")
        bus.clear("board/gone/match")
        if again:
            bus.retain("board/gone/match", "new")
        async with _connected(bus, broker):
            await until("gone", "new" if again else None)
        # Once is enough: the next connection has nothing to remove.
        bus.retain("board/kept/match", "kept")
        async with _connected(bus, broker):
            await until("kept", "kept")

    with watching(broker.port, "oche/test/board/+/match") as watcher:

        async def until(board: str, state: str | None) -> None:
            shown = (f"oche/test/board/{board}/match", state)
            await asyncio.to_thread(watcher.wait, lambda m: (m.topic, m.payload) == shown, str(shown))

        asyncio.run(play(until))
        shown = [m.payload for m in watcher.seen if "/gone/" in m.topic]
    assert shown == (["old", "new", "new"] if again else ["old", None])


def test_the_acknowledgement_of_an_earlier_removal_does_not_count_for_the_last(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line breaks after the first was acknowledged, and before the last has arrived."""

    async def nothing_is_found(*_: object, **__: object) -> None:
        pass

    monkeypatch.setattr(leftovers, "show", nothing_is_found)

    async def play() -> None:
        bus = Bus("test", lambda _: None)
        async with _connected(bus, broker):
            bus.retain("board/gone/match", "old")
            await asyncio.to_thread(watcher.wait, lambda m: m.payload == "old", "the state")
            sent = list[Acknowledged]()
            monkeypatch.setattr(bus._client, "send", lambda *_, acknowledged, **__: sent.append(acknowledged))
            bus.clear("board/gone/match")
            bus.retain("board/gone/match", "new")
            bus.clear("board/gone/match")
            sent[0](True)
        async with _connected(bus, broker):
            await asyncio.to_thread(watcher.wait, lambda m: m.payload is None, "the removal")

    with watching(broker.port, "oche/test/board/gone/match") as watcher:
        asyncio.run(play())
