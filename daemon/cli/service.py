"""`oche install-service`: the daemon as a service that starts with the machine and when a board is plugged in.

It is for an installation with pipx or in a virtual environment. The Debian package has the same files at other places,
written by this same code.
"""

import argparse
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.links.udev import rules
from daemon.system.catalogue import models
from daemon.system.config_writer import set_mode
from daemon.system.exit_codes import Exit
from daemon.system.keep_secrets import why_not_kept_apart
from daemon.system.secret_addresses import secrets_path

CONFIG: Final = "etc/oche/oche.toml"
UNITS: Final = ("oche.service", "oche-kiosk.service", "oche-name.service")
PACKAGED_PROGRAM: Final = "/usr/bin/oche"
HOMES: Final = ("/home", "/root", "/run/user")
USERS: Final = (("oche", "/var/lib/oche"), ("oche-kiosk", "/var/lib/oche-kiosk"))
GROUPS: Final = ("dialout", "input", "plugdev")
"""Serial ports, keyboards, other USB devices."""
USER_COMMANDS: Final = (
    *(
        ("useradd", "--system", "--user-group", "--home-dir", home, "--shell", "/usr/sbin/nologin", user)
        for user, home in USERS
    ),
    ("usermod", "--append", "--groups", ",".join(GROUPS), "oche"),
)
START_COMMANDS: Final = (
    ("udevadm", "control", "--reload"),
    ("udevadm", "trigger", "--action=change"),
    ("systemctl", "daemon-reload"),
    ("systemctl", "enable", "oche.service"),
    ("systemctl", "restart", "oche.service"),
)
PIPX: Final = "sudo PIPX_HOME=/opt/pipx PIPX_BIN_DIR=/usr/local/bin pipx install WHEEL"
"""WHEEL stands for the file that `scripts/build-wheel` makes."""


@dataclass(frozen=True, slots=True)
class Places:
    """Folders of the files below the root: here those of a machine's owner."""

    units: str = "etc/systemd/system"
    rules: str = "etc/udev/rules.d"
    avahi: str = "etc/avahi/services"


PACKAGED: Final = Places(units="usr/lib/systemd/system", rules="usr/lib/udev/rules.d")
"""Folders of the files in a Debian package."""


def install_service(arguments: argparse.Namespace) -> int:
    """Writes the files below `--root` and, if that is `/`, creates the users and starts the service."""
    program = arguments.program or shutil.which("oche") or sys.argv[0]
    root, dry = Path(arguments.root), arguments.dry_run
    problem = _problem(program, root, packaged=arguments.packaged)
    if problem is not None and not dry:
        print(problem, file=sys.stderr)
        return Exit.FAILED
    for path, text in files(program, PACKAGED if arguments.packaged else Places()).items():
        if dry:
            print(f"--- /{path}\n{text}")
        elif path == CONFIG and (root / path).exists():
            print(f"kept    /{path}")
        else:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
            # Regardless of the umask.
            (root / path).chmod(0o644)
            print(f"written /{path}")
    if not arguments.packaged:
        act = root == Path("/") and not dry
        if not _carry_out(USER_COMMANDS, act=act):
            return Exit.FAILED
        # The users exist by now: the secrets file is for the service's group.
        _keep_passwords_apart(root / CONFIG, act=not dry)
        if not _carry_out(START_COMMANDS, act=act):
            return Exit.FAILED
    if problem is not None:
        print(problem, file=sys.stderr)
    return Exit.DONE


def files(program: str, places: Places) -> dict[str, str]:
    """Returns what is installed: the text of each file by its path below the root."""
    folder = source_folder()
    units = {f"{places.units}/{unit}": (folder / unit).read_text(encoding="utf-8") for unit in UNITS}
    found = {
        path: text.replace(f"ExecStart={PACKAGED_PROGRAM} ", f"ExecStart={program} ") for path, text in units.items()
    }
    found[f"{places.rules}/70-oche.rules"] = rules(models().values())
    found[f"{places.avahi}/oche.service"] = (folder / "oche.avahi").read_text(encoding="utf-8")
    found[CONFIG] = (folder / "oche.toml").read_text(encoding="utf-8")
    return found


def source_folder() -> Path:
    """Returns the folder of the unit files: inside the wheel, or next to the sources."""
    inside = Path(__file__).parents[1] / "systemd"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "systemd"


def _problem(program: str, root: Path, *, packaged: bool) -> str | None:
    """Returns why the service would not work, with what to type; None if it would."""
    where = Path(program).resolve()
    if not packaged and str(where).startswith(HOMES):
        return (
            f"The service cannot run {program}: it has no access to home directories, and {where} is in one. "
            f"Install its wheel for the whole machine: {PIPX}"
        )
    if root == Path("/") and os.geteuid() != 0:
        return f"This writes below /etc: type sudo {program} install-service"
    return None


def _keep_passwords_apart(config: Path, *, act: bool) -> None:
    """Moves passwords of the configuration into the secrets file, as an upgrade of the Debian package does."""
    print(f"{'' if act else 'to do:  '}move passwords of {config} to {secrets_path(config).name}, if it has any")
    if not act:
        return
    # Closed until the passwords are moved, and for good if they cannot be.
    set_mode(config, 0o640)
    if (problem := why_not_kept_apart(config)) is not None:
        print(problem, file=sys.stderr)


def _carry_out(commands: Iterable[Sequence[str]], *, act: bool) -> bool:
    """Prints commands and, with `act`, runs them. Returns False, with a sentence on stderr, if one fails."""
    for command in commands:
        if command[0] == "useradd" and act and _has_user(command[-1]):
            continue
        print(("" if act else "to do:  ") + " ".join(command))
        if act and (code := subprocess.run(command, check=False).returncode):
            print(f"`{' '.join(command)}` failed with exit code {code}; what is above it is done.", file=sys.stderr)
            return False
    return True


def _has_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True
