"""Checks of the ports at which boards call."""

import errno
import socket
from collections.abc import Iterator
from typing import Final

from daemon.doctor.findings import Finding, Trouble, Unseen
from daemon.doctor.machine import Machine
from daemon.system.call_address import WEAK, CallAddress, call_address
from daemon.system.error_text import error_text
from daemon.system.hosts import is_this_machine

ANSWER_SECONDS: Final = 3.0
EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
"""Where a port that is open at every address is reached from here."""


def calls(machine: Machine) -> Iterator[Finding]:
    """Ports that a running daemon does not have, or that another program has, and tokens that can be guessed."""
    boards = [spec for spec in machine.settings.boards if spec.url.scheme == "listen"]
    if not boards:
        yield Unseen("no board is configured that calls.")
    checked: set[tuple[str, int]] = set()
    for spec in boards:
        address = call_address(spec.url.place, spec.url.settings)
        if not isinstance(address, CallAddress):
            continue
        if address.token and len(address.token) < WEAK and not (is_this_machine(address.host) or address.allowed):
            yield Trouble(
                "weak-token",
                f"The token of the board {spec.name} has {len(address.token)} characters, and can be guessed.",
                "Make a long one, write it into the board's address and into its firmware: openssl rand -hex 16",
            )
        if (address.host, address.port) not in checked:
            checked.add((address.host, address.port))
            yield from _reached(spec.name, address) if machine.running.runs else _free(spec.name, address)


def _reached(name: str, address: CallAddress) -> Iterator[Finding]:
    host = EVERYWHERE.get(address.host, address.host)
    try:
        socket.create_connection((host, address.port), timeout=ANSWER_SECONDS).close()
    except OSError as error:
        yield Trouble(
            "call-port",
            f"The daemon runs, and nothing answers at {address.shown}, where the board {name} calls: "
            f"{error_text(error)}.",
            "Its log says why, or it was started without this board: restart it.",
        )


def _free(name: str, address: CallAddress) -> Iterator[Finding]:
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        yield Trouble(
            "call-port",
            f"The daemon cannot listen at {address.shown}, where the board {name} calls: {error_text(error)}.",
            f"Find the program that has the port: ss -ltnp 'sport = :{address.port}'   or give the board another one."
            if taken
            else "Give the board an address of this machine, like listen://0.0.0.0:8765?token=…",
        )
