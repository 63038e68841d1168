"""The files of the embedded mosquitto: its listeners, and who may do what at each."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from daemon.people.access import User, access_list, passwords
from daemon.system.secure_files import write_secret
from daemon.system.urls import is_this_machine

MEMORY: Final = "mosquitto.db"
"""File in which mosquitto keeps retained messages and the sessions of its clients."""

ACCESS: Final = """\
topic read oche/#
topic read homeassistant/#
topic write oche/+/board/+/command
topic write oche/+/board/+/command/+
topic write homeassistant/status
"""

SETTINGS: Final = """\
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
{user}"""

LISTENERS: Final = """
per_listener_settings true
{program_port}
listener 0 {folder}/daemon.sock
allow_anonymous true

listener 0 {folder}/pages.sock
{this_machine}

listener 0 {folder}/guests.sock
{network}
"""
"""For mosquitto 2.0. Later versions deprecate `per_listener_settings`, and mosquitto 3.0 removes it.

The port comes first, here and below: the daemon takes a broker as started when it connects at `daemon.sock`, and one
that cannot have its port must end before that.
"""

THIS_MACHINE: Final = """\
allow_anonymous true
acl_file {folder}/access"""

NETWORK: Final = """\
allow_anonymous false
password_file {folder}/passwords
acl_file {folder}/roles"""

PLUGIN_LISTENERS: Final = """
plugin_load access {plugins}/mosquitto_acl_file.so
plugin_opt_acl_file {folder}/access
plugin_load roles {plugins}/mosquitto_acl_file.so
plugin_opt_acl_file {folder}/roles
plugin_load passwords {plugins}/mosquitto_password_file.so
plugin_opt_password_file {folder}/passwords

{program_port}
listener 0 {folder}/daemon.sock
listener_allow_anonymous true

listener 0 {folder}/pages.sock
{this_machine}

listener 0 {folder}/guests.sock
{network}
"""
"""For mosquitto 2.1 and later: a plugin checks only the listeners that use it. mosquitto 2.0 has no such plugins."""

PLUGIN_THIS_MACHINE: Final = """\
listener_allow_anonymous true
plugin_use access"""

PLUGIN_NETWORK: Final = """\
listener_allow_anonymous false
plugin_use passwords
plugin_use roles"""

PLUGIN_FILES: Final = ("mosquitto_acl_file.so", "mosquitto_password_file.so")

PROGRAM_PORT: Final = """\
listener {port} {host}
{this_machine}
"""
"""The port for programs. If it is open to the network, the daemon listens instead, bounds connections and password
guesses, and forwards to `guests.sock`: mosquitto checks passwords on its only thread."""


def find_plugins(program: str) -> Path | None:
    """Returns the folder with the access plugins that belong to a mosquitto program; `None` for mosquitto 2.0.

    The files are looked for instead of asking the program for its version: that would start a process at each start
    of the daemon.
    """
    prefix = Path(program).resolve().parent.parent
    for folder in sorted((*prefix.glob("lib*/mosquitto"), *prefix.glob("lib*/*/mosquitto"))):
        if all((folder / file).is_file() for file in PLUGIN_FILES):
            return folder
    return None


def write(
    folder: Path,
    host: str,
    port: int,
    node: str,
    users: Iterable[User],
    plugins: Path | None = None,
    topics: Mapping[str, str] = MappingProxyType({}),
) -> Path:
    """Writes all files and returns the path of the configuration. OSError.

    `plugins` is what `find_plugins` found; `topics` are those at which boards publish, by board.
    """
    # Not for other users to read: mosquitto 2.1 warns about it, and later versions refuse to load such a file.
    (folder / "access").touch(mode=0o600)
    (folder / "access").chmod(0o600)
    (folder / "access").write_text(ACCESS + "".join(f"topic write {topic}\n" for topic in topics.values()))
    write_users(folder, node, users, topics)
    this_machine, network = (THIS_MACHINE, NETWORK) if plugins is None else (PLUGIN_THIS_MACHINE, PLUGIN_NETWORK)
    this_machine, network = this_machine.format(folder=folder), network.format(folder=folder)
    here = is_this_machine(host)
    program_port = PROGRAM_PORT.format(port=port, host=host, this_machine=this_machine) if here else ""
    # Started as root it would change its user, and the kernel would forget to end it with the daemon.
    user = "user root\n" if os.geteuid() == 0 else ""
    config = folder / "mosquitto.conf"
    listeners = (LISTENERS if plugins is None else PLUGIN_LISTENERS).format(
        folder=folder,
        plugins=plugins,
        this_machine=this_machine,
        network=network,
        program_port=program_port,
    )
    config.write_text(SETTINGS.format(folder=folder, user=user) + listeners)
    return config


def write_users(
    folder: Path, node: str, users: Iterable[User], topics: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Writes the passwords and roles of users, each file atomically: mosquitto may start at any moment."""
    users = tuple(users)
    write_secret(folder / "passwords", passwords(users))
    write_secret(folder / "roles", access_list(node, users, topics))
