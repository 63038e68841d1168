"""What Bluetooth boards send: a notification for each bed, its length before it, and the loop that sends them.

Written from the sources' grammars, not from the decoders.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from tests.drivers import firmware
from tests.drivers.contacts import Cell, Contacts
from tests.drivers.firmware import Sent

DEAF_MS: Final = 60.0
"""How long these boards are thought to look at nothing else after a report."""


def notified(data: bytes) -> bytes:
    """A notification as the link passes it on."""
    return bytes([len(data)]) + data


def granboard(cell: Cell) -> bytes:
    row, col = cell
    return notified(f"{col}.{row}@".encode())


def dartslive_home(cell: Cell) -> bytes:
    row, col = cell
    return notified(bytes([0xA1, 3, 20 * row + col, 0, 0]))


def smartness(cell: Cell) -> bytes:
    row, col = cell
    return notified(bytes([20 * row + col]))


def unicorn(cell: Cell) -> bytes:
    row, col = cell
    return notified(bytes([col, row]))


_numbers = itertools.count(1)


def sdb_packet(code: bytes, sequence: int | None = None) -> bytes:
    """A packet, with the next sequence number unless one is given."""
    number = next(_numbers) if sequence is None else sequence
    return notified(number.to_bytes(4, "little") + b"\x05\x00" + code + bytes([sum(code) % 256]))


def sdb_bt(cell: Cell) -> bytes:
    row, col = cell
    return sdb_packet(bytes([row, col % 10, col // 10]))


ENCODERS: Final[dict[str, Callable[[Cell], bytes]]] = {
    "granboard": granboard,
    "dartslive-home": dartslive_home,
    "smartness": smartness,
    "unicorn": unicorn,
    "sdb-bt": sdb_bt,
}


def loop(encode: Callable[[Cell], bytes]) -> Callable[[Contacts, random.Random], Iterator[Sent]]:
    """Returns a firmware that notifies a contact when it closes, never while it is held."""

    def sends(contacts: Contacts, _rng: random.Random) -> Iterator[Sent]:
        for sent in firmware.says_each_edge(contacts, lambda cell: b"+%d,%d" % cell, DEAF_MS):
            row, col = map(int, sent.data[1:].split(b","))
            yield replace(sent, data=encode((row, col)), key=sent.data)

    return sends
