"""A serial port whose writes and whose end never wait for the board.

pyserial's own `write` tries again for ever where the device takes nothing, and
`flush` waits until it has taken everything: both would hold up the event loop,
or the thread that ends the process, for a board that does not read.
"""

import os
import termios
from contextlib import suppress
from typing import TYPE_CHECKING

import serial

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class Port(serial.Serial):
    """Open and non-blocking, as pyserial opens every port on POSIX."""

    def write(self, b: "ReadableBuffer", /) -> int:
        """How many of the bytes the system took; BlockingIOError where it took none."""
        try:
            return os.write(self.fileno(), b)
        except BlockingIOError:
            raise
        except OSError as error:
            raise serial.SerialException(f"write failed: {error}") from error

    def flush(self) -> None:
        """Drops what the board has not taken: to wait for it could take for ever."""
        self._drop()

    def close(self) -> None:
        # The kernel waits up to 30 s in close(2) for what a device has not taken.
        if self.is_open:
            self._drop()
        super().close()

    def _drop(self) -> None:
        # A device that has gone has nothing to drop.
        with suppress(OSError, termios.error, serial.SerialException):
            self.reset_output_buffer()
