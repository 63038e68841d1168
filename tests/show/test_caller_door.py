"""The port for programs made for darts-caller, with the client library that they use."""

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any

import pytest
import socketio
from aiohttp import ClientSession

from daemon.show.caller_door import BURST, LISTENERS, Door
from daemon.system.show_config import CallerDoor
from tests.rig import LIMIT_SECONDS, free_port

TOKEN = "a-token-of-24-characters"


class Clock:
    """Seconds that pass when a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def door(clock: Clock, heard: list[object], **settings: Any) -> AsyncIterator[tuple[Door, int]]:
    port = free_port()
    settings = {"address": f"127.0.0.1:{port}"} | settings

    async def hear(text: object) -> None:
        heard.append(text)

    opened = Door(CallerDoor(**settings), hear, clock)
    runner = await opened.open()
    try:
        yield opened, port
    finally:
        await runner.cleanup()


@asynccontextmanager
async def listener(
    port: int, *, query: str = "", **more: Any
) -> AsyncIterator[tuple[socketio.AsyncClient, "asyncio.Queue[Any]"]]:
    """A client as those programs are: transport `websocket` alone."""
    messages: asyncio.Queue[Any] = asyncio.Queue()
    async with ClientSession() as session:
        client = socketio.AsyncClient(reconnection=False, http_session=session)
        client.on("message", messages.put_nowait)
        await client.connect(f"ws://127.0.0.1:{port}{query}", transports=["websocket"], **more)
        try:
            yield client, messages
        finally:
            await client.disconnect()


def run(work: Callable[[], Any]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(LIMIT_SECONDS):
            await work()

    asyncio.run(bounded())


def test_a_listener_hears_and_commands() -> None:
    heard: list[object] = []

    async def work() -> None:
        async with door(Clock(), heard) as (opened, port), listener(port) as (client, messages):
            await opened.tell({"event": "busted", "player": "ann", "game": {"mode": "X01"}})
            assert await messages.get() == {"event": "busted", "player": "ann", "game": {"mode": "X01"}}
            await client.emit("message", "hello")
            assert (await messages.get())["event"] == "welcome"
            await client.emit("message", {"status": "WLED connected", "settings": {"a": 1}})
            await client.emit("message", "next")
            await client.emit("message", "hello")
            await messages.get()

    run(work)
    assert heard == [{"status": "WLED connected", "settings": {"a": 1}}, "next"]


def test_too_many_commands_are_dropped() -> None:
    heard: list[object] = []
    clock = Clock()

    async def work() -> None:
        async with door(clock, heard) as (_, port), listener(port) as (client, messages):

            async def all_heard() -> None:
                # The answer comes after everything that was sent before.
                await client.emit("message", "hello")
                await messages.get()

            for _ in range(100):
                await client.emit("message", "undo")
            await all_heard()
            assert len(heard) == BURST
            clock.now += 3.0
            for _ in range(100):
                await client.emit("message", "undo")
            await all_heard()
            assert len(heard) == BURST + 3

    run(work)


def test_a_listener_that_answers_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("daemon.show.caller_door.PING_SECONDS", 0.1)

    async def work() -> None:
        async with door(Clock(), []) as (opened, port), ClientSession() as session:
            at = f"http://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket"
            async with session.ws_connect(at) as silent:
                await silent.send_str("40")
                assert (await silent.receive_str()).startswith("0{")
                assert (await silent.receive_str()).startswith("40{")
                while not (message := await silent.receive()).type.name.startswith("CLOS"):
                    assert message.data == "2", "a ping"
            await opened.tell({"event": "match-ended"})

    run(work)


def test_no_more_listeners_than_the_bound() -> None:
    async def work() -> None:
        async with door(Clock(), []) as (_, port), AsyncExitStack() as others:
            for _ in range(LISTENERS - 1):
                await others.enter_async_context(listener(port))
            async with listener(port):
                with pytest.raises(socketio.exceptions.ConnectionError):
                    async with listener(port):
                        pass
            while True:  # the place is free as soon as the server has seen the listener go
                try:
                    async with listener(port):
                        break
                except socketio.exceptions.ConnectionError:
                    continue

    run(work)


@pytest.mark.parametrize(
    ("more", "is_let_in"),
    [
        ({}, True),
        ({"headers": {"Host": "localhost:8079"}}, True),
        ({"headers": {"Host": "raspberrypi.local:8079"}}, True),
        ({"headers": {"Host": "evil.example:8079", "Origin": "http://evil.example:8079"}}, False),
        ({"headers": {"Host": "[::1].evil.example"}}, False),
        ({"headers": {"Origin": "http://evil.example"}}, False),
    ],
)
def test_a_page_of_another_site_is_refused(more: dict[str, Any], is_let_in: bool) -> None:
    async def work() -> None:
        async with door(Clock(), []) as (_, port):
            if is_let_in:
                async with listener(port, **more):
                    return
            with pytest.raises(socketio.exceptions.ConnectionError):
                async with listener(port, **more):
                    pass

    run(work)


@pytest.mark.parametrize(
    ("settings", "query", "auth", "is_let_in"),
    [
        ({"token": TOKEN}, "", None, False),
        ({"token": TOKEN}, "?token=" + TOKEN[:-1] + "x", None, False),
        ({"token": TOKEN}, "?token=" + TOKEN, None, True),
        ({"token": TOKEN}, "", {"token": TOKEN}, True),
        ({"token": TOKEN}, "", {"token": [TOKEN]}, False),
        ({"token": TOKEN}, "?token=%FF", None, False),
        ({"from": ["127.0.0.1"]}, "", None, True),
        ({"from": ["192.0.2.1"]}, "", None, False),
        ({"from": ["192.0.2.1"], "token": TOKEN}, "?token=" + TOKEN, None, True),
    ],
)
def test_who_is_let_in_from_the_network(
    settings: dict[str, Any], query: str, auth: Any, is_let_in: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The test itself listens on this machine alone.
    monkeypatch.setattr("daemon.show.caller_door.is_this_machine", lambda _host: False)

    async def work() -> None:
        async with door(Clock(), [], **settings) as (_, port):
            if is_let_in:
                async with listener(port, query=query, auth=auth):
                    return
            with pytest.raises(socketio.exceptions.ConnectionError):
                async with listener(port, query=query, auth=auth):
                    pass

    run(work)


@contextmanager
def in_a_thread(port: int) -> Iterator["queue.Queue[Any]"]:
    """The synchronous client, which darts-wled and the others use."""
    client = socketio.Client(reconnection=False)
    messages: queue.Queue[Any] = queue.Queue()
    client.on("message", messages.put)
    client.connect(f"ws://127.0.0.1:{port}", transports=["websocket"])
    try:
        yield messages
    finally:
        client.disconnect()


def test_the_synchronous_client_is_served() -> None:
    said: list[Any] = []

    async def work() -> None:
        async with door(Clock(), []) as (opened, port):
            connected, told = threading.Event(), threading.Event()

            def listen() -> None:
                with in_a_thread(port) as messages:
                    connected.set()
                    said.append(messages.get(timeout=LIMIT_SECONDS))
                    told.set()

            listening = asyncio.create_task(asyncio.to_thread(listen))
            await asyncio.to_thread(connected.wait, LIMIT_SECONDS)
            await opened.tell({"event": "match-ended"})
            await listening

    run(work)
    assert said == [{"event": "match-ended"}]
