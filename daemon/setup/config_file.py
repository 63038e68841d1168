"""The configuration as `oche setup` writes it: its text, whose file it is, and what is done with it."""

import grp
import json
import os
import shutil
import socket
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.links.udev import own_rules
from daemon.system.config import ConfigFile, parse, split_secrets
from daemon.system.secret_addresses import read_secrets, secrets_path, without_secret
from daemon.system.secure_files import write_secret
from daemon.system.urls import UsageError, board_spec

HTTP_PORT: Final = 8080
OWN_RULES: Final = Path("/etc/udev/rules.d/71-oche-boards.rules")


@dataclass(frozen=True, slots=True)
class Ending:
    """What came of it: the file, whether the service was started with it, and where the pages are."""

    file: Path
    started: bool
    url: str
    shared: bool


def write_config(path: Path, config: ConfigFile, learnt: Path | None, *, is_system: bool) -> Ending:
    """Writes it, gives the service what it must read, and starts it anew where there is one."""
    for file in (learnt, None if learnt is None else learnt.parent):
        if file is not None and file.exists():
            # Whatever the umask: the service reads what its owner learned.
            file.chmod(0o755 if file.is_dir() else 0o644)
    _write(path, config)
    if is_system:
        _let_in(config)
    started = is_system and Path("/run/systemd/system").is_dir() and Path("/usr/bin/systemctl").exists()
    if started:
        subprocess.run(["systemctl", "restart", "oche.service"], check=False)
    return Ending(path, started, _address(config), shared=config.http is not None)


def toml_of(config: ConfigFile) -> str:
    """The text of a configuration file: strings of JSON are strings of TOML."""
    settled = config.model_dump(exclude_defaults=True)
    lines = ["# Written by `oche setup`; asked again, it keeps what you change here."]
    lines += [f"{key} = {json.dumps(value)}" for key, value in settled.items() if not isinstance(value, dict)]
    for table, values in settled.items():
        if isinstance(values, dict) and values:
            lines += ["", f"[{table}]", *(f"{name} = {json.dumps(text)}" for name, text in values.items())]
    return "\n".join(lines) + "\n"


def keep_secrets_apart(path: Path) -> bool:
    """Moves the passwords of a configuration into its file of secrets, and lets everybody read the rest.

    What the owner wrote otherwise stays, comments too. False where that cannot be done, and nothing was changed; then
    the file stays closed to others.
    """
    text = path.read_text(encoding="utf-8")
    try:
        config = parse(text, str(path))
        kept = dict(read_secrets(path))
    except UsageError:
        return False
    plain, secrets = split_secrets(config)
    for short, whole in secrets.items():
        for written in (json.dumps(whole), f"'{whole}'", json.dumps(whole, ensure_ascii=False)):
            text = text.replace(written, json.dumps(short))
    if parse(text, str(path)) != plain or any(without_secret(line) != line for line in text.splitlines()):
        return False
    if secrets:
        _put(secrets_path(path), _secrets_text(kept | secrets), 0o640)
    _put(path, text, 0o644)
    return True


def _write(path: Path, config: ConfigFile) -> None:
    """The configuration for everybody to read, its passwords for the service alone. Passwords first: a power cut
    between the two leaves none out."""
    plain, secrets = split_secrets(config)
    path.parent.mkdir(parents=True, exist_ok=True)
    if secrets:
        _put(secrets_path(path), _secrets_text(secrets), 0o640)
    _put(path, toml_of(plain), 0o644)
    if not secrets:
        secrets_path(path).unlink(missing_ok=True)


def _secrets_text(secrets: Mapping[str, str]) -> str:
    lines = [
        "# Addresses of the configuration with their passwords. The service reads it, and nobody else.",
        "",
        "[addresses]",
    ]
    return (
        "\n".join([*lines, *(f"{json.dumps(short)} = {json.dumps(whole)}" for short, whole in secrets.items())]) + "\n"
    )


def _put(path: Path, text: str, mode: int) -> None:
    """Puts a new file in the place of the old one at once; never readable for more than `mode` says.

    As root it belongs to root and the group `oche`, where there is one: 0640 is readable for the service.
    """
    write_secret(path, text)
    if os.geteuid() == 0:
        try:
            os.chown(path, 0, grp.getgrnam("oche").gr_gid if mode == 0o640 else 0)
        except KeyError:
            # No service is installed: for root alone.
            mode = mode if mode != 0o640 else 0o600
    elif mode == 0o640:
        mode = 0o600
    path.chmod(mode)


def _let_in(config: ConfigFile) -> None:
    """The service may open the boards that are USB devices, and is started by them, also when they come again."""
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


def _address(config: ConfigFile) -> str:
    """Where the pages are, as one types it; the name is announced from now on."""
    if config.http is None:
        return f"http://localhost:{HTTP_PORT}"
    if Path("/run/systemd/system").is_dir() and shutil.which("avahi-publish-address"):
        subprocess.run(["systemctl", "enable", "--now", "--quiet", "oche-name.service"], check=False)
        return f"http://oche.local:{HTTP_PORT}"
    return f"http://{socket.gethostname().split('.')[0]}.local:{HTTP_PORT}"
