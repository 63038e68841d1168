"""The HTTP server of one port at which boards call: a WebSocket for each board, or a POST for each dart.

Nothing else of the daemon can be reached here: what a board sends goes to the decoder of its own model, as the bytes of
any other link do. What a stranger causes is bounded as on the port of the pages.
"""

import asyncio
import contextlib
import hmac
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Final, cast

from aiohttp import WSMsgType, web

from daemon.links.call_link import LONGEST_REQUEST, CallingBoard, CallLink
from daemon.links.link import chunk
from daemon.network.bodies import expect_later, read_body
from daemon.network.connection_limits import address_group
from daemon.network.fair_turns import ClientTurns, RateLimit
from daemon.network.paced_protocol import PacedTransport, frames_expected, identified
from daemon.network.requests import host_of, is_compressed, is_forwarded
from daemon.system.call_address import CallAddress
from daemon.system.hosts import is_this_machine, plain_address

ANSWER_SECONDS: Final = 15.0
"""Time allowed for a request and its body; then it gets status 408."""
REFUSED_SECONDS: Final = 2.0
"""How long a request without a valid token waits for its answer, so that tokens are guessed slowly."""
RATE: Final = 20.0
"""Messages a second that one board may send after a burst of `BURST`; nobody throws that fast. More are read later."""
BURST: Final = 100.0
LONGEST_MESSAGE: Final = 4096
"""Bytes of the longest WebSocket message; a longer one ends the connection."""
NAME: Final = re.compile(r"[a-z0-9_-]{1,32}")
"""The last part of a path, if it is a word that a dialect can know."""
REQUEST_ID: Final = re.compile(r"[!-~]{1,64}")
FIRMWARE_ORIGIN: Final = "file://"
"""What a common WebSocket library for microcontrollers sends as its origin. Browsers send a site."""
STRANGER: Final = "This is not a board of this port: look at its token or its address.\n"
BINARY: Final = "application/octet-stream"


