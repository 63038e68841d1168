"""The port for programs where it is open to the network: MQTT as it is, passed on once name and password are right.

With the same places, turns, pace and password checks as the WebSocket of the pages (`through.py`). At this machine
alone programs speak to the broker itself.

Not chosen: the broker's own port for the network. It has no bound for one address, and checks passwords on the thread
on which darts wait.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Callable

from daemon.mqtt.broker import BrokerEndpoints
from daemon.mqtt.broker_process import BrokerError
from daemon.system.lan_address import in_brackets
from daemon.system.urls import BrokerUrl
from daemon.web.connection_limits import ConnectionLimits, household, listening
from daemon.web.mqtt_proxy import BURST, FRAME, GOODBYE_SECONDS, PACE, PIECE, pass_on
from daemon.web.passwords import Passwords
from daemon.web.rate_limit import RateLimit


@contextlib.asynccontextmanager
async def program_port(
    doors: BrokerEndpoints,
    passwords: Passwords | None,
    stuck: Callable[[], None],
    tls: ssl.SSLContext | None,
    crowd: ConnectionLimits,
) -> AsyncIterator[None]:
    """Takes programs for the length of the block, if the daemon is to do that. BrokerError where it cannot listen.

    `stuck` is called for each one that was disconnected because it did not read.
    """
    broker = doors.guests
    if doors.program_port is None or broker is None or passwords is None:
        yield
        return
    host, port = doors.program_port

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _served(reader, writer, broker, passwords, stuck)

    def server() -> asyncio.Protocol:
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(PIECE), serve)

    async with contextlib.AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(listening(server, host, port, tls, crowd))
        except OSError as error:
            raise BrokerError(
                f"The port for programs cannot listen at {in_brackets(host)}:{port} ({error.strerror or error}). "
                "Name another with --broker embedded://HOST:PORT."
            ) from error
        yield


class _Program:
    """A program at this end."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    async def send_bytes(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()


async def _served(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    broker: BrokerUrl,
    passwords: Passwords,
    stuck: Callable[[], None],
) -> None:
    peer = writer.get_extra_info("peername")
    address = household(str(peer[0]) if peer else "")
    try:
        await pass_on(_Program(writer), _said(reader), broker, passwords, address, stuck)
        with contextlib.suppress(TimeoutError, OSError):
            async with asyncio.timeout(GOODBYE_SECONDS):
                writer.close()
                await writer.wait_closed()
    finally:
        # Unread data would else keep the place of the connection.
        writer.transport.abort()


async def _said(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """What a program sends, no faster than the pace; each piece has had its turn when it was read."""
    now = asyncio.get_running_loop().time
    pace = RateLimit(now(), PACE, BURST)
    while data := await reader.read(PIECE):
        yield data
        if (seconds := pace.wait(FRAME + len(data), now())) > 0:
            await asyncio.sleep(seconds)
