"""Lights and web hooks, against real servers on this machine."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import ClientSession, web

from daemon.show import outputs
from daemon.show.outputs import Hook, Light, host_of
from daemon.show.wled import restored, state_of
from daemon.system.show_config import Http, Wled
from tests.rig import LIMIT_SECONDS, free_port
from tests.show.strip import FIRST, strip

AT = "http://wled.local"
CLOSED = "http://127.0.0.1:9"
"""Nothing listens at the discard port."""


async def never(_topic: str, _text: str, _retain: bool) -> None:
    raise AssertionError("nothing is published here")


@asynccontextmanager
async def server(answer: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> AsyncIterator[str]:
    """Serves at a free port; yields its address."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def running(work: Awaitable[None]) -> AsyncIterator[None]:
    task = asyncio.ensure_future(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize(
    ("light", "state"),
    [
        (Wled(at=AT, preset=7), {"on": True, "ps": 7}),
        (Wled(at=AT, preset=7, brightness=9), {"on": True, "bri": 9, "ps": 7}),
        (Wled(at=AT, color="#ff8000"), {"on": True, "seg": [{"col": [[255, 128, 0]], "fx": 0}]}),
        (
            Wled(at=AT, effect=88, palette=3, color="#000001"),
            {"on": True, "seg": [{"col": [[0, 0, 1]], "fx": 88, "pal": 3}]},
        ),
        (Wled(at=AT, effect=0), {"on": True, "seg": [{"fx": 0}]}),
        (Wled(at=AT, brightness=1), {"on": True, "bri": 1}),
        (Wled(at=AT, off=True), {"on": False}),
    ],
)
def test_the_state_of_a_strip(light: Wled, state: dict[str, Any]) -> None:
    assert state_of(light) == state


def test_a_brief_effect_gives_way_to_the_lasting_one() -> None:
    async def try_it() -> list[Any]:
        seen: asyncio.Queue[Any] = asyncio.Queue()

        async def strip(request: web.Request) -> web.Response:
            assert request.path == "/json/state"
            seen.put_nowait(await request.json())
            return web.json_response({"success": True})

        async with asyncio.timeout(LIMIT_SECONDS), server(strip) as at, ClientSession() as session:
            light = Light(at, session, never)
            async with running(light.run()):
                light.show(Wled(at=at, color="#00ff00"))
                found = [await seen.get()]
                light.show(Wled(at=at, preset=1, seconds=600))
                found.append(await seen.get())
                light.show(Wled(at=at, color="#0000ff"))
                light.show(Wled(at=at, preset=2, seconds=0.01))
                return [*found, await seen.get(), await seen.get()]

    green, first, second, blue = asyncio.run(try_it())
    assert green["seg"][0]["col"] == [[0, 255, 0]]
    assert (first["ps"], second["ps"]) == (1, 2)
    assert blue["seg"][0]["col"] == [[0, 0, 255]], "the lasting rule of the meantime is shown afterwards"


def test_a_strip_is_as_before_after_several_brief_effects() -> None:
    async def try_it() -> list[Any]:
        async with asyncio.timeout(LIMIT_SECONDS), strip() as at, ClientSession() as session:
            light = Light(at.at, session, never)
            async with running(light.run()):
                light.show(Wled(at=at.at, preset=1, seconds=600))
                await at.told(1)
                light.show(Wled(at=at.at, preset=7, seconds=0.01))
                await at.told(3)
            return at.seen

    first, second, after = asyncio.run(try_it())
    assert (first["ps"], second["ps"]) == (1, 7)
    assert after == restored(FIRST)


@pytest.mark.parametrize(
    ("state", "back"),
    [
        ({"on": False, "bri": 9, "seg": []}, {"on": False, "bri": 9}),
        ({"on": True, "ps": 3, "pl": -1, "seg": [{"fx": 1}]}, {"on": True, "ps": 3}),
        ({"on": True, "ps": 3, "pl": 4}, {"on": True, "ps": 4}),
        ({"on": True, "seg": [{"id": 1, "start": 3, "fx": 2}, 7]}, {"on": True, "seg": [{"id": 1, "fx": 2}]}),
        ({"bri": 9}, None),
    ],
)
def test_what_brings_a_strip_back(state: dict[str, Any], back: dict[str, Any] | None) -> None:
    assert restored(state) == back


def test_of_two_trials_at_once_each_is_answered() -> None:
    async def try_it() -> list[str | None]:
        async with asyncio.timeout(LIMIT_SECONDS), strip() as at, ClientSession() as session:
            light = Light(at.at, session, never)
            trials = [asyncio.ensure_future(light.try_out(Wled(at=at.at, preset=n), 0.01)) for n in (1, 2)]
            await asyncio.sleep(0)
            async with running(light.run()):
                found = list(await asyncio.gather(*trials))
                dead = Light(CLOSED, session, never)
                async with running(dead.run()):
                    return [*found, await dead.try_out(Wled(at=CLOSED, preset=1), 0.01)]

    replaced, shown, dead = asyncio.run(try_it())
    assert replaced is not None
    assert shown is None
    assert dead is not None


def test_a_strip_at_the_broker() -> None:
    async def try_it() -> tuple[str, str, bool]:
        seen: asyncio.Queue[tuple[str, str, bool]] = asyncio.Queue()

        async def publish(topic: str, text: str, retain: bool) -> None:
            seen.put_nowait((topic, text, retain))

        async with asyncio.timeout(LIMIT_SECONDS), ClientSession() as session:
            light = Light("mqtt:wled/strip", session, publish)
            async with running(light.run()):
                light.show(Wled(at="mqtt:wled/strip", preset=3))
                return await seen.get()

    assert asyncio.run(try_it()) == ("wled/strip/api", '{"on":true,"ps":3}', False)


def test_a_dead_strip_is_named_once_and_holds_nobody_up(capsys: pytest.CaptureFixture[str]) -> None:
    async def try_it() -> None:
        async with asyncio.timeout(LIMIT_SECONDS), ClientSession() as session:
            at = f"http://127.0.0.1:{free_port()}"
            light = Light(at, session, never)
            async with running(light.run()):
                for number in range(1000):
                    light.show(Wled(at=at, preset=1 + number % 250))
                    await asyncio.sleep(0)
                while "cannot be told" not in (said := capsys.readouterr().err):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
                assert said.count("cannot be told") == 1
                assert at in said

    asyncio.run(try_it())


def test_a_request_is_sent_again_until_it_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "TRIES", (0.0, 0.0, 0.0))

    async def try_it() -> list[tuple[str, str, Any]]:
        seen: list[tuple[str, str, Any]] = []
        done = asyncio.Event()

        async def answer(request: web.Request) -> web.Response:
            seen.append((request.method, request.path_qs, await request.text()))
            if len(seen) == 3:
                done.set()
            return web.Response(status=503 if len(seen) == 1 else 204)

        async with asyncio.timeout(LIMIT_SECONDS), server(answer) as at, ClientSession() as session:
            hook = Hook(host_of(at), session)
            async with running(hook.run()):
                hook.send(Http(url=f"{at}/a?b=1", body={"who": "Ann"}))
                hook.send(Http(url=f"{at}/c", method="PUT", body="text"))
                await done.wait()
        return seen

    first = ("POST", "/a?b=1", '{"who":"Ann"}')
    assert asyncio.run(try_it()) == [first, first, ("PUT", "/c", "text")]


def test_requests_for_a_host_that_hangs_are_bounded() -> None:
    async def try_it() -> None:
        came = asyncio.Event()

        async def hang(_request: web.Request) -> web.Response:
            came.set()
            await asyncio.sleep(LIMIT_SECONDS)
            return web.Response()

        async with asyncio.timeout(LIMIT_SECONDS), server(hang) as at, ClientSession() as session:
            hook = Hook(host_of(at), session)
            async with running(hook.run()):
                for _ in range(10_000):
                    hook.send(Http(url=at))
                await came.wait()
                assert len(hook._waiting) <= outputs.REQUESTS

    asyncio.run(try_it())


def test_a_redirect_is_not_followed() -> None:
    """The owner named a host; its answer must not send the request to another one."""

    async def try_it() -> list[str]:
        seen: list[str] = []

        async def answer(request: web.Request) -> web.Response:
            seen.append(request.path)
            raise web.HTTPFound("/other")

        async with asyncio.timeout(LIMIT_SECONDS), server(answer) as at, ClientSession() as session:
            await outputs.request(session, "POST", f"{at}/one", None, {})
        return seen

    assert asyncio.run(try_it()) == ["/one"]
