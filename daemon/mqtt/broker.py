"""The embedded broker: mosquitto as a child process, or iotcore, a demo broker, if mosquitto is not installed.

mosquitto gets four listeners: Unix sockets for the daemon, for pages on this machine and for pages from the network,
both by way of the web server's proxy, and a port for programs. All but the daemon's own are behind an access list, so
that nobody can forge a state; clients from the network need a name and a password as well. The demo broker has one
port, MQTT 3.1.1, no access list, and keeps nothing over a restart: it is for a first look, and the daemon says so.

Not chosen: a broker in this process. Every one in Python that was tried lost a will, leaked retained messages, or
both.
"""

import asyncio
import contextlib
import hashlib
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from daemon.mqtt import mosquitto
from daemon.mqtt.broker_process import BrokerError, BrokerProcess, PortTakenError
from daemon.people.access import User
from daemon.system.config import Tls
from daemon.system.disk_errors import disk_trouble
from daemon.system.lan_address import in_brackets
from daemon.system.urls import DEMO, EMBEDDED, BrokerUrl, is_this_machine

PORT: Final = 1884
"""The embedded broker's default port: 1883 belongs to Debian's service."""
PORT_CHOICES: Final = 3
"""How many ports are tried where the URL names none. Whoever starts at the same moment can take the one just chosen."""
INSTALL: Final = "install mosquitto: sudo apt install mosquitto"
FOLDER: Final = "broker"
"""Folder of the embedded broker's files, in the data directory."""
SOCKET_PATH_LIMIT: Final = 100
"""Unix socket paths have at most 107 bytes; a longer data directory gets a short folder among temporary files."""


@dataclass(frozen=True, slots=True)
class BrokerEndpoints:
    """Addresses of a broker: for the daemon, for pages here and from the network, and for programs, as people type it.

    Without `guests` there is no access from the network. `renew` makes the broker read its users again. `own` is True
    for a mosquitto that the daemon started. At `program_port` the daemon accepts programs from the network and forwards
    them to `guests`; `None` if the broker does so.
    """

    daemon: BrokerUrl
    pages: BrokerUrl
    public: str
    note: str = ""
    guests: BrokerUrl | None = None
    renew: Callable[[Iterable[User]], None] = lambda _users: None
    own: bool = False
    program_port: tuple[str, int] | None = None


@contextlib.asynccontextmanager
async def broker(
    url: BrokerUrl,
    folder: Path,
    node: str,
    users: Iterable[User],
    tls: Tls | None,
    topics: Mapping[str, str] = MappingProxyType({}),
) -> AsyncIterator[BrokerEndpoints]:
    """Yields the broker in use: the one at the URL, or a child process that runs until the end of the block.

    `topics` are those at which boards publish, by board.

    PermissionError if it would listen to the network without authentication.
    """
    if url.scheme not in (EMBEDDED, DEMO):
        at = f"{url.host}:{url.port}" if url.host else url.path
        yield BrokerEndpoints(url, url, f"{url.scheme}://{at}", guests=url)
        return
    demo = url.scheme == DEMO or find_mosquitto() is None
    if demo and not is_this_machine(url.host):
        raise PermissionError(f"The demo broker accepts everyone, so it must not listen at {url.host}: {INSTALL}")
    for left in reversed(range(PORT_CHOICES)):
        child, endpoints = _stand_in(url) if demo else _own_mosquitto(url, folder, node, users, tls, topics)
        try:
            await child.begin()
            break
        except PortTakenError:
            # Without a port in the URL another is as good: this one was free a moment ago.
            if url.port or not left:
                raise
    keeper = asyncio.create_task(child.keep())
    try:
        yield endpoints
    finally:
        keeper.cancel()
        await child.stop()


def find_mosquitto() -> str | None:
    """Returns the path of the program; `None` if it is not installed."""
    # Debian installs it in a folder that only root's PATH has.
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def _own_mosquitto(
    url: BrokerUrl, data: Path, node: str, users: Iterable[User], tls: Tls | None, topics: Mapping[str, str]
) -> tuple[BrokerProcess, BrokerEndpoints]:
    try:
        folder = _socket_folder(data)
    except PermissionError:
        raise
    except OSError as error:
        raise BrokerError(disk_trouble(error, data / FOLDER)) from error
    port = _free_port(url)
    program = find_mosquitto() or "mosquitto"
    try:
        config = mosquitto.write(folder, url.host, port, node, users, mosquitto.find_plugins(program), topics)
    except OSError as error:
        raise BrokerError(disk_trouble(error, folder)) from error
    here = is_this_machine(url.host)
    command = [program, "-c", str(config)]
    door = BrokerUrl("unix", path=str(folder / "daemon.sock"), port=1)
    child = BrokerProcess(command, door, (url.host, port), folder / "mosquitto.pid")

    def renew(users: Iterable[User]) -> None:
        mosquitto.write_users(folder, node, users, topics)
        child.read_again()

    endpoints = BrokerEndpoints(
        door,
        BrokerUrl("unix", path=str(folder / "pages.sock"), port=1),
        f"{'mqtts' if tls is not None and not here else 'mqtt'}://{in_brackets(url.host)}:{port}",
        guests=BrokerUrl("unix", path=str(folder / "guests.sock"), port=1),
        renew=renew,
        own=True,
        program_port=None if here else (url.host, port),
    )
    return child, endpoints


def _stand_in(url: BrokerUrl) -> tuple[BrokerProcess, BrokerEndpoints]:
    port = _free_port(url)
    at = BrokerUrl("mqtt", url.host, port, old=True)
    note = (
        "this is a demo broker: MQTT 3.1.1 only, no access control, nothing kept over a restart. "
        f"For the real one {INSTALL}"
    )
    command = [sys.executable, "-m", "iotcore", "--listen", url.host, "--port", str(port), "--log-level", "CRITICAL"]
    endpoints = BrokerEndpoints(at, at, f"mqtt://{in_brackets(url.host)}:{port}", note)
    return BrokerProcess(command, at, (url.host, port)), endpoints


def _socket_folder(data: Path) -> Path:
    folder = (data / FOLDER).absolute()
    if len(str(folder)) > SOCKET_PATH_LIMIT - len("/daemon.sock"):
        short = hashlib.sha256(str(folder).encode()).hexdigest()[:12]
        folder = Path(tempfile.gettempdir()) / f"oche-{os.geteuid()}-{short}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    owner = folder.stat()
    if owner.st_uid != os.geteuid():
        raise PermissionError(f"{folder} belongs to another user; remove it")
    folder.chmod(0o700)
    return folder


def _free_port(url: BrokerUrl) -> int:
    """Returns the port of the URL; without one the default port, or a free one if that is taken."""
    if url.port:
        return url.port
    try:
        family, *_, address = socket.getaddrinfo(url.host, PORT, type=socket.SOCK_STREAM)[0]
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
            except OSError:
                probe.bind((url.host, 0))
            port: int = probe.getsockname()[1]
            return port
    except OSError as error:
        raise PermissionError(f"The broker cannot listen at {url.host}: {error.strerror}.") from error
