"""A client that does not answer the close of its WebSocket is disconnected, also while the daemon stops."""

import asyncio
from asyncio.timeouts import Timeout
from types import TracebackType
from typing import Any

import pytest

from daemon.web import mqtt_proxy
from tests.rig import LIMIT_SECONDS


class Silent:
    """A WebSocket whose peer never answers, and its connection."""

    is_aborted = False

    async def close(self, *, code: int) -> bool:
        await asyncio.get_running_loop().create_future()
        return True

    def abort(self) -> None:
        self.is_aborted = True


async def leave(
    self: Any, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
) -> None:
    """The end of `asyncio.timeout` in Python 3.11.2, which Debian 12 has."""
    if self._timeout_handler is not None:
        self._timeout_handler.cancel()
        self._timeout_handler = None
    if self.expired() and self._task.uncancel() == 0 and kind is asyncio.CancelledError:
        raise TimeoutError


@pytest.fixture(params=["this Python", "Python 3.11.2"], autouse=True)
def _python(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqtt_proxy, "CLOSE_SECONDS", 0.05)
    if request.param == "Python 3.11.2":
        monkeypatch.setattr(Timeout, "__aexit__", leave)


def test_a_client_that_does_not_answer_the_close_is_disconnected() -> None:
    client = Silent()
    asyncio.run(mqtt_proxy.close(client, client.abort, 1000))
    assert client.is_aborted


def test_it_is_disconnected_by_a_handler_that_is_cancelled() -> None:
    client = Silent()

    async def handle() -> None:
        try:
            await asyncio.sleep(LIMIT_SECONDS)
        finally:
            await mqtt_proxy.close(client, client.abort, 1000)

    async def stop() -> None:
        handling = asyncio.create_task(handle())
        await asyncio.sleep(0)
        handling.cancel()
        await asyncio.wait({handling})
        assert handling.cancelled()

    asyncio.run(stop())
    assert client.is_aborted
