"""The listeners of the web server and of the port for programs, with limits on the number of connections.

The limits apply at accept(). The web server does not see connections that never
finish their TLS handshake, but each holds a file descriptor, and a process has
1,024. One network address cannot take all slots, and the whole network cannot
take those of this machine, whose displays and proxies connect from 127.0.0.1
and ::1.
"""

import asyncio
import contextlib
import errno
import ipaddress
import logging
import socket
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Callable
from functools import lru_cache
from typing import Final

from daemon.network.fair_turns import ClientTurns
from daemon.network.paced_protocol import PacedProtocol

log = logging.getLogger(__name__)

MAX_CONNECTIONS: Final = 400
"""Each may take a second file descriptor, for its connection to the broker; boards need some too."""
MAX_FROM_NETWORK: Final = 340
"""Connections of MAX_CONNECTIONS that clients on other machines can take."""
MAX_FROM_ONE_ADDRESS = 40
"""A page takes up to six while it loads, and one afterwards."""
HANDSHAKE_SECONDS = 10.0
UNREAD_SECONDS = 30.0
"""The kernel ends a connection whose peer has acknowledged no data for this long."""
UNREAD_BYTES: Final = 128 * 1024
"""The kernel's send buffer of one connection; its default grows to megabytes."""
BACKLOG: Final = 128
REJECTED_SECONDS: Final = 0.002
"""Pause after a rejected connection: at most 500 a second are rejected, the others wait in the backlog."""
ACCEPT_ERROR_SECONDS: Final = 0.5
"""Pause after accept() has failed."""
LOCAL: Final = ("127.0.0.1", "::1")


Server = Callable[[], asyncio.Protocol]
"""Makes the protocol of one connection."""


class ConnectionLimits:
    """Counts the open connections by address."""

    def __init__(self, turns: ClientTurns) -> None:
        self.turns = turns
        self._open: Counter[str] = Counter()

    def has_room(self, address: str) -> bool:
        """Whether one more connection may come from an address (as `address_group` returns it)."""
        if self._open.total() >= MAX_CONNECTIONS:
            return False
        if address in LOCAL:
            return True
        network = self._open.total() - sum(self._open[local] for local in LOCAL)
        return network < MAX_FROM_NETWORK and self._open[address] < MAX_FROM_ONE_ADDRESS

    def take_slot(self, address: str, server: Server) -> PacedProtocol:
        """The protocol of one more connection. It frees its slot when it ends."""
        self._open[address] += 1

        def free() -> None:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

        return PacedProtocol(server(), address, self.turns, free)

    async def connect(
        self, connection: socket.socket, protocol: PacedProtocol, address: str, tls: ssl.SSLContext | None
    ) -> None:
        """Connects an accepted socket to its protocol, after the TLS handshake if there is one."""
        is_connected = False
        try:
            await self.turns.strangers.turn(address)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(UNREAD_SECONDS * 1000))
            # The kernel doubles the value.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD_BYTES // 2)
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: protocol, connection, ssl=tls, ssl_handshake_timeout=None if tls is None else HANDSHAKE_SECONDS
            )
            is_connected = True
        except OSError as error:
            log.info("the connection from %s failed: %s", address, error)
        finally:
            if not is_connected:
                protocol.end()
                connection.close()


@lru_cache(1024)
def address_group(address: str) -> str:
    """The address under which a client is counted: in IPv6 its /64 network, because one machine can use all of it."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address) or found.is_loopback:
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))


def _peer(name: object) -> str:
    return str(name[0]) if isinstance(name, tuple) and name else ""


@contextlib.asynccontextmanager
async def listening(
    server: Server, host: str, port: int, tls: ssl.SSLContext | None, limits: ConnectionLimits
) -> AsyncIterator[None]:
    """Accepts connections until the end of the block. OSError: the address is taken, or not of this machine."""
    listeners = await _listeners(host, port)
    tasks = [asyncio.create_task(_accept(listener, server, limits, tls)) for listener in listeners]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for listener in listeners:
            listener.close()


async def _listeners(host: str, port: int) -> list[socket.socket]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    listeners: list[socket.socket] = []
    missing: OSError | None = None
    try:
        for family, kind, protocol, _, address in dict.fromkeys(found):
            try:
                listeners.append(_listener(family, kind, protocol, address))
            except OSError as error:
                # `localhost` resolves to two addresses even on a machine without IPv6.
                if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                    raise
                missing = error
        if missing is not None and not listeners:
            raise missing
    except OSError:
        for listener in listeners:
            listener.close()
        raise
    return listeners


def _listener(family: int, kind: int, protocol: int, address: object) -> socket.socket:
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)  # type: ignore[arg-type]
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


async def _accept(
    listener: socket.socket, server: Server, limits: ConnectionLimits, tls: ssl.SSLContext | None
) -> None:
    connecting: set[asyncio.Task[None]] = set()
    while True:
        # Lets other tasks run during a flood of connections.
        await asyncio.sleep(0)
        try:
            connection, peer = await asyncio.get_running_loop().sock_accept(listener)
        except OSError as error:
            # No file descriptor is free, or the client has disconnected. The others wait in the backlog.
            log.warning("a connection cannot be accepted: %s", error)
            await asyncio.sleep(ACCEPT_ERROR_SECONDS)
            continue
        address = address_group(_peer(peer))
        if not limits.has_room(address):
            connection.close()
            await asyncio.sleep(REJECTED_SECONDS)
            continue
        task = asyncio.create_task(limits.connect(connection, limits.take_slot(address, server), address, tls))
        connecting.add(task)
        task.add_done_callback(connecting.discard)
