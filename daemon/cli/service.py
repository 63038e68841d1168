"""`oche install-service`: the daemon as a service that starts with the machine and when a board is plugged in.

For an installation with pipx or in an environment of one's own; the Debian
package brings the same files, made by this same code at other places.
"""

import argparse
import os
import pwd
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.links.udev import rules
from daemon.system.catalogue import models

CONFIG: Final = "oche.toml"
"""Its broker's address may have a password: the service's user alone reads it."""
PASSWORD: Final = re.compile(rb"//[^/@\s:]*:[^/@\s]+@")
"""An address with a password, as `mqtt://USER:PASSWORD@HOST`."""
UNITS: Final = ("oche.service", "oche-kiosk.service", "oche-name.service")
PACKAGED_PROGRAM: Final = "/usr/bin/oche"
HOMES: Final = ("/home", "/root", "/run/user")
USERS: Final = (("oche", "/var/lib/oche"), ("oche-kiosk", "/var/lib/oche-kiosk"))
GROUPS: Final = ("dialout", "input", "plugdev")
"""Serial ports, keyboards, other USB devices."""
PIPX: Final = "sudo PIPX_HOME=/opt/pipx PIPX_BIN_DIR=/usr/local/bin pipx install WHEEL"
"""In the place of WHEEL goes the file that `scripts/build-wheel` makes."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where the parts go: a package's are the distribution's, an owner's are the machine's own."""

    units: str = "etc/systemd/system"
    rules: str = "etc/udev/rules.d"
    avahi: str = "etc/avahi/services"
    config: str = "etc/oche"


PACKAGED: Final = Places(units="lib/systemd/system", rules="lib/udev/rules.d")


def install_service(arguments: argparse.Namespace) -> int:
    """Writes the files below `--root` and, on the machine itself, makes the users and starts the service."""
    program = arguments.program or shutil.which("oche") or sys.argv[0]
    problem = _problem(program, Path(arguments.root), packaged=arguments.packaged)
    if problem is not None and not arguments.dry_run:
        print(problem, file=sys.stderr)
        return 1
    root = Path(arguments.root)
    for path, text in files(program, PACKAGED if arguments.packaged else Places()).items():
        there = root / path
        if arguments.dry_run:
            print(f"--- /{path}\n{text}")
        elif there.name == CONFIG and there.exists():
            if PASSWORD.search(there.read_bytes()):
                there.chmod(0o600)
            print(f"kept    /{path}")
        else:
            # In a package the mode of the configuration is the package's to set, when there is a user to own it.
            secret = there.name == CONFIG and not arguments.packaged
            there.parent.mkdir(parents=True, exist_ok=True)
            there.touch(mode=0o600)
            there.chmod(0o600 if secret else 0o644)
            there.write_text(text, encoding="utf-8")
            print(f"written /{path}")
    if not arguments.packaged:
        code = _carry_out(act=not arguments.dry_run and root == Path("/"))
        if code:
            return code
    if problem is not None:
        print(problem, file=sys.stderr)
    return 0


def files(program: str, places: Places) -> dict[str, str]:
    """What is installed: the path below the root, and the text."""
    folder = source_folder()
    units = {f"{places.units}/{unit}": (folder / unit).read_text(encoding="utf-8") for unit in UNITS}
    found = {
        path: text.replace(f"ExecStart={PACKAGED_PROGRAM} ", f"ExecStart={program} ") for path, text in units.items()
    }
    found[f"{places.rules}/70-oche.rules"] = rules(models().values())
    found[f"{places.avahi}/oche.service"] = (folder / "oche.avahi").read_text(encoding="utf-8")
    found[f"{places.config}/oche.toml"] = (folder / "oche.toml").read_text(encoding="utf-8")
    return found


def source_folder() -> Path:
    """Where the texts are: inside the wheel, or beside the sources."""
    inside = Path(__file__).parents[1] / "systemd"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "systemd"


def commands() -> list[list[str]]:
    """What makes the users and wakes the service, as an owner would type it."""
    done = []
    for user, home in USERS:
        done.append(["useradd", "--system", "--user-group", "--home-dir", home, "--shell", "/usr/sbin/nologin", user])
    done += [["usermod", "--append", "--groups", ",".join(GROUPS), "oche"]]
    done += [["chown", "oche:", f"/{Places().config}/{CONFIG}"]]
    done += [["udevadm", "control", "--reload"], ["udevadm", "trigger", "--action=change"]]
    done += [["systemctl", "daemon-reload"], ["systemctl", "enable", "oche.service"]]
    return [*done, ["systemctl", "restart", "oche.service"]]


def _problem(program: str, root: Path, *, packaged: bool) -> str | None:
    """Why it would not work, with what to type."""
    where = Path(program).resolve()
    if not packaged and str(where).startswith(HOMES):
        return (
            f"The service cannot run {program}: it may not look into home directories, and {where} is in one. "
            f"Install its wheel for the whole machine: {PIPX}"
        )
    if root == Path("/") and os.geteuid() != 0:
        return f"This writes below /etc: type sudo {program} install-service"
    return None


def _carry_out(*, act: bool) -> int:
    for command in commands():
        if command[0] == "useradd" and act and _has_user(command[-1]):
            continue
        print(("" if act else "to do:  ") + " ".join(command))
        if act and (failed := subprocess.run(command, check=False).returncode):
            print(
                f"`{' '.join(command)}` failed with exit code {failed}; what came before it is done.", file=sys.stderr
            )
            return 1
    return 0


def _has_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True
