"""Bytes to contacts: one file per dialect, no I/O, no clock.

`DRIVERS` is the explicit list of dialects. A file is imported when its dialect
is first asked for, so that a mistake in one does not take the others down.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final

from boards.board import Shape
from drivers.contract import Driver

_WHERE: Final[Mapping[str, tuple[str, str]]] = {
    "any-byte": ("drivers.any_byte", "DRIVER"),
    "any-line": ("drivers.any_line", "DRIVER"),
    "hundreds": ("drivers.hundreds", "DRIVER"),
    "hundreds-2": ("drivers.hundreds", "SECOND_FAMILY"),
    "json-segment": ("drivers.json_segment", "DRIVER"),
    "keyboard": ("drivers.keyboard", "DRIVER"),
    "number-ring": ("drivers.number_ring", "DRIVER"),
    "oche-matrix": ("drivers.oche_matrix", "DRIVER"),
    "ordinal": ("drivers.ordinal", "DRIVER"),
    "packed-nibble": ("drivers.packed_nibble", "DRIVER"),
    "row-col": ("drivers.row_col", "DRIVER"),
    "score-only": ("drivers.score_only", "DRIVER"),
    "sector-multiplier": ("drivers.sector_multiplier", "DRIVER"),
    "single-char": ("drivers.single_char", "DRIVER"),
    "suffix": ("drivers.suffix", "DRIVER"),
    "usb-bits": ("drivers.usb_report", "BITS"),
    "usb-codes": ("drivers.usb_report", "CODES"),
    "virtual": ("drivers.virtual", "DRIVER"),
}


class _Drivers(Mapping[str, Driver]):
    """The drivers by the name of their dialect."""

    def __getitem__(self, name: str) -> Driver:
        module, record = _WHERE[name]
        driver: Driver = getattr(import_module(module), record)
        return driver

    def __iter__(self) -> Iterator[str]:
        return iter(_WHERE)

    def __len__(self) -> int:
        return len(_WHERE)


DRIVERS: Final[Mapping[str, Driver]] = _Drivers()


def shapes() -> dict[str, Shape]:
    """What the checker of board files must know of each dialect."""
    return {name: driver.shape for name, driver in DRIVERS.items()}
