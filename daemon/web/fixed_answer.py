"""An answer that never changes: encoded and compressed once, so that a flood of requests costs neither."""

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, Self

from aiohttp import web


class _Body(NamedTuple):
    plain: bytes
    packed: bytes


class FixedAnswer:
    """Makes a JSON value in the background of its block; requests wait for it."""

    def __init__(self, make: Callable[[], Awaitable[Any]]) -> None:
        self._make = make

    async def __aenter__(self) -> Self:
        self._body = asyncio.create_task(self._encode())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._body.cancel()
        await asyncio.gather(self._body, return_exceptions=True)

    async def _encode(self) -> _Body:
        return await asyncio.to_thread(_encode, await self._make())

    async def handler(self, request: web.Request) -> web.StreamResponse:
        """Answers a request. An exception in the making is raised for each request."""
        # A client that goes away while it waits ends its own request alone.
        body = await asyncio.shield(self._body)
        headers = {"Vary": "Accept-Encoding"}
        if "gzip" not in request.headers.get("Accept-Encoding", ""):
            return web.Response(body=body.plain, headers=headers, content_type="application/json", charset="utf-8")
        headers["Content-Encoding"] = "gzip"
        return web.Response(body=body.packed, headers=headers, content_type="application/json", charset="utf-8")


def _encode(value: Any) -> _Body:
    plain = json.dumps(value).encode()
    return _Body(plain, gzip.compress(plain))
