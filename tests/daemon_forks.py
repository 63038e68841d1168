"""Runs commands of the installed program by forking a process that has imported the daemon's modules already.

Most of what a daemon computes until it serves its pages, and nearly all that a short command does, is the import of up
to 700 modules. One process for each test process imports them once. Each command is a fork of it that runs
`daemon.main.main`, as the installed program does, with the environment and the folder of the test. `tests.rig.Daemon`
starts a new interpreter instead where a test names the program or changes its environment.
"""

import atexit
import contextlib
import functools
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from types import MappingProxyType
from typing import Any, Final

ROOT: Final = Path(__file__).parent.parent
MOST_BYTES: Final = 1 << 17
"""Bounds the command line and the environment of a daemon."""
SERVER_ENDED: Final = "the process that forks daemons has ended; its error is on stderr"
END_SECONDS: Final = 10.0
"""How long the server may take to end after the process that it works for; then it is killed."""


class ForkedProcess:
    """A fork. Has the members of `subprocess.Popen` that the rig uses."""

    def __init__(self, pid: int, status: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._status = status

    def poll(self) -> int | None:
        """Returns the exit code, negative after a signal; `None` while the process runs."""
        return self._code(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """Waits for the end and returns the exit code. subprocess.TimeoutExpired after `timeout` seconds."""
        if (code := self._code(timeout)) is None:
            raise subprocess.TimeoutExpired("oche", timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        """Sends a signal, unless the process has ended."""
        if self.poll() is None:
            # It can end in between.
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _code(self, seconds: float | None) -> int | None:
        if self.returncode is None:
            end = select.poll()
            end.register(self._status, select.POLLIN)
            if not end.poll(None if seconds is None else seconds * 1000):
                return None
            said = os.read(self._status, 16)
            if not said:
                raise AssertionError(SERVER_ENDED)
            self.returncode = int(said)
            os.close(self._status)
        return self.returncode


class ForkServer:
    """The process that forks. It ends with this one, and kills the forks that are left."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-m", __name__, str(theirs.fileno())]
        with theirs:
            self._process = subprocess.Popen(
                command, cwd=ROOT, pass_fds=[theirs.fileno()], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
            )
        self._one_at_a_time = threading.Lock()
        atexit.register(self.close)

    def start(
        self, command: Sequence[str], streams: tuple[int, int, int], changes: Mapping[str, str] = MappingProxyType({})
    ) -> ForkedProcess:
        """Forks a process that runs a command of the installed program with these as its stdin, stdout and stderr.

        Its environment is that of this process with `changes`.
        """
        asked = {"command": list(command), "folder": str(Path.cwd()), "environment": os.environ | changes}
        read, write = os.pipe()
        try:
            with self._one_at_a_time:
                socket.send_fds(self._control, [json.dumps(asked).encode()], [*streams, write])
                answer = self._control.recv(16)
        finally:
            os.close(write)
        if not answer:
            os.close(read)
            raise AssertionError(SERVER_ENDED)
        return ForkedProcess(int(answer), read)

    def close(self) -> None:
        self._control.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@functools.cache
def _server(_pid: int) -> ForkServer:
    """The server of a process: one of a parent is not shared."""
    return ForkServer()


def start_forked(command: Sequence[str], output: int) -> ForkedProcess:
    """Runs a command of the installed program in a fork, with stdout and stderr to the descriptor `output`."""
    with Path(os.devnull).open("rb") as nothing:
        return _server(os.getpid()).start(command, (nothing.fileno(), output, output))


def run_forked(command: Sequence[str], given: str, changes: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    """Runs a command of the installed program in a fork to its end.

    `given` is its standard input, and its environment is that of this process with `changes`.
    """
    with TemporaryFile() as stdin, TemporaryFile() as stdout, TemporaryFile() as stderr:
        stdin.write(given.encode())
        stdin.seek(0)
        streams = (stdin.fileno(), stdout.fileno(), stderr.fileno())
        code = _server(os.getpid()).start(command, streams, changes).wait()
        stdout.seek(0)
        stderr.seek(0)
        return subprocess.CompletedProcess(command, code, stdout.read().decode(), stderr.read().decode())


class _Forks:
    """What the server knows of its forks."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        self._running: dict[int, tuple[int, int]] = {}
        """The process id of each fork and the pipe for its exit code, by the descriptor that tells of its end."""

    def serve(self) -> dict[str, Any] | None:
        """Forks as it is asked. Returns in each fork what was asked; `None` in the server, at its end."""
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor in self._running:
                    self._report(descriptor)
                    continue
                data, descriptors = self._received()
                if not data:
                    for pid, _ in self._running.values():
                        os.kill(pid, signal.SIGKILL)
                    return None
                if (asked := self._fork(json.loads(data), *descriptors)) is not None:
                    return asked

    def _received(self) -> tuple[bytes, list[int]]:
        """A request with its descriptors; empty when the process that asks has ended."""
        try:
            data, descriptors, *_ = socket.recv_fds(self._control, MOST_BYTES, 4)
        except ConnectionResetError:
            return b"", []  # It ended before it read an answer.
        return data, descriptors

    def _fork(self, asked: dict[str, Any], *descriptors: int) -> dict[str, Any] | None:
        *streams, status = descriptors
        pid = os.fork()
        if pid:
            for stream in streams:
                os.close(stream)
            ended = os.pidfd_open(pid)
            self._running[ended] = (pid, status)
            self._poll.register(ended, select.POLLIN)
            self._control.send(str(pid).encode())
            return None
        self._control.close()
        os.close(status)
        for ended, (_, other) in self._running.items():
            os.close(ended)
            os.close(other)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        return asked

    def _report(self, ended: int) -> None:
        pid, status = self._running.pop(ended)
        self._poll.unregister(ended)
        info = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert info is not None
        code = info.si_status if info.si_code == os.CLD_EXITED else -info.si_status
        with contextlib.suppress(BrokenPipeError):
            os.write(status, str(code).encode())
        # Only now: until its end is told, its number is nobody else's.
        os.waitpid(pid, 0)
        os.close(status)
        os.close(ended)


def _import_all() -> None:
    """Imports what a daemon imports until it serves its pages."""
    import daemon.app.run
    import daemon.system.config
    import daemon.web.server
    from engine.games import GAMES

    assert daemon
    assert list(GAMES.values())


def _serve(control: socket.socket) -> int:
    """Returns the exit code of this process: in a fork, the one of its command."""
    # Ctrl-C reaches every process of a terminal. The daemons' exit codes are still reported then.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # As `daemon.main` does. What is imported is collected in no fork.
    gc.disable()
    _import_all()
    from daemon.main import main

    gc.freeze()
    asked = _Forks(control).serve()
    if asked is None:
        return 0
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    time.tzset()
    sys.argv = asked["command"]
    sys.path[0] = str(Path(sys.argv[0]).parent)
    gc.enable()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return main()


if __name__ == "__main__":
    sys.exit(_serve(socket.socket(fileno=int(sys.argv[1]))))
