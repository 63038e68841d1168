"""`oche doctor`: looks for what goes wrong in living rooms, and says what to do. Changes nothing.

Every check gets the machine below a root directory, so that it can be tried
against a folder that looks like a broken machine.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import aiomqtt

from daemon.cli import board_health
from daemon.cli.machine import Machine, Trouble, daemons_user, group_name, may_open, unanswered
from daemon.cli.name_conflict import RENAME, name_conflict
from daemon.config import settle
from daemon.mqtt.broker import find_mosquitto
from daemon.urls import EMBEDDED
from engine import jsontext

FREE_BYTES: Final = 100 * 1024 * 1024
"""Below it a card is nearly full. A year of darts every evening is a tenth of that."""
BUILT: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""Before this program was written nobody threw a dart with it: such a clock is wrong."""
THROTTLED: Final = "sys/devices/platform/soc/soc:firmware/get_throttled"
"""What `vcgencmd get_throttled` prints, as the Raspberry Pi's kernel shows it; bits as its documentation has them."""
UNDER_VOLTAGE_NOW, UNDER_VOLTAGE_SINCE = 1 << 0, 1 << 16


def doctor(arguments: argparse.Namespace) -> int:
    """Exit code 0: nothing was found; 1: something was, and each has a sentence and what to do."""
    settings = settle(arguments.config, arguments.board, arguments.broker, arguments.http, arguments.data, None)
    machine = Machine(settings, Path(arguments.root), daemons_user(arguments.user), arguments.seconds)
    troubles: list[Trouble] = []
    for title, check in CHECKS.items():
        found = list(check(machine))
        troubles += found
        if not arguments.json:
            print(f"{'no' if found else 'ok':<4}{title}")
            for trouble in found:
                print(f"      {trouble.wrong}\n      -> {trouble.do}")
            sys.stdout.flush()
    if arguments.json:
        print(jsontext.dump([asdict(trouble) for trouble in troubles]))
    return 1 if troubles else 0


# ---------------------------------------------------------------------- ports


def rights(machine: Machine) -> Iterator[Trouble]:
    """1. A port that the daemon may not open."""
    for port in machine.ports():
        try:
            at = Path(port).stat()
        except OSError:
            if port in [spec.url.place for spec in machine.settings.boards]:
                wrong = f"{port} is not there: the board is not plugged in, or it is another port now."
                yield Trouble("missing", wrong, "`oche boards` lists what is plugged in, with names that stay.")
            continue
        if not may_open(at, machine.user):
            group = group_name(at.st_gid)
            yield Trouble(
                "rights",
                f"The user {machine.user} may not open {port}, which belongs to the group {group}.",
                f"sudo usermod -aG {group} {machine.user}   and restart the service, or log in again.",
            )


def busy(machine: Machine) -> Iterator[Trouble]:
    """2. A port that another program has open."""
    for port in machine.ports():
        for pid, name, ours in machine.holders(port):
            if not ours:
                yield Trouble(
                    "busy",
                    f"{port} is open in another program: {name} (process {pid}).",
                    f"Close it. If you do not know it: ps -fp {pid}",
                )


def modem_manager(machine: Machine) -> Iterator[Trouble]:
    """3. ModemManager writes to every new serial port to see whether it is a modem: to a board that is noise."""
    runs = any(name == "ModemManager" for _, name in machine.processes())
    for port in machine.ports() if runs else ():
        if not machine.is_left_alone(port):
            yield Trouble(
                "modem-manager",
                f"ModemManager runs, and tries {port} for a modem whenever it is plugged in.",
                "sudo apt remove modemmanager   or, if you have a modem too: sudo oche install-service, whose rules "
                "keep it away from boards that say what they are.",
            )
            return


# ---------------------------------------------------------------------- boards: 4, 5 and 10


