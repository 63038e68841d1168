"""The machine that `oche doctor` looks at: its settings, its serial ports and its processes.

Its files are looked up below a root directory, so that tests use a folder as a broken machine.
"""

import os
import pwd
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.doctor.running_daemon import Running
from daemon.links.discovery import look
from daemon.system.config import Settings
from daemon.system.urls import BoardSpec, UsageError

ANSWER_SECONDS: Final = 3.0


@dataclass(frozen=True, slots=True)
class Machine:
    """What the checks look at."""

    settings: Settings
    root: Path
    user: str
    """The user that the daemon runs as."""
    seconds: float
    """How long boards are listened to."""
    running: Running
    config: Path
    """The configuration file, which may be missing."""
    names_data: bool
    """Whether somebody has named the data directory. Only then is a missing one wrong."""

    def daemon_runs(self) -> bool:
        """Whether a program holds the lock of the data directory, as far as this user can see."""
        return self.running.has_lock is True

    def sees_all(self) -> bool:
        """Whether this user sees what other users' programs have open."""
        return os.geteuid() == 0 or self.root != Path("/")

    def ports(self) -> list[str]:
        """The serial ports of configured boards, and those of the USB devices that are plugged in."""
        named = [spec.url.place for spec in self.settings.boards if spec.url.scheme == "serial"]
        return list(dict.fromkeys([*named, *(device.device for device in look())]))

    def serial_boards(self) -> list[BoardSpec]:
        """The configured boards that the doctor can listen to itself: at a serial port or on the network."""
        return [spec for spec in self.settings.boards if spec.url.scheme in ("serial", "tcp")]

    def processes(self) -> Iterator[tuple[int, str]]:
        """The processes that run: number and name."""
        for folder in sorted((self.root / "proc").glob("[0-9]*")):
            try:
                yield int(folder.name), (folder / "comm").read_text().strip()
            except OSError:
                continue  # The process has ended.

    def holders(self, port: str) -> Iterator[tuple[int, str, bool]]:
        """The processes that have a device open: number, name, and whether it is the daemon.

        Without root, only processes of this user show.
        """
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
        """Whether udev tells ModemManager to leave a port alone (format of /run/udev/data: systemd's sd-device)."""
        try:
            device = Path(port).stat().st_rdev
            entry = (self.root / f"run/udev/data/c{os.major(device)}:{os.minor(device)}").read_text()
        except OSError:
            return False
        return re.search(r"^E:ID_MM_(DEVICE|PORT)_IGNORE=1$", entry, re.MULTILINE) is not None


def daemons_user(named: str | None) -> str:
    """Returns the user whose rights are checked: the one named, for root the service's, otherwise this one.

    UsageError if there is no user with the name.
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
