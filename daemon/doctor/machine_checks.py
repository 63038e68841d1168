"""Checks of the machine: its power, its disk and its clock."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from daemon.doctor.findings import Finding, Trouble, Unseen
from daemon.doctor.machine import Machine

FREE_BYTES: Final = 100 * 1024 * 1024
"""Free space below which a disk counts as nearly full. A year of darts every evening takes a tenth of it."""
BUILT: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""A clock before this time is wrong: the program did not exist."""
THROTTLED: Final = "sys/devices/platform/soc/soc:firmware/get_throttled"
"""What `vcgencmd get_throttled` prints, from the Raspberry Pi's kernel; its documentation has the bits."""
UNDER_VOLTAGE_NOW, UNDER_VOLTAGE_SINCE = 1 << 0, 1 << 16


def power(machine: Machine) -> Iterator[Finding]:
    """Under-voltage of a Raspberry Pi, which makes USB devices vanish and cards break."""
    try:
        bits = int((machine.root / THROTTLED).read_text().strip(), 16)
    except (OSError, ValueError):
        yield Unseen("only the kernel of a Raspberry Pi shows it.")
        return
    if bits & (UNDER_VOLTAGE_NOW | UNDER_VOLTAGE_SINCE):
        when = "now" if bits & UNDER_VOLTAGE_NOW else "at least once since it started"
        yield Trouble(
            "power",
            f"The Pi gets too little voltage ({when}).",
            "Use the Pi's own power supply with a short, thick cable, and a powered hub for the board.",
        )


def disk(machine: Machine) -> Iterator[Finding]:
    """A disk that is nearly full or read-only; a data directory that was named and is missing."""
    folder = machine.settings.data
    if machine.names_data and not folder.exists():
        wrong = f"There is no data directory {folder}: nothing was played there."
        yield Trouble("data", wrong, "Name the one of the daemon with --data; `oche run` makes it if it is missing.")
    while not folder.exists():
        folder = folder.parent
    about = os.statvfs(folder)
    if about.f_flag & os.ST_RDONLY:
        yield Trouble(
            "disk",
            f"{folder} cannot be written: its file system is read-only, as it becomes after an error on a card.",
            "Restart the machine; if it becomes read-only again, the card is worn out: copy it to a new one.",
        )
    elif (free := about.f_bavail * about.f_frsize) < FREE_BYTES:
        yield Trouble(
            "disk",
            f"{folder} has {free // 1024 // 1024} MB left; darts that cannot be written are not counted.",
            "sudo apt clean; sudo journalctl --vacuum-size=50M; large files: sudo du -xh / | sort -h | tail",
        )


def clock(machine: Machine) -> Iterator[Finding]:
    """A clock that was not set: a Pi has no battery for it."""
    now = datetime.now(UTC)
    wrong = now < BUILT
    runs = (machine.root / "run/systemd/timesync").is_dir()
    waits = runs and not (machine.root / "run/systemd/timesync/synchronized").exists()
    if wrong or waits:
        why = "no time server has set it since the machine started" if waits else "that is before this program was made"
        yield Trouble(
            "clock",
            f"The clock says {now:%Y-%m-%d %H:%M} UTC, and {why}.",
            "Is it on the network? timedatectl timesync-status shows it. Darts count, but with wrong dates.",
        )
    elif not runs:
        yield Unseen(f"no service here says whether the clock was set; it says {now:%Y-%m-%d %H:%M} UTC.")
