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
from importlib.metadata import version
from pathlib import Path
from typing import Final

import aiomqtt

from daemon.doctor import board_health
from daemon.doctor.machine import Machine, Seen, Trouble, Unseen, daemons_user, group_name, may_open, unanswered
from daemon.doctor.name_check import RENAME, name_conflict
from daemon.doctor.running_daemon import look, own_socket
from daemon.mqtt.broker import find_mosquitto
from daemon.mqtt.connection import visit
from daemon.system.colours import Colour, painted
from daemon.system.config import SERVICE_DATA, SYSTEM_FILE, Settings, default_data, settle
from daemon.system.data_directory import has_journal
from daemon.system.error_text import error_text
from daemon.system.exit_codes import Exit
from daemon.system.secret_addresses import without_secret
from daemon.system.urls import DEMO, EMBEDDED, BrokerUrl
from engine import jsontext

FREE_BYTES: Final = 100 * 1024 * 1024
"""Below it a card is nearly full. A year of darts every evening is a tenth of that."""
BUILT: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""Before this program was written nobody threw a dart with it: such a clock is wrong."""
THROTTLED: Final = "sys/devices/platform/soc/soc:firmware/get_throttled"
"""What `vcgencmd get_throttled` prints, as the Raspberry Pi's kernel shows it; bits as its documentation has them."""
UNDER_VOLTAGE_NOW, UNDER_VOLTAGE_SINCE = 1 << 0, 1 << 16


Finding = Trouble | Unseen | Seen


