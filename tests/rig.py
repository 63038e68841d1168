"""Real parts for tests of the whole daemon: a broker, the daemon as a process, a board on a pty.

Their MQTT clients are in `mqtt_clients.py`. Every wait is for a condition, with a limit far beyond the time it takes,
so that a test fails instead of hanging.
"""

import itertools
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self

from daemon.mqtt.broker import find_mosquitto
from tests.daemon_forks import ForkedProcess, run_forked, start_forked

LIMIT_SECONDS: Final = 180.0
OCHE: Final = str(Path(sys.executable).parent / "oche")
MOSQUITTO: Final = find_mosquitto() or "mosquitto"

# Below the system's ephemeral ports, so that a free port is not taken as a client's port a moment later.
# Each xdist worker has a range of 1,000.
_FIRST_PORT = 20_000 + 1_000 * (int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 12)
_PORTS = itertools.cycle(random.Random(os.getpid()).sample(range(_FIRST_PORT, _FIRST_PORT + 1_000), 1_000))


def free_port() -> int:
    """Returns a free loopback port; no port is returned twice."""
    for port in _PORTS:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


def takes_connections(port: int) -> bool:
    """Whether a loopback port accepts connections."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def self_signed(folder: Path) -> tuple[Path, Path]:
    """Returns the files of a self-signed certificate and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=oche.local"]
    command += ["-addext", "subjectAltName=DNS:oche.local,DNS:localhost", "-out", str(certificate), "-keyout", str(key)]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


def oche(
    *words: str | Path,
    given: str = "",
    check: bool = True,
    forks: bool = True,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> "subprocess.CompletedProcess[str]":
    """Runs a command of the installed program to its end, with `given` as its input, and changes of its environment.

    It is a fork (`tests.daemon_forks`), unless the test changes what an interpreter reads when it starts.
    subprocess.CalledProcessError if it fails and `check` is set.
    """
    command = [OCHE, *map(str, words)]
    if forks:
        done = run_forked(command, given, environment)
    else:
        done = subprocess.run(
            command, input=given, capture_output=True, text=True, check=False, env=os.environ | environment
        )
    if check and done.returncode:
        print(done.stderr)
        done.check_returncode()
    return done


def until(condition: Callable[[], bool], what: str) -> None:
    """Polls until a condition holds; AssertionError after `LIMIT_SECONDS`."""
    end = time.monotonic() + LIMIT_SECONDS
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"never seen: {what}")
        time.sleep(0.005)


@contextmanager
def again_and_again(act: Callable[[], object], seconds: float) -> Iterator[None]:
    """Calls `act` every `seconds` in a thread for the length of the block; raises what it raised."""
    stop = threading.Event()
    faults: list[Exception] = []

    def repeat() -> None:
        try:
            while not stop.wait(seconds):
                act()
        except Exception as fault:
            faults.append(fault)

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
    if faults:
        raise faults[0]


class Mosquitto:
    """A mosquitto that the daemon does not start."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"mqtt://127.0.0.1:{self.port}"
        self._config = folder / "outside-mosquitto.conf"
        self._config.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen([MOSQUITTO, "-c", str(self._config)], stderr=subprocess.DEVNULL)
        until(lambda: takes_connections(self.port), "the broker's port")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(LIMIT_SECONDS)
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class PtyBoard:
    """A pty whose other end the test holds. A symlink gives it the same name each time it is opened."""

    def __init__(self, folder: Path, name: str = "board") -> None:
        self.path = folder / name
        self._ours = self._theirs = -1
        self.plug()

    def plug(self) -> None:
        """Opens a new pty under the same name."""
        self._ours, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(self._theirs))

    def unplug(self) -> None:
        """Removes the symlink, then closes the pty.

        A link left behind could soon lead to the pty of another test, and a daemon that looks for this board would
        open that.
        """
        self.path.unlink(missing_ok=True)
        for end in (self._ours, self._theirs):
            if end >= 0:
                os.close(end)
        self._ours = self._theirs = -1

    def say(self, data: bytes) -> None:
        os.write(self._ours, data)

    def heard(self, size: int = 1000) -> bytes:
        """Returns what the daemon wrote to the board; blocks until there is something."""
        return os.read(self._ours, size)


class Daemon:
    """`oche run` in a process."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        node: str = "test",
        data: Path | None = None,
        environment: dict[str, str] | None = None,
        program: str = OCHE,
        forks: bool = True,
    ) -> None:
        """`forks` says whether it may be a fork of a process that has imported the modules (`tests.daemon_forks`).

        What is measured must not be one: it starts sooner, and shares its memory.
        """
        self._program = program
        self._forks = forks and program == OCHE and not environment
        self.data = data or folder / "data"
        self.http = free_port()
        self.node = node
        self._log = folder / "oche.log"
        self._arguments = arguments
        self._environment = os.environ | (environment or {})
        self._process: subprocess.Popen[bytes] | ForkedProcess | None = None

    def start(self) -> None:
        command = [
            self._program,
            "run",
            "--data",
            str(self.data),
            "--http",
            f"127.0.0.1:{self.http}",
            "--node",
            self.node,
        ]
        command += self._arguments
        with self._log.open("ab") as log:
            if self._forks:
                self._process = start_forked(command, log.fileno())
            else:
                self._process = subprocess.Popen(command, stdout=log, stderr=log, env=self._environment)

    def kill(self) -> None:
        """Sends SIGKILL and waits for the end."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Sends SIGTERM; returns the exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        if self._process is None:
            return 0
        process, self._process = self._process, None
        process.send_signal(number)
        try:
            code = process.wait(LIMIT_SECONDS)
            if code and number == signal.SIGTERM:
                print(self.log())  # It says what kept the daemon from ending.
            return code
        finally:
            # A daemon that does not end would keep its pty open, whose number another test may get next.
            process.kill()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def log(self) -> str:
        return self._log.read_text()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
