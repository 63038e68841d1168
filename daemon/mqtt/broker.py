"""The broker that the daemon brings along: mosquitto as a child, or, where none is installed, a stand-in from PyPI.

mosquitto gets four doors: a Unix socket for the daemon, one for pages at this
machine and one for pages from the network, which the web server passes
through, and a port for programs. All but the daemon's own door are behind an
access list, so that nobody can forge a state; whoever comes over the network
needs a name and a password as well. The stand-in (iotcore) has one port, MQTT 3.1.1, no access
list and no memory: good for a first look, and it says so.

Not chosen: a broker inside this process. Every one in Python that was tried
lost a will, leaked retained messages, or both.
"""

import asyncio
import contextlib
import hashlib
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.mqtt import mosquitto
from daemon.mqtt.broker_process import BrokerError, BrokerProcess
from daemon.people.access import User
from daemon.system.config import Tls
from daemon.system.disk_errors import disk_trouble
from daemon.system.lan_address import in_brackets
from daemon.system.urls import DEMO, EMBEDDED, BrokerUrl, is_this_machine

PORT: Final = 1884
"""The embedded broker's own port: 1883 belongs to Debian's service."""
INSTALL: Final = "install mosquitto: sudo apt install mosquitto"
FOLDER: Final = "broker"
"""Where the embedded one has its files, in the data directory."""
SOCKET_PATH_LIMIT: Final = 100
"""Unix socket paths end at 107 bytes; a longer data directory gets a short one beside the temporary files."""


@dataclass(frozen=True, slots=True)
class BrokerEndpoints:
    """Where a broker is reached: by the daemon, by pages here and from elsewhere, and by programs (as people type it).

    Without `guests` there is no door for the network. `renew` makes the broker read who may come in. `own` is
    a mosquitto that we started. At `program_port` the daemon itself takes programs from the network, and passes them on
    to `guests`; without one the broker does.
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
    url: BrokerUrl, folder: Path, node: str, users: Iterable[User], tls: Tls | None
) -> AsyncIterator[BrokerEndpoints]:
    """The broker in use: the one at the URL, or our own child, kept running until the end of the block.

    PermissionError where it would listen to the network without being able to tell who is who.
    """
    if url.scheme not in (EMBEDDED, DEMO):
        at = f"{url.host}:{url.port}" if url.host else url.path
        yield BrokerEndpoints(url, url, f"{url.scheme}://{at}", guests=url)
        return
    if url.scheme == DEMO or find_mosquitto() is None:
        if not is_this_machine(url.host):
            raise PermissionError(f"The demo broker lets everyone in, so it may not listen at {url.host}: {INSTALL}")
        child, doors = _stand_in(url)
    else:
        child, doors = _own_mosquitto(url, folder, node, users, tls)
    await child.begin()
    keeper = asyncio.create_task(child.keep())
    try:
        yield doors
    finally:
        keeper.cancel()
        await child.stop()


def find_mosquitto() -> str | None:
    """The path of the program; None where it is not installed."""
    # Debian keeps it where only root's PATH looks.
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def _own_mosquitto(
    url: BrokerUrl, data: Path, node: str, users: Iterable[User], tls: Tls | None
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
        config = mosquitto.write(folder, url.host, port, node, users, mosquitto.find_plugins(program))
    except OSError as error:
        raise BrokerError(disk_trouble(error, folder)) from error
    here = is_this_machine(url.host)
    command = [program, "-c", str(config)]
    door = BrokerUrl("unix", path=str(folder / "daemon.sock"), port=1)
    child = BrokerProcess(command, door, (url.host, port), folder / "mosquitto.pid")

    def renew(users: Iterable[User]) -> None:
        mosquitto.write_users(folder, node, users)
        child.read_again()

    doors = BrokerEndpoints(
        door,
        BrokerUrl("unix", path=str(folder / "pages.sock"), port=1),
        f"{'mqtts' if tls is not None and not here else 'mqtt'}://{in_brackets(url.host)}:{port}",
        guests=BrokerUrl("unix", path=str(folder / "guests.sock"), port=1),
        renew=renew,
        own=True,
        program_port=None if here else (url.host, port),
    )
    return child, doors


def _stand_in(url: BrokerUrl) -> tuple[BrokerProcess, BrokerEndpoints]:
    port = _free_port(url)
    at = BrokerUrl("mqtt", url.host, port, old=True)
    note = (
        "this is a demo broker: MQTT 3.1.1 only, no access control, nothing kept over a restart. "
        f"For the real one {INSTALL}"
    )
    command = [sys.executable, "-m", "iotcore", "--listen", url.host, "--port", str(port), "--log-level", "CRITICAL"]
    doors = BrokerEndpoints(at, at, f"mqtt://{in_brackets(url.host)}:{port}", note)
    return BrokerProcess(command, at, (url.host, port)), doors


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
    """The port that was asked for; without one the usual port, or any free one where that is taken."""
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
