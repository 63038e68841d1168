"""Bytes to contacts: one file per dialect, no I/O, no clock."""

from collections.abc import Mapping
from typing import Final

from boards.board import Shape
from drivers import (
    any_byte,
    any_line,
    bed_number,
    granboard,
    hundreds,
    json_segment,
    keyboard,
    num_zone,
    number_ring,
    oche_matrix,
    ordinal,
    packed_nibble,
    row_col,
    score_only,
    sdb_bt,
    sector_multiplier,
    single_char,
    suffix,
    unicorn,
    usb_report,
    virtual,
)
from drivers.driver import Driver

DRIVERS: Final[Mapping[str, Driver]] = {
    driver.name: driver
    for driver in (
        any_byte.DRIVER,
        any_line.DRIVER,
        bed_number.DARTSLIVE_HOME,
        bed_number.SMARTNESS,
        granboard.DRIVER,
        hundreds.DRIVER,
        hundreds.SECOND_FAMILY,
        hundreds.PUBLISHED_CODES,
        json_segment.DRIVER,
        keyboard.DRIVER,
        num_zone.DRIVER,
        number_ring.DRIVER,
        oche_matrix.DRIVER,
        ordinal.DRIVER,
        packed_nibble.DRIVER,
        row_col.DRIVER,
        score_only.DRIVER,
        sdb_bt.DRIVER,
        sector_multiplier.DRIVER,
        single_char.DRIVER,
        suffix.DRIVER,
        unicorn.DRIVER,
        usb_report.BITS,
        usb_report.CODES,
        virtual.DRIVER,
    )
}
"""The dialects that come with the program, by name. Those of other packages are entry points of `oche.dialects`."""


def shapes(drivers: Mapping[str, Driver] = DRIVERS) -> dict[str, Shape]:
    """Returns what the checker of board files must know of each dialect."""
    return {name: driver.shape for name, driver in drivers.items()}
