"""What `oche flash` does with a serial port: locks it, and asks for a boot loader."""

import contextlib
import fcntl
import os

import serial

from daemon.system.exit_codes import Failed


def touch(port: str) -> None:
    """Opens a port at 1200 baud and closes it, which starts the boot loader of boards with a USB of their own."""
    print(f"Asking {port} for its boot loader …", flush=True)
    os.close(lock_port(port))
    # The port may vanish before it is closed.
    with contextlib.suppress(OSError), serial.Serial(port, 1200) as line:
        line.dtr = False


def lock_port(port: str) -> int:
    """Locks the port as our links do, so that no daemon opens it. Returns the file descriptor that holds the lock."""
    try:
        handle = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise Failed(f"{port} does not exist. `oche flash` without a port lists those that are.") from None
    except PermissionError:
        raise Failed(f"You may not open {port}: sudo usermod -aG dialout $USER, and log in again.") from None
    except OSError as error:
        raise Failed(f"{port} cannot be opened: {error.strerror}.") from None
    try:
        if not os.isatty(handle):
            raise Failed(f"{port} is not a serial port.")
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise Failed(f"Another program has {port} open, perhaps the oche service. Stop it first.") from None
    except Failed:
        os.close(handle)
        raise
    return handle
