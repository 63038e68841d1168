"""The port for programs when it is open to the network: plain MQTT, passed on after the password check.

It has the same limits, turns, pace and password checks as the proxy of the pages. On this machine alone, programs
connect to the broker directly.

Not chosen: opening the broker's own port to the network. It has no limit for one address, and checks passwords on the
thread that delivers darts.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Callable

from daemon.mqtt.broker import BrokerEndpoints
from daemon.mqtt.broker_process import BrokerError
from daemon.network.connection_limits import ConnectionLimits, address_group, listening
from daemon.system.lan_address import in_brackets
from daemon.web.mqtt_proxy import CLOSE_SECONDS, FRAME, PIECE, pace, relay
from daemon.web.passwords import Passwords


@contextlib.asynccontextmanager
async def program_port(
    endpoints: BrokerEndpoints,
    passwords: Passwords | None,
    on_stuck: Callable[[], None],
    tls: ssl.SSLContext | None,
    limits: ConnectionLimits,
) -> AsyncIterator[None]:
    """Accepts programs until the end of the block, if the port is open. BrokerError: it cannot listen.

    `on_stuck` is called for each program that was disconnected because it did not read.
    """
    broker = endpoints.guests
    if endpoints.program_port is None or broker is None or passwords is None:
        yield
        return
    host, port = endpoints.program_port

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = writer.get_extra_info("peername")
        address = address_group(str(peer[0]) if peer else "")
        try:
            await relay(_Program(writer), pace(_pieces(reader)), broker, passwords, address, on_stuck, writer.transport)
            with contextlib.suppress(TimeoutError, OSError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    writer.close()
                    await writer.wait_closed()
        finally:
            # Unread data would keep the connection's slot.
            writer.transport.abort()

    def server() -> asyncio.Protocol:
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(PIECE), serve)

    async with contextlib.AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(listening(server, host, port, tls, limits))
        except OSError as error:
            raise BrokerError(
                f"The port for programs cannot listen at {in_brackets(host)}:{port} ({error.strerror or error}). "
                "Name another with --broker embedded://HOST:PORT."
            ) from error
        yield


class _Program:
    """A program's connection, as the relay's client."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    async def send_bytes(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()


async def _pieces(reader: asyncio.StreamReader) -> AsyncIterator[tuple[bytes, int]]:
    """A program's input, with the bytes that each piece counts. `PacedProtocol` has read each piece in its turn."""
    while data := await reader.read(PIECE):
        yield data, FRAME + len(data)
