"""`oche doctor`: looks for what often goes wrong, and says what to do. It changes nothing."""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Final

from daemon.doctor.bed_checks import beds
from daemon.doctor.bluetooth_checks import bluetooth
from daemon.doctor.board_checks import boards
from daemon.doctor.broker_checks import broker, same_node_name
from daemon.doctor.call_checks import calls
from daemon.doctor.findings import Finding, Seen, Trouble, Unseen
from daemon.doctor.hall_checks import hall
from daemon.doctor.machine import Machine, daemons_user
from daemon.doctor.machine_checks import clock, disk, power
from daemon.doctor.port_checks import busy, modem_manager, rights
from daemon.doctor.program_checks import daemon, packages, passwords
from daemon.doctor.running_daemon import look
from daemon.system.colours import Colour, painted
from daemon.system.config import SERVICE_DATA, SYSTEM_FILE, Settings, default_data, load_settings
from daemon.system.data_directory import has_journal
from daemon.system.exit_codes import Exit
from engine import jsontext

CHECKS: Final[Mapping[str, Callable[[Machine], Iterator[Finding]]]] = {
    "the daemon runs, its pages and its broker answer": daemon,
    "no password can be read by everybody": passwords,
    "no other package has the name of one of oche's": packages,
    "the ports may be opened": rights,
    "no other program has a port": busy,
    "ModemManager leaves the boards alone": modem_manager,
    "the Bluetooth adapter can be used": bluetooth,
    "the boards stay awake, are understood, and none of their beds is stuck": boards,
    "each bed is hit as often as the players' hands say": beds,
    "boards that call can do so": calls,
    "the power is enough": power,
    "there is room for matches": disk,
    "the broker answers": broker,
    "no other oche at the broker has this node name": same_node_name,
    "the hall takes what is played": hall,
    "the clock has the time": clock,
}
"""The checks by their titles, in the order in which they are made."""


def doctor(arguments: argparse.Namespace) -> int:
    """Makes all checks. Returns exit code 1 if one found something wrong."""
    troubles: list[Trouble] = []
    settings = _settings(arguments)
    root = Path(arguments.root)
    user = daemons_user(arguments.user)
    config = Path(arguments.config) if arguments.config else SYSTEM_FILE
    names_data = arguments.data is not None or settings.data not in (default_data().absolute(), SERVICE_DATA)
    machine = Machine(settings, root, user, arguments.seconds, look(settings, root), config, names_data)
    for title, check in CHECKS.items():
        found = list(check(machine))
        troubles += [finding for finding in found if isinstance(finding, Trouble)]
        if not arguments.json:
            _print(title, found)
    if arguments.json:
        print(jsontext.dump([asdict(trouble) for trouble in troubles]))
    return Exit.FAILED if troubles else Exit.DONE


def _settings(arguments: argparse.Namespace) -> Settings:
    """Returns the settings of the daemon; without `--data`, its data directory is found as other commands find it."""
    settings = load_settings(
        arguments.config, arguments.board, arguments.broker, arguments.http, arguments.data, None, encrypts=False
    )
    if (
        arguments.data is None
        and settings.data == default_data().absolute()
        and not has_journal(settings.data)
        and SERVICE_DATA.is_dir()
    ):
        return settings.model_copy(update={"data": SERVICE_DATA})
    return settings


def _print(title: str, found: list[Finding]) -> None:
    """Prints one check: `ok` if everything is well, `--` if something could not be looked at, `no` if it is wrong."""
    is_wrong = any(isinstance(finding, Trouble) for finding in found)
    is_unseen = any(isinstance(finding, Unseen) for finding in found)
    mark: str
    colour: Colour
    mark, colour = ("no", "red") if is_wrong else ("--", "yellow") if is_unseen else ("ok", "green")
    print(f"{painted(mark, colour)}  {title}")
    for finding in found:
        match finding:
            case Trouble(_, wrong, do):
                print(f"      {wrong}\n      -> {do}")
            case Unseen(why):
                print(f"      not looked at: {why}")
            case Seen(what):
                print(f"      {what}")
    sys.stdout.flush()
