"""A serial port that never waits for the board.

pyserial's own `write` retries forever if the device takes nothing, and `flush` waits until it has taken everything. A
board that does not read would block the event loop, or the thread that ends the process. Its `read` asks the system
first whether there is something to read, for each dart.
"""

import os
import select
import termios
from contextlib import suppress
from typing import TYPE_CHECKING

import serial

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class SerialPort(serial.Serial):
    """Open and non-blocking, as pyserial opens every port on POSIX."""

    def read(self, size: int = 1, /) -> bytes:
        """Returns what has arrived, `size` bytes at most. Raises SerialException if the device is gone."""
        try:
            data = os.read(self.fileno(), size)
            # A terminal that is gone always has nothing to read, and says that it can be read.
            is_gone = not data and bool(select.select([self.fileno()], [], [], 0)[0])
        except BlockingIOError:
            return b""
        except OSError as error:
            raise serial.SerialException(f"read failed: {error}") from error
        if is_gone:
            raise serial.SerialException("the device is gone, or another program reads from it")
        return data

    def write(self, b: "ReadableBuffer", /) -> int:
        """Returns how many of the bytes the system took. Raises BlockingIOError if it took none."""
        try:
            return os.write(self.fileno(), b)
        except BlockingIOError:
            raise
        except OSError as error:
            raise serial.SerialException(f"write failed: {error}") from error

    def flush(self) -> None:
        """Drops what the board has not taken: waiting could take forever."""
        self._drop()

    def close(self) -> None:
        # The kernel waits up to 30 s in close(2) for a device to take what was written.
        if self.is_open:
            self._drop()
        super().close()

    def _drop(self) -> None:
        # A device that is gone has nothing to drop.
        with suppress(OSError, termios.error, serial.SerialException):
            self.reset_output_buffer()
