"""A broker as a child process of the daemon: restarted whenever it ends, and ended with the daemon."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
from pathlib import Path
from typing import Final

from daemon.mqtt import mosquitto
from daemon.system.child_process import SYSTEMD, end_process, ending_with_us
from daemon.system.lan_address import in_brackets
from daemon.system.log_text import foreign_line
from daemon.system.urls import BrokerUrl

log = logging.getLogger(__name__)

RESTART_SECONDS: Final = 0.5
READY_SECONDS: Final = 10.0
BEGIN_SECONDS: Final = 3.0
PROBE_SECONDS: Final = 3.0
"""Time between two checks that the broker answers."""
STOP_SECONDS: Final = 1.0
"""Time allowed for the end after SIGTERM."""
SILENT_SECONDS: Final = 4.0
"""Time allowed for an answer. A broker that misses two in a row is replaced: at most 12 s after it froze."""
HELLO: Final = b"\x10\x12\x00\x04MQTT\x04\x02\x00\x0a\x00\x06oche-p"
"""An MQTT 3.1.1 CONNECT with a clean session."""

NO_ACTION: Final = ("Warning:", "Info:", "Restored ")
"""What the lines have that need no action here: mosquitto runs as root, or, from version 2.1 on, read its store."""


class BrokerError(Exception):
    """The embedded broker cannot start; the text says why and what to do."""


class PortTakenError(BrokerError):
    """Another program listens at the broker's port."""

    def __init__(self, address: tuple[str, int]) -> None:
        host, port = address
        super().__init__(
            f"The embedded broker cannot listen at {in_brackets(host)}:{port}: the port is taken, or no port "
            "of this machine. Name another with --broker embedded://127.0.0.1:PORT."
        )


class BrokerProcess:
    """A broker process that is restarted whenever it ends, until it is stopped."""

    def __init__(
        self, command: list[str], door: BrokerUrl, address: tuple[str, int], pid_file: Path | None = None
    ) -> None:
        """`door` accepts connections once the broker is ready; `address` must be free before.

        With `pid_file` the broker is mosquitto, with its files in that folder: an orphan of a former run is ended."""
        self._door, self._address = door, address
        self._command = command
        self._pid_file = pid_file
        self._process: asyncio.subprocess.Process | None = None
        self._said: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Starts the broker for the first time. PortTakenError if its port stays taken.

        A port that a former run has just left can take a moment to be free.
        """
        if self._pid_file is not None:
            await _end_orphan(self._pid_file, self._command)
        end = asyncio.get_running_loop().time() + BEGIN_SECONDS
        while not _is_free(self._address):
            if asyncio.get_running_loop().time() > end:
                raise PortTakenError(self._address)
            await asyncio.sleep(RESTART_SECONDS)
        await self.start()
        # Taken between the look and the start: it would end again at every attempt of `keep`.
        if self._process is not None and self._process.returncode is not None and not _is_free(self._address):
            raise PortTakenError(self._address)

    async def start(self) -> None:
        """Starts the broker; returns when it accepts connections, has ended, or after `READY_SECONDS`. OSError."""
        if self._pid_file is not None:
            await _end_orphan(self._pid_file, self._command)
        self._process = process = await asyncio.create_subprocess_exec(
            *ending_with_us(self._command),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            # systemd watches the daemon: mosquitto would report its own state instead.
            env={name: value for name, value in os.environ.items() if name not in SYSTEMD},
            process_group=0,  # Ctrl-C in a terminal is for the daemon, which ends the broker last.
        )
        assert process.stderr is not None
        self._said = asyncio.create_task(pass_on(process.stderr))
        if self._pid_file is not None:
            # On a full disk there is no file, and a broker that outlives the daemon is not recognised.
            with contextlib.suppress(OSError):
                self._pid_file.write_text(str(process.pid))
        for _ in range(int(READY_SECONDS / 0.01)):
            if process.returncode is not None or await _answers(self._door):
                return
            await asyncio.sleep(0.01)

    async def keep(self) -> None:
        """Restarts the broker whenever it ends or stops answering."""
        while True:
            if self._process is not None:
                code = await self._end_of(self._process)
                log.warning("the broker ended with code %s; starting it again", code)
            await asyncio.sleep(RESTART_SECONDS)
            try:
                if self._pid_file is not None:
                    # Its stored state may be what ended it. The daemon publishes its retained states again, and
                    # clients subscribe again.
                    (self._pid_file.parent / mosquitto.MEMORY).unlink(missing_ok=True)
                await self.start()
            except OSError as error:
                if self._process is not None:
                    log.warning("the broker cannot be started: %s; trying again and again", error)
                self._process = None

    async def _end_of(self, process: asyncio.subprocess.Process) -> int:
        """Returns the exit code. Kills a broker that runs and does not answer, as after SIGSTOP."""
        ended = asyncio.create_task(process.wait())
        try:
            while not (await asyncio.wait({ended}, timeout=PROBE_SECONDS))[0]:
                # Twice: after a pause of this process the first wait times out before the answer is read.
                if await _is_silent(self._door) and await _is_silent(self._door):
                    log.warning("the broker does not answer; replacing it")
                    process.kill()
            return ended.result()
        finally:
            ended.cancel()

    def read_again(self) -> None:
        """Makes the broker read its password file and access list; it disconnects users that are gone."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal.SIGHUP)

    async def stop(self) -> None:
        """Ends the broker, by SIGTERM first: mosquitto then saves what it retains."""
        if self._process is not None:
            await end_process(self._process, STOP_SECONDS)


async def pass_on(said: asyncio.StreamReader) -> None:
    """Logs what the broker writes, as a warning unless it needs no action here: see `NO_ACTION`."""
    while True:
        try:
            line = await said.readline()
        except ValueError:
            # The line is too long. Reading goes on: a broker whose pipe is full stops.
            continue
        if not line:
            return
        text = foreign_line(line.decode(errors="replace").strip())
        log.log(logging.INFO if any(words in text for words in NO_ACTION) else logging.WARNING, "mosquitto: %s", text)


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
        _, writer = await _connect(url)
    except OSError:
        return False
    writer.close()
    return True


async def _connect(url: BrokerUrl) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if url.scheme == "unix":
        return await asyncio.open_unix_connection(url.path)
    return await asyncio.open_connection(url.host, url.port)


async def _is_silent(url: BrokerUrl) -> bool:
    """Whether a broker accepts a connection and then sends nothing. One that refuses or hangs up still works."""
    writer = None
    try:
        async with asyncio.timeout(SILENT_SECONDS):
            reader, writer = await _connect(url)
            writer.write(HELLO)
            await reader.read(1)
    except TimeoutError:
        return True
    except OSError:
        return False
    finally:
        if writer is not None:
            writer.close()
    return False


async def _end_orphan(pid_file: Path, command: list[str]) -> None:
    """Ends a broker of a former run that outlived its daemon, if its command line is exactly ours."""
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