def doctor(arguments: argparse.Namespace) -> int:
    """Exit code 0: nothing was found; 1: something was, and each has a sentence and what to do."""
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
    """Those of the daemon that is asked about; its data is looked for where other commands look for it."""
    settings = settle(
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
    """One check: `ok` where all of it was looked at and is well, `--` where something could not be looked at."""
    is_ill = any(isinstance(finding, Trouble) for finding in found)
    is_blind = any(isinstance(finding, Unseen) for finding in found)
    mark: str
    colour: Colour
    mark, colour = ("no", "red") if is_ill else ("--", "yellow") if is_blind else ("ok", "green")
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


# ---------------------------------------------------------------------- the daemon


def daemon(machine: Machine) -> Iterator[Finding]:
    """11. A service that does not run, or in another version than the one installed; pages or broker without answer."""
    running, where = machine.running, f"{machine.settings.host}:{machine.settings.port}"
    if running.unit in ("failed", "inactive"):
        yield Trouble(
            "service",
            f"The service oche is installed and does not run ({running.unit}).",
            "journalctl -u oche -n 20   says why; sudo systemctl restart oche",
        )
    elif running.unit is not None:
        yield Seen(f"The service oche is {running.unit}.")
    if not running.runs:
        if running.unit is None:
            yield Unseen(f"no daemon runs with the data in {machine.settings.data}, and none answers at {where}.")
        return
    if running.pages is not None:
        wrong = f"The daemon runs, and its pages do not answer at {where}: {running.pages}."
        yield Trouble("pages", wrong, "Was it started with another --http? Tell the doctor the same.")
    else:
        yield Seen(f"The pages answer at {where}.")
    if running.bus is not None:
        wrong = f"The daemon runs, and its broker does not answer: {running.bus}."
        yield Trouble("daemon", wrong, "sudo systemctl restart oche")
        return
    installed = version("oche")
    node = running.node or machine.settings.node
    runs = running.nodes.get(node)
    if runs is None:
        yield Unseen(f"which version runs: the broker answers, and {node} is not online there for this user.")
    elif runs != installed:
        wrong = f"The daemon {node} runs oche {runs}, and {installed} is installed."
        yield Trouble("version", wrong, "sudo systemctl restart oche")
    else:
        yield Seen(f"The daemon {node} runs oche {runs}, and its broker answers.")


def passwords(machine: Machine) -> Iterator[Finding]:
    """12. A password in a configuration that everybody may read."""
    try:
        text, mode = machine.config.read_text(encoding="utf-8"), machine.config.stat().st_mode
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        yield Unseen(f"{machine.config}: {error_text(error)}.")
        return
    if mode & 0o004 and any(without_secret(line) != line for line in text.splitlines()):
        do = "sudo oche setup   moves it where the service alone reads it; whoever could read it may know it."
        yield Trouble("password", f"{machine.config} has a password in it, and every user may read it.", do)


# ---------------------------------------------------------------------- ports


def rights(machine: Machine) -> Iterator[Finding]:
    """1. A port that the daemon may not open."""
    if not machine.ports():
        yield NO_PORT
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


def busy(machine: Machine) -> Iterator[Finding]:
    """2. A port that another program has open."""
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
    """3. ModemManager writes to every new serial port to see whether it is a modem: to a board that is noise."""
    if not machine.ports():
        yield NO_PORT
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


def boards(machine: Machine) -> Iterator[Finding]:
    """4. A board that starts again and again. 5. A wrong speed. 10. A stuck bed."""
    if machine.running.runs:
        if machine.running.bus is not None:
            yield Unseen("the daemon has them, and its broker does not answer.")
            return
        http = BrokerUrl("ws", machine.settings.host, machine.settings.port, path="/mqtt")
        try:
            heard = asyncio.run(board_health.ask(own_socket(machine.settings.data) or http, machine.seconds))
        except (aiomqtt.MqttError, OSError) as error:
            yield Unseen(f"the daemon has them, and its broker does not answer: {error_text(error)}.")
            return
        if not heard:
            yield Unseen("the daemon shows no board.")
    else:
        held = [spec for spec in machine.serial_boards() if list(machine.holders(spec.url.place))]
        free = [spec for spec in machine.serial_boards() if spec not in held]
        for spec in held:
            yield Unseen(f"{spec.name}: another program has its port.")
        others = [spec.name for spec in machine.settings.boards if spec not in machine.serial_boards()]
        if others:
            yield Unseen(f"{', '.join(others)}: such a board is heard by a running daemon alone.")
        if not machine.settings.boards:
            yield Unseen("no board is configured, and no daemon runs that has found one.")
        heard = asyncio.run(board_health.listen(free, machine.seconds))
    for health in heard:
        yield from board_health.troubles(health)


# ---------------------------------------------------------------------- the machine


def power(machine: Machine) -> Iterator[Finding]:
    """6. A Pi that gets too little voltage: USB devices vanish and cards break."""
    try:
        bits = int((machine.root / THROTTLED).read_text().strip(), 16)
    except (OSError, ValueError):
        yield Unseen("only the kernel of a Raspberry Pi tells.")
        return
    if bits & (UNDER_VOLTAGE_NOW | UNDER_VOLTAGE_SINCE):
        when = "now" if bits & UNDER_VOLTAGE_NOW else "at least once since it was started"
        yield Trouble(
            "power",
            f"The Pi gets too little voltage ({when}).",
            "Use the power supply that was made for it and a short thick cable, and for the board a hub with its own.",
        )


def disk(machine: Machine) -> Iterator[Finding]:
    """7. A card that is full, or cannot be written; a data directory that was named and is not there."""
    there = machine.settings.data
    if machine.names_data and not there.exists():
        wrong = f"There is no data directory {there}: nothing was played there."
        yield Trouble("data", wrong, "Name the one of the daemon with --data; `oche run` makes it if it is missing.")
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


def broker(machine: Machine) -> Iterator[Finding]:
    """8. A broker that does not answer."""
    url = machine.settings.broker
    if url.scheme in (EMBEDDED, DEMO):
        if url.scheme == EMBEDDED and find_mosquitto() is None:
            yield Trouble(
                "broker", "mosquitto, the broker that oche starts, is not installed.", "sudo apt install mosquitto"
            )
        elif not machine.running.runs:
            yield Unseen("the daemon starts its own broker, and no daemon runs.")
        elif machine.running.bus is not None:
            yield Unseen(f"the daemon's own broker: {machine.running.bus}.")
        return
    why = unanswered(url)
    if why is None and machine.settings.unread:
        yield Unseen(
            f"{url.host} takes connections, and oche's password for it is not yours to read: sudo oche doctor."
        )
        return
    if (why := why or asyncio.run(_refused(url))) is not None:
        yield Trouble(
            "broker",
            why,
            "Is that machine on, and does its broker listen on the network (`listener 1883` in mosquitto.conf)? "
            "Without a broker line in /etc/oche/oche.toml, oche brings its own.",
        )


async def _refused(url: BrokerUrl) -> str | None:
    """Why a broker that takes connections does not take ours."""
    try:
        async with visit(url):
            return None
    except (aiomqtt.MqttError, OSError) as error:
        return f"The broker at {url.host or url.path} takes no connection of oche's: {error_text(error)}."


def clock(machine: Machine) -> Iterator[Finding]:
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
    elif not runs:
        yield Unseen(f"no service here says whether the clock was set; it says {now:%Y-%m-%d %H:%M} UTC.")


def namesake(machine: Machine) -> Iterator[Finding]:
    """11. Two daemons with one node name at one broker."""
    if (message := name_conflict(machine)) is not None:
        yield Trouble("name", message, RENAME)


NO_PORT: Final = Unseen("no board is configured at a port, and no device is plugged in that could be one.")

CHECKS: Final[dict[str, Callable[[Machine], Iterator[Finding]]]] = {
    "the daemon runs, its pages and its broker answer": daemon,
    "no password can be read by everybody": passwords,
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
