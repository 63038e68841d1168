"""Reads the bodies of requests. Handlers call this after `guard` has checked the rights, so nothing is read before."""

from typing import Any

from aiohttp import HttpVersion11, web

from daemon.network.paced_protocol import PacedTransport
from engine import jsontext
from engine.refusals import Refusal


async def read_body(request: web.Request, max_bytes: int) -> bytearray | None:
    """The body of a request, `None` if it is longer than `max_bytes`.

    A stated length that is too large is refused before anything is read. Without one, at most one piece more than
    `max_bytes` is read.
    """
    length = request.content_length
    if length is not None and length > max_bytes:
        return None
    if request.version >= HttpVersion11 and request.headers.get("Expect", "").lower() == "100-continue":
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        # What aiohttp does after its own: otherwise an error later would count as one in the middle of a response.
        request.writer.output_size = 0
    body = bytearray()
    async for piece in request.content.iter_any():
        body += piece
        if len(body) > max_bytes:
            return None
    return body


async def read_json(request: web.Request) -> Any:
    """The JSON value of a request's body, or a `Refusal`."""
    body = await read_body(request, jsontext.MAX_BYTES)
    if body is None:
        return Refusal("too_large", f"This is longer than {jsontext.MAX_BYTES // 1024} KiB.")
    return jsontext.parse(bytes(body))


def read_faster(request: web.Request) -> None:
    """Reads the rest of a body in larger pieces, which only a client with the right to send it may have.

    A body in chunks is read in small pieces: each chunk costs work, and may hold one byte.
    """
    transport: object = request.transport
    if isinstance(transport, PacedTransport) and request.content_length:
        transport.expect_body(request.content_length - request.content.total_bytes)


async def expect_later(_request: web.Request) -> None:
    """Leaves `Expect: 100-continue` to `read_body`: aiohttp would ask for the body before the rights are known."""
