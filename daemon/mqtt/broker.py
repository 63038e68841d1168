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
import ctypes
import hashlib
import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.address import in_brackets
from daemon.mqtt import mosquitto
from daemon.mqtt.mosquitto import Tls
from daemon.people.access import User
from daemon.urls import DEMO, EMBEDDED, BrokerUrl, is_this_machine

log = logging.getLogger(__name__)

PORT: Final = 1884
"""The embedded broker's own port: 1883 belongs to Debian's service."""
RESTART_SECONDS: Final = 0.5
READY_SECONDS: Final = 10.0
INSTALL: Final = "install mosquitto: sudo apt install mosquitto"
BEGIN_SECONDS: Final = 3.0
SYSTEMD: Final = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")
"""What systemd asks of the process that it has started, and of no child of it; sd_notify(3)."""
FOLDER: Final = "broker"
"""Where the embedded one has its files, in the data directory."""
SOCKET_PATH_LIMIT: Final = 100
"""Unix socket paths end at 107 bytes; a longer data directory gets a short one beside the temporary files."""


@dataclass(frozen=True, slots=True)
class Doors:
    """Where a broker is reached: by the daemon, by pages here and from elsewhere, and by programs (as people type it).

    Without `guests` there is no door for the network. `renew` makes the broker read who may come in. `own` is
    a mosquitto that we started.
    """

    daemon: BrokerUrl
    pages: BrokerUrl
    public: str
    note: str = ""
    guests: BrokerUrl | None = None
    renew: Callable[[Iterable[User]], None] = lambda _users: None
    own: bool = False


@contextlib.asynccontextmanager
async def broker(
    url: BrokerUrl, folder: Path, node: str, users: Iterable[User], tls: Tls | None
) -> AsyncIterator[Doors]:
    """The broker in use: the one at the URL, or our own child, kept running until the end of the block.

    PermissionError where it would listen to the network without being able to tell who is who.
    """
    if url.scheme not in (EMBEDDED, DEMO):
        at = f"{url.host}:{url.port}" if url.host else url.path
        yield Doors(url, url, f"{url.scheme}://{at}", guests=url)
        return
    if url.scheme == DEMO or find_mosquitto() is None:
        if not is_this_machine(url.host):
            raise PermissionError(f"The demo broker lets everyone in, so it may not listen at {url.host}: {INSTALL}")
        child = _stand_in(url)
    else:
        child = _own_mosquitto(url, folder, node, users, tls)
    await child.begin()
    keeper = asyncio.create_task(child.keep())
    try:
        yield child.doors
    finally:
        keeper.cancel()
        await child.stop()


class BrokerError(Exception):
    """The embedded broker cannot begin; the text says why and what to do."""


class Child:
    """A broker process that is started again whenever it ends, until it is stopped."""

    def __init__(self, command: list[str], doors: Doors, pid_file: Path | None, address: tuple[str, int]) -> None:
        self.doors = doors
        self._address = address
        self._command = command
        self._pid_file = pid_file
        self._process: asyncio.subprocess.Process | None = None
        self._said: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """The first start, which must succeed: afterwards a broker that ends is started again for ever.

        A port that a former run has just left can take a moment to be free.
        """
        if self._pid_file is not None:
            await _end_orphan(self._pid_file, self._command)
        end = asyncio.get_running_loop().time() + BEGIN_SECONDS
        while not _is_free(self._address):
            if asyncio.get_running_loop().time() > end:
                raise BrokerError(
                    f"The embedded broker cannot listen at {self.doors.public}: the port is taken, or no port of this "
                    "machine. Name another with --broker embedded://127.0.0.1:PORT."
                )
            await asyncio.sleep(RESTART_SECONDS)
        await self.start()

    async def start(self) -> None:
        """Starts it and returns when it takes connections, or has ended, or `READY_SECONDS` are over."""
        if self._pid_file is not None:
            await _end_orphan(self._pid_file, self._command)
        self._process = process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            # systemd watches the daemon: mosquitto would tell it how a broker is.
            env={name: value for name, value in os.environ.items() if name not in SYSTEMD},
            process_group=0,  # Ctrl-C in a terminal is for the daemon, which ends the broker last.
            preexec_fn=_die_with_parent,
        )
        assert process.stderr is not None
        self._said = asyncio.create_task(_pass_on(process.stderr))
        if self._pid_file is not None:
            # On a full disk it goes without: a broker that outlives us is then not known as ours.
            with contextlib.suppress(OSError):
                self._pid_file.write_text(str(process.pid))
        for _ in range(int(READY_SECONDS / 0.01)):
            if process.returncode is not None or await _answers(self.doors.daemon):
                return
            await asyncio.sleep(0.01)

    async def keep(self) -> None:
        """Starts it again when it ended."""
        while True:
            if self._process is not None:
                code = await self._process.wait()
                log.warning("the broker ended with code %s; starting it again", code)
            await asyncio.sleep(RESTART_SECONDS)
            try:
                if self._pid_file is not None:
                    # It may have ended over what its clients had asked of it, and would again. What we retain we say
                    # again; whoever was subscribed does that again, too.
                    (self._pid_file.parent / mosquitto.MEMORY).unlink(missing_ok=True)
                await self.start()
            except OSError as error:
                if self._process is not None:
                    log.warning("the broker cannot be started: %s; trying again and again", error)
                self._process = None

    def read_again(self) -> None:
        """Makes it read its password file and access list; who may no longer come in is put out."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal.SIGHUP)

    async def stop(self) -> None:
        """Ends it, softly first: mosquitto saves what it retains."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.terminate()
        try:
            await asyncio.wait_for(process.wait(), 1)
        except TimeoutError:
            process.kill()
            await process.wait()


