"""The listeners of the web server and of the port for programs: how many connections, in all and from one address.

Bounded where connections are taken and not in the web server, which does not
see those that never finish their TLS handshake: each of them holds a file, and
a process has 1,024. One address from the network cannot hold all places, and
all of the network together cannot hold those of this machine, whose displays
and proxies come from 127.0.0.1 and ::1.
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

from daemon.web.turns import Turns
from daemon.web.visit import Visit

log = logging.getLogger(__name__)

MOST: Final = 400
"""Each may take a second file, for its way to the broker, of the 1,024 that a process has; boards need theirs."""
FROM_ELSEWHERE: Final = 340
"""Of these. The rest is kept for this machine."""
FROM_ONE_ADDRESS = 40
"""A page takes up to six while it loads, and one when it is there."""
HANDSHAKE_SECONDS = 10.0
UNREAD_SECONDS = 30.0
"""The system ends a connection whose other side has taken nothing for so long, whatever was being sent."""
UNREAD_BYTES: Final = 128 * 1024
"""What the system keeps of one connection that is not read; left to itself it would keep megabytes."""
BACKLOG: Final = 128
TURNED_AWAY_SECONDS: Final = 0.002
"""Pause after a connection for which there is no room: 500 a second are turned away at most, the rest wait."""
NO_FILES_SECONDS: Final = 0.5
HERE: Final = ("127.0.0.1", "::1")


Server = Callable[[], asyncio.Protocol]
"""Makes the protocol of one connection."""


class ConnectionLimits:
    """Who is connected, by address."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._there: Counter[str] = Counter()

    def has_room(self, address: str) -> bool:
        """Whether one more may come from an address (as `household` gives it)."""
        if self._there.total() >= MOST:
            return False
        if address in HERE:
            return True
        elsewhere = self._there.total() - sum(self._there[here] for here in HERE)
        return elsewhere < FROM_ELSEWHERE and self._there[address] < FROM_ONE_ADDRESS

    def arrive(self, address: str, server: Server) -> Visit:
        """Takes a place at a server, which the connection gives back when it ends."""
        self._there[address] += 1

        def left() -> None:
            self._there[address] -= 1
            if not self._there[address]:
                del self._there[address]

        return Visit(server(), address, self._turns, left)

    async def let_in(self, line: socket.socket, visit: Visit, address: str, tls: ssl.SSLContext | None) -> None:
        """Hands a connection to its server, after its handshake where there is one."""
        is_in = False
        try:
            await self._turns.turn(address)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(UNREAD_SECONDS * 1000))
            # The system takes twice the number.
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD_BYTES // 2)
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: visit, line, ssl=tls, ssl_handshake_timeout=None if tls is None else HANDSHAKE_SECONDS
            )
            is_in = True
        except OSError as error:
            log.info("%s did not come in: %s", address, error)
        finally:
            if not is_in:
                visit.leave()
                line.close()


@lru_cache(1024)
def household(address: str) -> str:
    """What counts as one address: in IPv6 one machine has a whole network of 64 bits to choose from."""
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
    server: Server, host: str, port: int, tls: ssl.SSLContext | None, crowd: ConnectionLimits
) -> AsyncIterator[None]:
    """Takes connections for the length of the block. OSError where the address is taken, or none of ours."""
    listeners = await _listeners(host, port)
    tasks = [asyncio.create_task(_take(listener, server, crowd, tls)) for listener in listeners]
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
                # `localhost` is two addresses also where the machine was set up without IPv6.
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


async def _take(listener: socket.socket, server: Server, crowd: ConnectionLimits, tls: ssl.SSLContext | None) -> None:
    arriving: set[asyncio.Task[None]] = set()
    while True:
        # A flood of them does not hold up what else the loop has to do.
        await asyncio.sleep(0)
        try:
            line, peer = await asyncio.get_running_loop().sock_accept(listener)
        except OSError as error:
            # Out of files, or one that left again at once. Those who wait are taken when there is room.
            log.warning("no connection could be taken: %s", error)
            await asyncio.sleep(NO_FILES_SECONDS)
            continue
        address = household(_peer(peer))
        if not crowd.has_room(address):
            line.close()
            await asyncio.sleep(TURNED_AWAY_SECONDS)
            continue
        task = asyncio.create_task(crowd.let_in(line, crowd.arrive(address, server), address, tls))
        arriving.add(task)
        task.add_done_callback(arriving.discard)
