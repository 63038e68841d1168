"""Notifies systemd that the daemon is ready, alive or stopping; does nothing without systemd.

The protocol is a datagram to the socket named in NOTIFY_SOCKET; a library would be larger than this file. Source:
sd_notify(3).
"""

import os
import socket


def notify(state: str) -> None:
    """Sends one line, like `READY=1` or `WATCHDOG=1`."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
        try:
            out.sendto(state.encode(), "\0" + address[1:] if address.startswith("@") else address)
        except OSError:
            # systemd is gone.
            return


def watchdog_seconds() -> float | None:
    """Returns how often to send `WATCHDOG=1`: half of systemd's limit, as its manual advises; None without one."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    return int(microseconds) / 2e6 if microseconds.isdecimal() and int(microseconds) > 0 else None
