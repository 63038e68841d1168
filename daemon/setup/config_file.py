"""The end of `oche setup`: the configuration is written, and the service gets its rights and is restarted."""

import shutil
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.links.udev import own_rules
from daemon.system.config_parser import ConfigFile
from daemon.system.config_writer import write_config_file
from daemon.system.urls import BoardSpec, board_spec

HTTP_PORT: Final = 8080
OWN_RULES: Final = Path("/etc/udev/rules.d/71-oche-boards.rules")


@dataclass(frozen=True, slots=True)
class Ending:
    """The result of a first run."""

    file: Path
    started: bool
    """Whether the service was restarted with the file."""
    url: str
    """Where the pages are."""
    shared: bool
    """Whether other devices reach the pages."""


def boards_at(config: ConfigFile, place: str) -> list[str]:
    """Returns the names of the configured boards at a place, such as a port."""
    return [name for name, text in config.boards.items() if board_spec(f"{name}={text}").url.place == place]


def answered(before: ConfigFile, spec: BoardSpec | None, broker: str | None, *, is_shared: bool) -> ConfigFile:
    """Returns the configuration with the answers of a first run: the board `spec` instead of others at its place, the
    broker (None: the embedded one), and whether other devices may open the pages."""
    boards = dict(before.boards)
    if spec is not None:
        for name in boards_at(before, spec.url.place):
            del boards[name]
        boards[spec.name] = f"{spec.model}@{spec.url.text}"
    http = f"0.0.0.0:{HTTP_PORT}" if is_shared else None
    return before.model_copy(update={"boards": boards, "broker": broker, "http": http})


def write_config(path: Path, config: ConfigFile, learnt: Path | None, *, is_system: bool) -> Ending:
    """Writes a configuration; with `is_system` gives the service its rights and restarts it.

    `learnt`: a board file that must be readable for the service. OSError if a file cannot be written.
    """
    for file in (learnt, None if learnt is None else learnt.parent):
        if file is not None and file.exists():
            # Regardless of the umask.
            file.chmod(0o755 if file.is_dir() else 0o644)
    write_config_file(path, config)
    if is_system:
        _write_usb_rules(config)
    started = is_system and Path("/run/systemd/system").is_dir() and Path("/usr/bin/systemctl").exists()
    if started:
        subprocess.run(["systemctl", "restart", "oche.service"], check=False)
    return Ending(path, started, _pages_url(config), shared=config.http is not None)


def _write_usb_rules(config: ConfigFile) -> None:
    """Lets the service open the configured USB boards, and has udev start it when one is plugged in."""
    text = own_rules(board_spec(f"{name}={url}") for name, url in config.boards.items())
    if text is None:
        OWN_RULES.unlink(missing_ok=True)
        return
    OWN_RULES.parent.mkdir(parents=True, exist_ok=True)
    OWN_RULES.write_text(text, encoding="utf-8")
    OWN_RULES.chmod(0o644)
    for words in (("control", "--reload"), ("trigger", "--action=change", "--subsystem-match=usb")):
        if shutil.which("udevadm"):
            subprocess.run(["udevadm", *words], check=False)


def _pages_url(config: ConfigFile) -> str:
    """The address of the pages; starts announcing `oche.local` if other devices may open them."""
    if config.http is None:
        return f"http://localhost:{HTTP_PORT}"
    if Path("/run/systemd/system").is_dir() and shutil.which("avahi-publish-address"):
        subprocess.run(["systemctl", "enable", "--now", "--quiet", "oche-name.service"], check=False)
        return f"http://oche.local:{HTTP_PORT}"
    return f"http://{socket.gethostname().split('.')[0]}.local:{HTTP_PORT}"