async def _pass_on(said: asyncio.StreamReader) -> None:
    """What the broker has to say; its warnings (that it runs as root, say) are nobody's to act on here."""
    async for line in said:
        text = line.decode(errors="replace").strip()
        log.log(logging.INFO if "Warning:" in text else logging.WARNING, "mosquitto: %s", text)


def find_mosquitto() -> str | None:
    """The path of the program; None where it is not installed."""
    # Debian keeps it where only root's PATH looks.
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def _own_mosquitto(url: BrokerUrl, data: Path, node: str, users: Iterable[User], tls: Tls | None) -> Child:
    folder = _socket_folder(data)
    port = _free_port(url)
    config = mosquitto.write(folder, url.host, port, node, users, tls)
    here = is_this_machine(url.host)
    child: Child

    def renew(users: Iterable[User]) -> None:
        mosquitto.write_users(folder, node, users)
        child.read_again()

    doors = Doors(
        BrokerUrl("unix", path=str(folder / "daemon.sock"), port=1),
        BrokerUrl("unix", path=str(folder / "pages.sock"), port=1),
        f"{'mqtts' if tls is not None and not here else 'mqtt'}://{in_brackets(url.host)}:{port}",
        guests=BrokerUrl("unix", path=str(folder / "guests.sock"), port=1),
        renew=renew,
        own=True,
    )
    child = Child(
        [find_mosquitto() or "mosquitto", "-c", str(config)], doors, folder / "mosquitto.pid", (url.host, port)
    )
    return child


def _stand_in(url: BrokerUrl) -> Child:
    port = _free_port(url)
    at = BrokerUrl("mqtt", url.host, port, old=True)
    note = (
        "this is a demo broker: MQTT 3.1.1 only, no access control, nothing kept over a restart. "
        f"For the real one {INSTALL}"
    )
    command = [sys.executable, "-m", "iotcore", "--listen", url.host, "--port", str(port), "--log-level", "CRITICAL"]
    return Child(command, Doors(at, at, f"mqtt://{in_brackets(url.host)}:{port}", note), None, (url.host, port))


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


def _is_free(address: tuple[str, int]) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in address[0] else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError:
            return False
        return True


async def _answers(url: BrokerUrl) -> bool:
    try:
        if url.scheme == "unix":
            _, writer = await asyncio.open_unix_connection(url.path)
        else:
            _, writer = await asyncio.open_connection(url.host, url.port)
    except OSError:
        return False
    writer.close()
    return True


def _die_with_parent() -> None:
    """Runs in the child before it becomes the broker: a daemon that is killed takes its broker along."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)


async def _end_orphan(pid_file: Path, command: list[str]) -> None:
    """Ends a broker of a former run that outlived its daemon. Only one with our own command line is ours to end."""
    try:
        pid = int(pid_file.read_text())
        running = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError):
        return
    if [part.decode(errors="replace") for part in running if part] != command:
        return
    log.warning("ending a broker that a former run left behind (process %s)", pid)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
        for _ in range(200):
            await asyncio.sleep(0.01)
            if not Path(f"/proc/{pid}").exists():
                return
        os.kill(pid, signal.SIGKILL)