class BoardServer:
    """Answers the requests of one port. `callers` may grow."""

    def __init__(self, callers: Mapping[CallAddress, CallingBoard], turns: ClientTurns, ping_seconds: float) -> None:
        self._callers, self._turns, self._ping_seconds = callers, turns, ping_seconds
        self._limits: dict[CallAddress, RateLimit] = {}

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answers one request, which may become a WebSocket."""
        with frames_expected(request.transport) if _is_upgrade(request) else contextlib.nullcontext():
            return await self._answer(request)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._turns.strangers.turn(address_group(request.remote or ""))
                if (refused := _refused(request)) is not None:
                    return _last(refused)
                if (caller := find_caller(request, self._callers.values())) is None:
                    await asyncio.sleep(REFUSED_SECONDS)
                    return _last(web.Response(status=403, text=STRANGER))
                if request.method == "POST":
                    return await self._post(request, caller)
        except TimeoutError:
            return _last(web.Response(status=408, text="This took too long.\n"))
        return await self._talk(request, caller)

    async def _post(self, request: web.Request, caller: CallingBoard) -> web.Response:
        with identified(request.transport, caller.address):
            body = await read_body(request, LONGEST_REQUEST)
        name = request_name(request.path, caller.address.token)
        # Not `request.content_type`, which is this one if the board names none.
        is_binary = bool(body) and request.headers.get("Content-Type") == BINARY
        data = None if body is None else request_line(name, bytes(body), is_binary)
        if data is None or len(data) > LONGEST_REQUEST:
            return _last(web.Response(status=413, text=f"A request has at most {LONGEST_REQUEST} bytes.\n"))
        if not is_binary and data == b"\n":
            return web.Response(status=400, text="There is nothing in this request.\n")
        given = request.headers.get("Idempotency-Key", "")
        if given and not REQUEST_ID.fullmatch(given):
            return web.Response(status=400, text="An Idempotency-Key has 1 to 64 printable characters.\n")
        await asyncio.sleep(self._wait(caller))
        if await caller.request(replace(chunk(data), request=f"request:{given}" if given else "")):
            return web.json_response({"ok": True})
        return web.json_response({"ok": False, "message": "It is not stored yet: send it again."}, status=503)

    async def _talk(self, request: web.Request, caller: CallingBoard) -> web.StreamResponse:
        socket = web.WebSocketResponse(
            max_msg_size=LONGEST_MESSAGE, heartbeat=self._ping_seconds, compress=False, autoping=False
        )
        transport = cast(PacedTransport | None, request.transport)
        if transport is None:
            return web.Response(status=400)  # The board has disconnected.
        try:
            await socket.prepare(request)
        except (ConnectionError, ValueError):
            return web.Response(status=400)  # It has disconnected, or its key is not even ASCII.
        link = caller.connect(_WebSocket(socket, transport))
        try:
            with identified(transport, caller.address):
                await self._read(socket, link, transport, caller)
        finally:
            link.end("The board does not answer." if socket.close_code == 1006 else "The board has disconnected.")
            # Unread data would keep the connection's slot.
            transport.abort()
        return socket

    async def _read(
        self, socket: web.WebSocketResponse, link: CallLink, transport: PacedTransport, caller: CallingBoard
    ) -> None:
        while True:
            message = await transport.receive(socket)
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.PING, WSMsgType.PONG):
                return
            await transport.turn()
            if message.type is WSMsgType.PING:
                await socket.pong(message.data)
            elif message.type is not WSMsgType.PONG:
                await link.put(chunk(message_bytes(message.data)))
            await asyncio.sleep(self._wait(caller))

    def _wait(self, caller: CallingBoard) -> float:
        """Counts a message of a board; returns the seconds until its next one may be read."""
        now = asyncio.get_running_loop().time()
        limit = self._limits.setdefault(caller.address, RateLimit(now, RATE, BURST))
        return limit.wait(1.0, now)


class _WebSocket:
    """An open WebSocket, as a link writes to it."""

    def __init__(self, socket: web.WebSocketResponse, transport: PacedTransport) -> None:
        self._socket, self._transport = socket, transport

    def unsent(self) -> int:
        return int(self._transport.get_write_buffer_size())

    async def send(self, data: bytes) -> None:
        # What boards read is lines; a frame of text is what their libraries expect for these.
        if data.isascii():
            await self._socket.send_str(data.decode())
        else:
            await self._socket.send_bytes(data)

    def abort(self) -> None:
        self._transport.abort()


def application(
    callers: Mapping[CallAddress, CallingBoard], turns: ClientTurns, ping_seconds: float
) -> web.Application:
    """Returns the application of one port."""
    server = BoardServer(callers, turns, ping_seconds)
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", server.answer, expect_handler=expect_later)
    return app


def find_caller(request: web.Request, callers: Collection[CallingBoard]) -> CallingBoard | None:
    """Returns the board that sends a request, `None` if it is none of these."""
    source = plain_address(request.remote or "") or ""
    is_direct = not is_forwarded(request.headers)
    is_here = is_direct and is_this_machine(source) and is_this_machine(host_of(request))
    given = tokens_of(request.path, request.query.get("token", ""), request.headers.get("Authorization", ""))
    found = None
    for caller in callers:
        wanted = caller.address
        if wanted.token:
            # Every comparison is made, so that the time says nothing about which one fits.
            is_right = (
                sum(hmac.compare_digest(token.encode("utf-8", "replace"), wanted.token.encode()) for token in given) > 0
            )
        else:
            is_right = bool(wanted.allowed) or is_here
        if is_right and (not wanted.allowed or (is_direct and source in wanted.allowed)):
            found = caller
    return found


def tokens_of(path: str, query: str, authorization: str) -> tuple[str, ...]:
    """Returns where a board can have its token: `?token=…`, `Authorization: Bearer …`, or the first part of the path.

    Firmware that only knows the beginning of an address, and adds `new-dart` to it, can have it in the path alone.
    """
    kind, _, bearer = authorization.partition(" ")
    return query, bearer.strip() if kind.lower() == "bearer" else "", path.removeprefix("/").partition("/")[0]


def request_name(path: str, token: str) -> str:
    """Returns what a path says of a request: its last part. Empty if it ends with `/`, or has nothing but the token."""
    parts = path.removeprefix("/").split("/")
    name = "" if parts == [token] else parts[-1]
    return name if NAME.fullmatch(name) else ""


def request_line(name: str, body: bytes, is_binary: bool) -> bytes:
    """Returns what a POST puts on the wire: its name, a space, and its body. Bytes are taken as they are."""
    if is_binary:
        return body
    return b" ".join(filter(None, (name.encode(), body.strip(b" \r\n")))) + b"\n"


def message_bytes(data: Any) -> bytes:
    """Returns what a WebSocket message puts on the wire: text is a line, bytes are taken as they are."""
    if isinstance(data, str):
        line = data.encode("utf-8", "replace")
        return line if line.endswith(b"\n") else line + b"\n"
    return bytes(data)


def _refused(request: web.Request) -> web.Response | None:
    """Returns the answer to a request that no board sends."""
    if is_compressed(request):
        return web.Response(status=415, text="Send it without Content-Encoding.\n")
    if "Sec-Fetch-Site" in request.headers or request.headers.get("Origin", FIRMWARE_ORIGIN) != FIRMWARE_ORIGIN:
        return web.Response(status=403, text="Pages may not connect here.\n")
    if request.method != "POST" and not _is_upgrade(request):
        return web.Response(status=405, text="A board opens a WebSocket here, or sends POST.\n")
    return None


def _is_upgrade(request: web.Request) -> bool:
    return request.method == "GET" and request.headers.get("Upgrade", "").lower() == "websocket"


def _last(response: web.Response) -> web.Response:
    """Closes the connection after this response: what follows in it is not read."""
    response.force_close()
    return response
