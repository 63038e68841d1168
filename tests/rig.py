"""Real parts for tests of the whole daemon: a broker, the daemon as a process, a board on a pty.

Who is at the bus with them is in `at_the_bus.py`.

Nothing here sleeps for luck: every wait is for something to be seen, with a
limit that is far beyond what it takes, so that a test fails instead of hanging.
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from daemon.mqtt.broker import find_mosquitto

LIMIT_SECONDS: Final = 60.0
OCHE: Final = str(Path(sys.executable).parent / "oche")
MOSQUITTO: Final = find_mosquitto() or "mosquitto"

# Below those that the system hands to clients: what was free just now would else be somebody's a moment later.
# Each worker that runs tests beside others has a thousand of its own.
_FIRST_PORT = 20_000 + 1_000 * (int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 12)
_PORTS = itertools.cycle(random.Random(os.getpid()).sample(range(_FIRST_PORT, _FIRST_PORT + 1_000), 1_000))


def free_port() -> int:
    """A port on the loopback that was free just now, and is not named twice."""
    for port in _PORTS:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


def takes_connections(port: int) -> bool:
    """Whether somebody listens at a port of the loopback."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def self_signed(folder: Path) -> tuple[Path, Path]:
    """A certificate for this machine that nobody has signed, and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=oche.local"]
    command += ["-addext", "subjectAltName=DNS:oche.local,DNS:localhost", "-out", str(certificate), "-keyout", str(key)]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


def until(seen: Callable[[], bool], what: str) -> None:
    """Waits for something that no message announces."""
    end = time.monotonic() + LIMIT_SECONDS
    while not seen():
        if time.monotonic() > end:
            raise AssertionError(f"never seen: {what}")
        time.sleep(0.005)


@contextmanager
def again_and_again(act: Callable[[], object], seconds: float) -> Iterator[None]:
    """Somebody who does this at his own pace, whatever the test does meanwhile. A fault of his is the test's."""
    stop = threading.Event()
    faults: list[Exception] = []

    def go_on() -> None:
        try:
            while not stop.wait(seconds):
                act()
        except Exception as fault:
            faults.append(fault)

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
    if faults:
        raise faults[0]


class Mosquitto:
    """A broker of its own, as somebody would have it outside the daemon."""

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
    """A serial port with a test at its other end, behind a symlink, since a pty's name goes with it."""

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
        """Takes the device away, in the middle of whatever was said; its link goes first.

        A link that stayed would soon lead to a pty of another test, and the daemon that looks for this board would
        take that.
        """
        self.path.unlink(missing_ok=True)
        for end in (self._ours, self._theirs):
            if end >= 0:
                os.close(end)
        self._ours = self._theirs = -1
        # The number of the device may be another's next.
        self.path.unlink(missing_ok=True)

    def say(self, data: bytes) -> None:
        os.write(self._ours, data)

    def heard(self, size: int = 1000) -> bytes:
        """What the daemon wrote to the board."""
        return os.read(self._ours, size)


class Daemon:
    """`oche run` as a process of its own."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        node: str = "test",
        data: Path | None = None,
        environment: dict[str, str] | None = None,
        program: str = OCHE,
    ) -> None:
        self._program = program
        self.data = data or folder / "data"
        self.http = free_port()
        self.node = node
        self._log = folder / "oche.log"
        self._arguments = arguments
        self._environment = os.environ | (environment or {})
        self._process: subprocess.Popen[bytes] | None = None

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
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, *self._arguments], stdout=log, stderr=log, env=self._environment
            )

    def kill(self) -> None:
        """SIGKILL: nothing is said, nothing is saved."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        if self._process is None:
            return 0
        process, self._process = self._process, None
        process.send_signal(number)
        try:
            return process.wait(LIMIT_SECONDS)
        finally:
            # One that does not end would keep its board open, whose device may be another test's next.
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
