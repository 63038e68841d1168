"""Opens the link to a board by its address: a serial port, the network, a recording, USB, a keyboard.

Every link ends with `Disconnected`. `supervisor.py` keeps a board connected; the virtual board's link is in
`simulator.py`.
"""

import asyncio
import json
import termios
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import serial
import serial_asyncio_fast

from boards.board import Board, Gatt, ReportLayout
from daemon.links.board_ports import BoardPorts
from daemon.links.link import Chunk, Disconnected, Link, chunk
from daemon.links.serial_port import SerialPort
from daemon.links.serial_ports import Unsure, find, serial_ports
from daemon.links.unread import QueuedLink, Unread
from daemon.system.error_text import error_text, reason
from daemon.system.urls import BoardUrl, UsageError
from drivers.driver import Driver

NO_RIGHTS: Final = {
    "serial": "join the group that owns it: sudo usermod -aG dialout $USER",
    "keyboard": "join the group that owns it: sudo usermod -aG input $USER",
    "usb": "sudo oche setup gives it to the service, with a rule for udev",
}
"""How to get the right to open a device on Debian."""

UNTAKEN_BYTES: Final = 4096
"""How many bytes may wait for a board to read them, besides those that the system buffers. Beyond these, whole messages
are dropped until the board has read all of them: a late acknowledgement is worth nothing."""

RECORDING_BYTES: Final = 64 * 1024 * 1024
"""The largest recording that is replayed, because it is read at once. An evening has a hundredth of it."""
LONGEST_MS: Final = 1e12
"""The latest time in a recording: thirty years."""


class Receiver(QueuedLink, asyncio.Protocol):
    """The link of serial ports and sockets: queues what arrives with its time, and writes to the board."""

    def __init__(self, port: SerialPort | None = None) -> None:
        """`port`: the serial port, if the link is one."""
        self._port = port
        self._transport: Any = None
        self._unread = Unread(self._pause, self._resume)
        self._takes = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._unread.put(chunk(data))

    def connection_lost(self, exc: Exception | None) -> None:
        message = "The board went away." if exc is None else f"The board went away: {error_text(exc)}."
        self._unread.end(Disconnected("gone", message))

    def write(self, data: bytes) -> bool:
        waiting = self._transport.get_write_buffer_size()
        self._takes = waiting == 0 or (self._takes and waiting + len(data) <= UNTAKEN_BYTES)
        if self._takes:
            self._transport.write(data)
        return self._takes

    def set_baud(self, baud: int) -> None:
        """Changes the speed of an open serial port: opening it again would reset many boards."""
        try:
            self._transport.serial.baudrate = baud
        except (OSError, ValueError, termios.error) as error:
            raise Disconnected("unreachable", f"The port cannot be set to {baud} baud: {error_text(error)}.") from error

    def close(self) -> None:
        # The library fails if a transport that is closing is aborted. But with unwritten data it does not close by
        # itself, and a board that is gone never reads that data.
        if not self._transport.is_closing() or self._transport.get_write_buffer_size() > 0:
            self._transport.abort()
            # The library closes the port later, in a thread. Until then it is taken for whoever opens it next.
            if self._port is not None:
                self._port.close()

    def _pause(self) -> None:
        self._transport.pause_reading()

    def _resume(self) -> None:
        self._transport.resume_reading()


class Recording:
    """A recording, at its own pace, or with `?pace=0` without pauses; arrival times are always the recorded ones."""

    def __init__(self, path: str, pace: float) -> None:
        self._pieces = _at_their_pace(read_recording(Path(path)), pace)

    async def read(self) -> Chunk:
        try:
            return await anext(self._pieces)
        except StopAsyncIteration:
            raise Disconnected("ended", "The recording is over.", final=True) from None

    def write(self, data: bytes) -> bool:
        """Drops the bytes: a recording takes none."""
        return True

    def close(self) -> None:
        """Does nothing: the file is closed already."""


async def open_board(url: BoardUrl, board: Board, driver: Driver, ports: BoardPorts | None = None) -> Link:
    """Opens the link to a board of a known model; `ports` are as in `open_link`."""
    return await open_link(url, board.baud or driver.baud, board.report, board.gatt, ports)


