"""`oche broker-config`: the files with which an external mosquitto enforces oche's rules."""

import argparse
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from daemon.people.access import User, access_list, new_password, passwords
from daemon.people.users import UsersError, load
from daemon.system.config import load_settings
from daemon.system.urls import UsageError, check_name

DAEMON: Final = "oche-daemon"
"""The daemon's user name at an external broker."""

CONFIG: Final = """\
# For /etc/mosquitto/conf.d: no anonymous clients, and each user within the access list.
allow_anonymous false
password_file {folder}/oche.passwords
acl_file {folder}/oche.acl
set_tcp_nodelay true
max_packet_size 131072
max_queued_messages 200
max_inflight_messages 100
max_queued_bytes 4194304
max_keepalive 120
"""

PLAIN: Final = """
listener 1883
"""

ENCRYPTED: Final = """
listener 8883
certfile {certificate}
keyfile {key}
"""

DAEMON_MAY: Final = """\
user {daemon}
topic readwrite oche/{node}/#
topic write homeassistant/#
topic read homeassistant/status
"""

HOUSES_MAY: Final = """\
# Made by oche for a broker that several houses share; changes here are lost.
# A user is a house, with the name of its node. As a guest it asks a board of another house, and reads what that house
# answers it; as a host it reads what its guests ask, and answers.
pattern write oche/+/board/+/command/%u
pattern read oche/+/board/+/reply/%u
pattern read oche/+/board/+/record/%u
pattern read oche/%u/board/+/command/+
pattern write oche/%u/board/+/reply/+
pattern write oche/%u/board/+/record/+
"""


NODES_MAY: Final = """\
# Made by oche for a broker that the nodes of one hall share; changes here are lost.
# A user is a node, with its name. It has its own topics, and tells Home Assistant of its boards.
pattern readwrite oche/%u/#
pattern write homeassistant/#
pattern read homeassistant/status
"""

ORGANIZER_MAY: Final = """
# Its tournaments are played on the boards of all nodes: it sees their matches, and commands their boards as a referee.
user {organizer}
topic read oche/+/status
topic read oche/+/board/+/status
topic read oche/+/board/+/match
topic read oche/+/board/+/reply
topic write oche/+/board/+/command
"""


def broker_config(arguments: argparse.Namespace) -> int:
    """Writes `oche.passwords`, `oche.acl`, `oche.conf` and `oche.url`, the URL with the daemon's own password."""
    if (arguments.certificate is None) != (arguments.key is None):
        raise UsageError("--certificate needs --key, and --key needs --certificate.")
    if arguments.organizer is not None and arguments.organizer not in (arguments.nodes or ()):
        raise UsageError("--organizer is one of the nodes that --nodes names.")
    if arguments.houses is not None:
        return _shared(arguments, "house", arguments.houses, HOUSES_MAY)
    if arguments.nodes is not None:
        rights = "" if arguments.organizer is None else ORGANIZER_MAY.format(organizer=arguments.organizer)
        return _shared(arguments, "node", arguments.nodes, NODES_MAY + rights)
    check_name("node", arguments.node)
    topics = load_settings(arguments.config, [], None, None, None, arguments.node, encrypts=False).topics
    folder: Path = arguments.out.absolute()
    password, secret = new_password()
    daemon = User(DAEMON, "referee", secret)
    scheme = "mqtts" if arguments.certificate else "mqtt"
    try:
        users = [user for user in load(arguments.data).values() if user.name != DAEMON]
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "oche.passwords", passwords([daemon, *users]), secret=True)
        _write(folder / "oche.acl", _access(arguments.node, users, topics), secret=True)
        _write(folder / "oche.conf", _config(folder, arguments), secret=False)
        _write(folder / "oche.url", f"{scheme}://{DAEMON}:{password}@{arguments.host}\n", secret=True)
    except UsersError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.filename or folder} cannot be written: {error.strerror}.", file=sys.stderr)
        return 1
    _tell(folder, arguments)
    print(f"Then run oche with the broker that is in {folder}/oche.url. Write them again when users come or go.")
    return 0


def _shared(arguments: argparse.Namespace, what: str, names: list[str], rights: str) -> int:
    """The same for the broker of several houses or nodes (`what`), with the URL of each in `NAME.url`."""
    for name in names:
        check_name(what, name)
    folder: Path = arguments.out.absolute()
    scheme = "mqtts" if arguments.certificate else "mqtt"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        made = {name: new_password() for name in names}
        users = [User(name, "player", secret) for name, (_, secret) in made.items()]
        _write(folder / "oche.passwords", passwords(users), secret=True)
        _write(folder / "oche.acl", rights, secret=True)
        _write(folder / "oche.conf", _config(folder, arguments), secret=False)
        for name, (password, _) in made.items():
            _write(folder / f"{name}.url", f"{scheme}://{name}:{password}@{arguments.host}\n", secret=True)
    except OSError as error:
        print(f"{error.filename or folder} cannot be written: {error.strerror}.", file=sys.stderr)
        return 1
    _tell(folder, arguments)
    files = ", ".join(f"{name}.url" for name in names)
    print(f"Give each {what} its own address, which is in {files}, for its oche.toml:")
    print('  [houses]\n  broker = "…"' if what == "house" else '  broker = "…"')
    return 0


def _access(node: str, users: Iterable[User], topics: Mapping[str, str]) -> str:
    heard = "".join(f"topic read {topic}\n" for topic in topics.values())
    return access_list(node, users, topics) + "\n" + DAEMON_MAY.format(daemon=DAEMON, node=node) + heard


def _tell(folder: Path, arguments: argparse.Namespace) -> None:
    """Prints what to do with the files of the broker."""
    print(f"Written to {folder}. oche.passwords and oche.acl must be readable for mosquitto:")
    print(f"  sudo chown mosquitto: {folder}/oche.passwords {folder}/oche.acl")
    if arguments.key is not None:
        print(f"mosquitto must be able to read {arguments.key.absolute()} as well.")
    print(f"  sudo cp {folder}/oche.conf /etc/mosquitto/conf.d/ && sudo systemctl restart mosquitto")


def _config(folder: Path, arguments: argparse.Namespace) -> str:
    if arguments.certificate is None:
        return CONFIG.format(folder=folder) + PLAIN
    # mosquitto does not run in this folder.
    certificate, key = arguments.certificate.absolute(), arguments.key.absolute()
    return CONFIG.format(folder=folder) + ENCRYPTED.format(certificate=certificate, key=key)


def _write(path: Path, text: str, *, secret: bool) -> None:
    # In place, so that the file keeps its owner, which may be mosquitto.
    path.touch(mode=0o600 if secret else 0o644)
    if secret:
        path.chmod(0o600)
    path.write_text(text)
