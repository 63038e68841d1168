"""The files of the mosquitto that oche brings along: its doors, and who may do what at each."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from daemon.owner import write_secret
from daemon.people.access import User, access_list, passwords
from daemon.urls import is_this_machine

MEMORY: Final = "mosquitto.db"
"""What it writes down of what it retains and of the sessions of its clients."""

ACCESS: Final = """\
topic read oche/#
topic read homeassistant/#
topic write oche/+/board/+/command
topic write oche/+/board/+/command/+
topic write homeassistant/status
"""

CONFIG: Final = """\
per_listener_settings true
persistence true
persistence_location {folder}/
autosave_interval 60
set_tcp_nodelay true
sys_interval 2
max_packet_size 131072
max_queued_messages 200
max_queued_bytes 4194304
memory_limit 100663296
persistent_client_expiration 1h
max_inflight_messages 100
max_keepalive 120
log_dest stderr
log_type error
{user}
listener 0 {folder}/daemon.sock
allow_anonymous true

listener 0 {folder}/pages.sock
allow_anonymous true
acl_file {folder}/access

listener 0 {folder}/guests.sock
allow_anonymous false
password_file {folder}/passwords
acl_file {folder}/roles

{program_port}"""

AT_THIS_MACHINE: Final = """\
listener {port} {host}
allow_anonymous true
acl_file {folder}/access
"""
"""The port for programs. Open to the network it is the daemon's, which bounds connections and guesses, and passes on to
`guests.sock`: mosquitto checks passwords on its only thread."""


@dataclass(frozen=True, slots=True)
class Tls:
    """The files that make a listener encrypted: the certificate with its chain, and its key."""

    certificate: Path
    key: Path


def write(folder: Path, host: str, port: int, node: str, users: Iterable[User]) -> Path:
    """Writes all of them; the path is the configuration's. OSError where that fails."""
    (folder / "access").write_text(ACCESS)
    write_users(folder, node, users)
    program_port = AT_THIS_MACHINE.format(folder=folder, host=host, port=port) if is_this_machine(host) else ""
    # Started as root it would change its user, and with that forget that it is to end with us.
    user = "user root\n" if os.geteuid() == 0 else ""
    config = folder / "mosquitto.conf"
    config.write_text(CONFIG.format(folder=folder, user=user, program_port=program_port))
    return config


def write_users(folder: Path, node: str, users: Iterable[User]) -> None:
    """Writes who may come in and what each may do: each file whole, for mosquitto may start at any moment."""
    users = tuple(users)
    write_secret(folder / "passwords", passwords(users))
    write_secret(folder / "roles", access_list(node, users))