async def open_link(
    url: BoardUrl,
    baud: int,
    layout: ReportLayout | None = None,
    gatt: Gatt | None = None,
    ports: BoardPorts | None = None,
) -> Link:
    """Opens the link to a board: `layout` is for USB, `gatt` for Bluetooth; `ports` are those at which boards call, if
    some may be open already.

    Raises Disconnected if it cannot be opened now, UsageError if it never can.
    """
    try:
        match url.scheme:
            case "serial":
                return await _open_serial(url, int(url.number("baud", baud)))
            case "tcp":
                host, _, port = url.place.rpartition(":")
                _, receiver = await asyncio.get_running_loop().create_connection(Receiver, host.strip("[]"), int(port))
                return receiver
            case "replay":
                return Recording(url.place, url.number("pace", 1.0))
            case "usb":
                from daemon.links.usb_device import open_usb

                return await open_usb(url, layout or ReportLayout())
            case "ble":
                from daemon.links.bluetooth import open_bluetooth

                return await open_bluetooth(url, gatt)
            case "keyboard":
                from daemon.links.keyboard import KeyboardLink

                return KeyboardLink(url)
            case "listen":
                return await (ports or BoardPorts()).open(url)
            case "mqtt":
                raise UsageError(f"The daemon alone reads {url.shown}: mosquitto_sub -t {url.place} shows it.")
    except FileNotFoundError as error:
        raise Disconnected("missing", f"{url.place} is not there; is the board plugged in?") from error
    except PermissionError as error:
        message = f"There is no right to open {url.place}; {NO_RIGHTS.get(url.scheme, NO_RIGHTS['serial'])}."
        raise Disconnected("no-rights", message) from error
    except (OSError, termios.error, UnicodeError) as error:
        # A port that is unplugged during setup raises termios.error; a strange host name raises UnicodeError.
        raise Disconnected("unreachable", f"{url.shown} cannot be opened: {reason(error)}.") from error
    raise UsageError(f"{url.text} is the virtual board, which is inside a daemon: there is no line to listen at.")


async def _open_serial(url: BoardUrl, baud: int) -> Receiver:
    try:
        # Looked up each time: a board that was plugged in again has another path and the same identity.
        path = find(url.place, serial_ports())
        port = SerialPort(path, baudrate=baud, exclusive=True)
        receiver = Receiver(port)
        transport = serial_asyncio_fast.SerialTransport(asyncio.get_running_loop(), receiver, port)
    except Unsure as error:
        raise Disconnected("tie", str(error)) from error
    except serial.SerialException as error:
        if error.errno in (2, 6, 19):
            raise FileNotFoundError(url.place) from error
        if error.errno in (1, 13):
            raise PermissionError(url.place) from error
        if error.errno == 11 or "exclusively lock" in str(error):
            message = f"Another program has {url.place} open; close it (ModemManager is often the one)."
            raise Disconnected("busy", message) from error
        raise Disconnected("unreachable", f"{url.place} cannot be opened: {error_text(error)}.") from error
    except ValueError as error:
        raise UsageError(f"{url.text}: {error}.") from error
    else:
        # The library calls this one turn of the loop later, and a board is greeted at once.
        receiver.connection_made(transport)
        return receiver


async def _at_their_pace(pieces: list[tuple[float, bytes]], pace: float) -> AsyncIterator[Chunk]:
    start_ns, wall_ns = time.monotonic_ns(), time.time_ns()
    for at_ms, data in pieces:
        after_ns = int(at_ms * 1_000_000)
        if pace > 0:
            await asyncio.sleep(max(0.0, (start_ns + after_ns / pace - time.monotonic_ns()) / 1e9))
        yield Chunk(data, start_ns + after_ns, wall_ns + after_ns)


def read_recording(path: Path) -> list[tuple[float, bytes]]:
    """Returns the pieces of a recording: ms from its start, and bytes. Raises Disconnected if the file is not one."""
    if path.exists() and not path.is_file():
        # Opening a pipe would block the daemon; reading a device may never end.
        raise Disconnected("bad-recording", f"{path} is not a recording: it is not a file.", final=True)
    if path.exists() and path.stat().st_size > RECORDING_BYTES:
        raise Disconnected(
            "bad-recording", f"{path} is larger than {RECORDING_BYTES // 1024**2} MiB: replay a part of it.", final=True
        )
    try:
        first, *lines = path.read_text(encoding="utf-8").splitlines()
        if json.loads(first)["recording"] != 1:
            raise ValueError("its version is not known")
        pieces = [json.loads(line) for line in lines]
        found = [(float(piece["at_ms"]), bytes.fromhex(piece["hex"])) for piece in pieces if "hex" in piece]
        if not all(0 <= at_ms <= LONGEST_MS for at_ms, _ in found):
            raise ValueError("a time in it is out of range")
    except OSError:
        raise
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Disconnected("bad-recording", f"{path} is not a recording: {error_text(error)}.", final=True) from error
    else:
        return found
