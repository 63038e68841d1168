"""Checks of the serial ports: rights, other programs, ModemManager."""

import grp
import os
import pwd
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from daemon.doctor.findings import Finding, Trouble, Unseen
from daemon.doctor.machine import Machine

NO_PORT: Final = Unseen("no board is configured at a port, and no device is plugged in that could be one.")


def rights(machine: Machine) -> Iterator[Finding]:
    """Ports that are missing, or that the daemon's user may not open."""
    if not machine.ports():
        yield NO_PORT
    for port in machine.ports():
        try:
            device = Path(port).stat()
        except OSError:
            if port in [spec.url.place for spec in machine.settings.boards]:
                wrong = f"{port} is not there: the board is not plugged in, or its port has another name now."
                yield Trouble("missing", wrong, "`oche boards` lists what is plugged in, with names that stay.")
            continue
        if not _may_open(device, machine.user):
            group = _group_name(device.st_gid)
            yield Trouble(
                "rights",
                f"The user {machine.user} may not open {port}, which belongs to the group {group}.",
                f"sudo usermod -aG {group} {machine.user}   and restart the service, or log in again.",
            )


def busy(machine: Machine) -> Iterator[Finding]:
    """Ports that another program has open."""
    if not machine.ports():
        yield NO_PORT
    elif not machine.sees_all():
        yield Unseen("what other users' programs have open: sudo oche doctor sees it.")
    for port in machine.ports():
        for pid, name, ours in machine.holders(port):
            if not ours:
                yield Trouble(
                    "busy",
                    f"{port} is open in another program: {name} (process {pid}).",
                    f"Close it. If you do not know it: ps -fp {pid}",
                )


def modem_manager(machine: Machine) -> Iterator[Finding]:
    """ModemManager, which writes to every new serial port to find modems; a board takes that for noise."""
    if not machine.ports():
        yield NO_PORT
    runs = any(name == "ModemManager" for _, name in machine.processes())
    for port in machine.ports() if runs else ():
        if not machine.is_left_alone(port):
            yield Trouble(
                "modem-manager",
                f"ModemManager runs, and probes {port} as a modem whenever it is plugged in.",
                "sudo apt remove modemmanager   or, if you have a modem too: sudo oche install-service, whose rules "
                "keep it away from boards that say what they are.",
            )
            return


def _may_open(device: os.stat_result, user: str) -> bool:
    """Whether a user may read and write a file, by its mode."""
    entry = pwd.getpwnam(user)
    if entry.pw_uid == 0:
        return True
    wanted = 0o6
    if device.st_uid == entry.pw_uid:
        return (device.st_mode >> 6) & wanted == wanted
    if device.st_gid in os.getgrouplist(user, entry.pw_gid):
        return (device.st_mode >> 3) & wanted == wanted
    return device.st_mode & wanted == wanted


def _group_name(gid: int) -> str:
    """A group's name, or its number where it has none."""
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return str(gid)
