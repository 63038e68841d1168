"""What can be seen of a machine without changing it: its serial ports, who has them, and whether a broker answers.

A machine's files are looked up below a root directory, so that a folder can stand for one that is broken.
"""

import grp
import os
import pwd
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.doctor.running_daemon import Running
from daemon.links.discovery import look
from daemon.system.config import Settings
from daemon.system.error_text import error_text
from daemon.system.urls import BROKER_PORTS, BoardSpec, BrokerUrl, UsageError

ANSWER_SECONDS: Final = 3.0


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that is wrong: `check` names it for programs, the others are sentences."""

    check: str
    wrong: str
    do: str


@dataclass(frozen=True, slots=True)
class Unseen:
    """What a check could not look at, in a sentence that says why: no trouble, and not well either."""

    why: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What a check saw that is well, in a sentence."""

    what: str


@dataclass(frozen=True, slots=True)
class Machine:
    """What is looked at. `user` is who the daemon runs as, `seconds` how long boards are heard."""

    settings: Settings
    root: Path
    user: str
    seconds: float
    running: Running
    config: Path
    """The configuration file, which may be missing."""
    names_data: bool
    """Somebody has named the data directory: where nothing was played yet, another one may be missing."""

    def daemon_runs(self) -> bool:
        """Whether somebody holds the lock of the journal, as far as this user may see it."""
        return self.running.has_lock is True

    def sees_all(self) -> bool:
        """Whether other users' programs show what they have open."""
        return os.geteuid() == 0 or self.root != Path("/")

    def ports(self) -> list[str]:
        """The serial ports that boards are configured at, and those of USB devices that are there."""
        named = [spec.url.place for spec in self.settings.boards if spec.url.scheme == "serial"]
        return list(dict.fromkeys([*named, *(device.device for device in look())]))

    def serial_boards(self) -> list[BoardSpec]:
        """The configured boards that say what they have to say at a port or on the network."""
        return [spec for spec in self.settings.boards if spec.url.scheme in ("serial", "tcp")]

    def processes(self) -> Iterator[tuple[int, str]]:
        """Those that run, by number and name."""
        for folder in sorted((self.root / "proc").glob("[0-9]*")):
            try:
                yield int(folder.name), (folder / "comm").read_text().strip()
            except OSError:
                continue  # It ended meanwhile.

    def holders(self, port: str) -> Iterator[tuple[int, str, bool]]:
        """Who has the device open, and whether it is the daemon. Without root, only one's own processes show."""
        device = str(Path(port).resolve())
        for pid, name in self.processes():
            folder = self.root / "proc" / str(pid)
            try:
                held = any(str(link.readlink()) == device for link in (folder / "fd").iterdir())
                words = (folder / "cmdline").read_bytes().split(b"\0") if held else []
            except OSError:
                continue
            if held and pid != os.getpid():
                yield pid, name, b"run" in words and any(word.endswith((b"/oche", b"daemon.main")) for word in words)

    def is_left_alone(self, port: str) -> bool:
        """udev has noted that ModemManager must keep away (format of /run/udev/data: systemd's sd-device)."""
        try:
            at = Path(port).stat().st_rdev
            noted = (self.root / f"run/udev/data/c{os.major(at)}:{os.minor(at)}").read_text()
        except OSError:
            return False
        return re.search(r"^E:ID_MM_(DEVICE|PORT)_IGNORE=1$", noted, re.MULTILINE) is not None


def daemons_user(named: str | None) -> str:
    """Who is asked about. Asked by root it is about the service, asked by anybody else about himself.

    UsageError where nobody has the name.
    """
    if named is not None:
        try:
            return pwd.getpwnam(named).pw_name
        except KeyError:
            raise UsageError(f"There is no user {named!r} on this machine.") from None
    if os.geteuid() == 0:
        try:
            return pwd.getpwnam("oche").pw_name
        except KeyError:
            return "root"
    return pwd.getpwuid(os.geteuid()).pw_name


def may_open(at: os.stat_result, user: str) -> bool:
    """Whether a user may read and write a file, by its mode."""
    who = pwd.getpwnam(user)
    if who.pw_uid == 0:
        return True
    wanted = 0o6
    if at.st_uid == who.pw_uid:
        return (at.st_mode >> 6) & wanted == wanted
    if at.st_gid in os.getgrouplist(user, who.pw_gid):
        return (at.st_mode >> 3) & wanted == wanted
    return at.st_mode & wanted == wanted


def group_name(gid: int) -> str:
    """A group's name, or its number where it has none."""
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return str(gid)


def unanswered(broker: BrokerUrl) -> str | None:
    """Why nobody takes connections at a broker's address, in a sentence; None where somebody does, or it has none."""
    if broker.scheme not in BROKER_PORTS or not broker.host:
        return None
    try:
        socket.create_connection((broker.host, broker.port), timeout=ANSWER_SECONDS).close()
    except OSError as error:
        return f"Nothing answers at {broker.host}:{broker.port}: {error_text(error)}."
    return None