def boards(machine: Machine) -> Iterator[Trouble]:
    """4. A board that starts again and again. 5. A wrong speed. 10. A stuck bed."""
    try:
        if machine.daemon_runs():
            http = (machine.settings.host, machine.settings.port)
            heard = asyncio.run(
                board_health.ask(board_health.daemon_door(machine.settings.data, http), machine.seconds)
            )
        else:
            free = [spec for spec in machine.serial_boards() if not list(machine.holders(spec.url.place))]
            heard = asyncio.run(board_health.listen(free, machine.seconds))
    except (aiomqtt.MqttError, OSError) as error:
        yield Trouble("daemon", f"The daemon runs and does not answer: {error}.", "sudo systemctl restart oche")
        return
    for health in heard:
        yield from board_health.troubles(health)


# ---------------------------------------------------------------------- the machine


def power(machine: Machine) -> Iterator[Trouble]:
    """6. A Pi that gets too little voltage: USB devices vanish and cards break."""
    try:
        bits = int((machine.root / THROTTLED).read_text().strip(), 16)
    except (OSError, ValueError):
        return
    if bits & (UNDER_VOLTAGE_NOW | UNDER_VOLTAGE_SINCE):
        when = "now" if bits & UNDER_VOLTAGE_NOW else "at least once since it was started"
        yield Trouble(
            "power",
            f"The Pi gets too little voltage ({when}).",
            "Use the power supply that was made for it and a short thick cable, and for the board a hub with its own.",
        )


def disk(machine: Machine) -> Iterator[Trouble]:
    """7. A card that is full, or cannot be written."""
    there = machine.settings.data
    while not there.exists():
        there = there.parent
    about = os.statvfs(there)
    if about.f_flag & os.ST_RDONLY:
        yield Trouble(
            "disk",
            f"{there} cannot be written: its file system is read-only, as it is after an error on a card.",
            "Restart the machine; if it comes again, the card is worn out: copy it to a new one.",
        )
    elif (free := about.f_bavail * about.f_frsize) < FREE_BYTES:
        yield Trouble(
            "disk",
            f"{there} has {free // 1024 // 1024} MB left; darts that cannot be kept are not counted.",
            "sudo apt clean; sudo journalctl --vacuum-size=50M   and look for more: sudo du -xh / | sort -h | tail",
        )


def broker(machine: Machine) -> Iterator[Trouble]:
    """8. A broker that does not answer."""
    url = machine.settings.broker
    if url.scheme == EMBEDDED:
        if find_mosquitto() is None:
            yield Trouble(
                "broker", "mosquitto, the broker that oche starts, is not installed.", "sudo apt install mosquitto"
            )
        return
    if (why := unanswered(url)) is not None:
        yield Trouble(
            "broker",
            why,
            "Is that machine on, and does its broker listen on the network (`listener 1883` in mosquitto.conf)? "
            "Without a broker line in /etc/oche/oche.toml, oche brings its own.",
        )


def clock(machine: Machine) -> Iterator[Trouble]:
    """9. A clock without time: a Pi has no battery, and begins where it was switched off."""
    now = datetime.now(UTC)
    wrong = now < BUILT
    runs = (machine.root / "run/systemd/timesync").is_dir()
    waits = runs and not (machine.root / "run/systemd/timesync/synchronized").exists()
    if wrong or waits:
        why = "no server has told it the time since it was started" if waits else "that is before this program was made"
        yield Trouble(
            "clock",
            f"The clock says {now:%Y-%m-%d %H:%M} UTC, and {why}.",
            "Is it on the network? timedatectl timesync-status tells. Darts count all the same; the dates are off.",
        )


def namesake(machine: Machine) -> Iterator[Trouble]:
    """11. Two daemons with one node name at one broker."""
    if (sentence := name_conflict(machine)) is not None:
        yield Trouble("name", sentence, RENAME)


CHECKS: Final[dict[str, Callable[[Machine], Iterator[Trouble]]]] = {
    "the ports may be opened": rights,
    "no other program has a port": busy,
    "ModemManager leaves the boards alone": modem_manager,
    "the boards stay awake, are understood, and none of their beds is stuck": boards,
    "the power is enough": power,
    "there is room for matches": disk,
    "the broker answers": broker,
    "no other oche at the broker has this node name": namesake,
    "the clock has the time": clock,
}
