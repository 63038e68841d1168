"""Dialect `any-byte`: whatever a board says in single bytes; its table has each byte as the character of its number.

Seen on: boards that `oche learn` was shown.
Wire: 9600 8N1 unless the board file says otherwise. Every byte can be a hit,
  0x0A and 0x0D too: that is the difference to `single-char`.
Timing: as the board file says, where it was measured: `repeat_ms`. Without it
  the same byte within 120 ms is a contact that rings.
Integrity: none: what is not in the table is dropped and counted.
Table: every board has its own; it is learnt.
Source: the grammar is what all boards of bytes have in common.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from boards.board import Can
from drivers.contract import Contact, Driver, Reject, Report, Timing


class AnyByte:
    """Bytes. The byte is the row; which bed it is the board's table says."""

    def feed(self, data: bytes, at_ns: int) -> tuple[Report, ...]:
        return tuple(Contact(byte, 0, True, at_ns) for byte in data)

    def reset(self) -> None:
        """Nothing is ever begun."""

    @property
    def rejects(self) -> Mapping[Reject, int]:
        return Counter()

    @property
    def pending(self) -> int:
        return 0


DRIVER: Final = Driver(
    name="any-byte",
    summary="any bytes, by a table that was learnt",
    decoder=AnyByte,
    can=Can(ring=True, inner_outer=True),
    timing=Timing(rebound_ms=120.0, boot_ms=2500.0, hides="nothing"),
    rows=256,
    cols=1,
    characters=True,
    baud=9600,
    hello=b"",
    says={},
)
