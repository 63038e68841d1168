"""What answers at the address of a hall need not be one."""

import asyncio
import json

import pytest
from aiohttp import web

from daemon.shipping.hall_client import HallAway, HallClient, HallRefused
from daemon.shipping.membership import Membership
from tests.rig import free_port


def answered(status: int, body: str) -> str:
    """Returns what a node gets that asks to join where everything is answered with `body`."""

    async def answer(_request: web.Request) -> web.Response:
        return web.Response(status=status, text=body)

    async def ask() -> str:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", answer)
        runner = web.AppRunner(app)
        await runner.setup()
        port = free_port()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        client = HallClient(Membership(f"http://127.0.0.1:{port}", "crown", b"1" * 32))
        try:
            return await client.join({})
        finally:
            await client.close()
            await runner.cleanup()

    return asyncio.run(ask())


def test_an_answer_that_is_too_long_is_not_read_to_its_end() -> None:
    assert answered(200, json.dumps({"token": "x" * 60_000})) == "x" * 60_000
    with pytest.raises(HallAway, match="not a hall: its answer is too long"):
        answered(200, json.dumps({"token": "x" * 1_000_000}))


def test_a_long_message_is_cut() -> None:
    with pytest.raises(HallRefused) as refused:
        answered(403, json.dumps({"reason": "revoked", "message": "no " * 1000}))
    assert len(str(refused.value)) == 500
    with pytest.raises(HallAway) as away:
        answered(503, json.dumps({"reason": "no_index", "message": "no " * 1000}))
    assert len(str(away.value)) == 500
