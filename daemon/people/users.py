"""The users of this node, in a file next to the journal. They are added by pairing, or by `oche access`.

The file is small and read whole. The daemon checks it every second, so that a
user who is removed at the terminal is disconnected at once.
"""

import fcntl
import json
import logging
import os
import re
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from daemon.people.access import ROLES, Origin, User, is_user_name
from daemon.system.error_text import error_text
from daemon.system.secure_files import write_secret

log = logging.getLogger(__name__)

FILE: Final = "users.json"
LOCK_SECONDS = 3.0
"""How long a change waits for another program's change. Not for ever: the daemon handles no dart meanwhile, and could
not be stopped."""
LOCK_PAUSE_SECONDS: Final = 0.01
_SECRET: Final = re.compile(r"\$7\$[0-9]{1,6}\$[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+")
"""The form that `secret_of` returns. With another one the broker would not start, or a check could take hours."""


class UsersError(Exception):
    """The file cannot be read or written; the text says what to do."""


def load(data: Path) -> dict[str, User]:
    """The users by name, in the order in which they were added. UsersError: the file is damaged."""
    path = data / FILE
    try:
        rows = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise UsersError(
            f"{path} cannot be read ({error_text(error)}); move it away, then add the users again."
        ) from error
    if not isinstance(rows, list):
        raise UsersError(f"{path} is not a list of users; move it away, then add the users again.")
    return {user.name: user for user in (_user(path, row) for row in rows)}


def save(data: Path, users: dict[str, User]) -> None:
    """Writes the whole file, readable by its owner alone. UsersError: it cannot be written."""
    rows = [_row(user) for user in users.values()]
    try:
        data.mkdir(parents=True, exist_ok=True)
        write_secret(data / FILE, json.dumps(rows, indent=1), data)
    except OSError as error:
        raise UsersError(f"{data / FILE} cannot be written: {error.strerror}.") from error


def change(data: Path, changed: Callable[[dict[str, User]], dict[str, User]]) -> dict[str, User]:
    """Reads, changes and writes the file under a lock, which the daemon and `oche access` share. Returns the users."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        folder = os.open(data, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise UsersError(f"{data / FILE} cannot be written: {error.strerror}.") from error
    try:
        _lock(folder, data / FILE)
        users = changed(load(data))
        save(data, users)
    finally:
        os.close(folder)
    return users


def _lock(folder: int, path: Path) -> None:
    """Locks an open folder until it is closed. UsersError if another program has it locked for `LOCK_SECONDS`."""
    end = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise UsersError(
                    f"{path} is in use by another program; end that `oche access`, and try again."
                ) from None
            time.sleep(LOCK_PAUSE_SECONDS)
        else:
            return


def _row(user: User) -> dict[str, Any]:
    row: dict[str, Any] = {"name": user.name, "role": user.role, "secret": user.secret}
    return row if user.unconfirmed is None else row | {"unconfirmed": asdict(user.unconfirmed)}


def _user(path: Path, row: Any) -> User:
    match row:
        case {"name": str() as name, "role": role, "secret": str() as secret} if (
            role in ROLES and is_user_name(name) and _SECRET.fullmatch(secret)
        ):
            return User(name, role, secret, _origin(row.get("unconfirmed")))
        case _:
            raise UsersError(f"{path} has an invalid user: {str(row)[:60]}. Remove it from the file.")


def _origin(row: Any) -> Origin | None:
    """`None` for a confirmed user. An invalid origin becomes an unknown one, so that the user stays unconfirmed."""
    match row:
        case None:
            return None
        case {"name": str() as name, "address": str() as address, "time": str() as time}:
            return Origin(name, address, time)
        case _:
            return Origin("?", "?", "?")


_Stamp = tuple[int, int, int]
"""Inode, size and time of a file: if one of them differs, the file was written."""


class Users:
    """The users in the daemon's memory, kept equal to the file."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._seen: _Stamp | None = None
        self._on_change: Callable[[], None] = lambda: None
        self.by_name: dict[str, User] = {}
        self.reload()

    def on_change(self, callback: Callable[[], None]) -> None:
        """Sets what is called after each change of the file, whoever wrote it.

        If it raises OSError, the next `reload` calls it again.
        """
        self._on_change = callback

    def reload(self) -> None:
        """Reads the file again if it was written. If it is damaged, the users stay as they are."""
        stamp = self._stamp()
        if stamp == self._seen:
            return
        try:
            self.by_name = load(self._data)
        except UsersError as error:
            self._seen = stamp
            log.warning("%s", error)
            return
        self._notify(stamp)

    def is_player(self, name: str) -> bool:
        """Whether there is a user of this name with the role `player`."""
        user = self.by_name.get(name)
        return user is not None and user.role == "player"

    def add(self, user: User) -> None:
        """Adds a user. UsersError: the file cannot be written."""
        self.change(lambda users: users | {user.name: user})

    def change(self, changed: Callable[[dict[str, User]], dict[str, User]]) -> None:
        """Changes the users, in the file too. UsersError: the file cannot be written."""
        self.by_name = change(self._data, changed)
        self._notify(self._stamp())

    def _notify(self, stamp: _Stamp | None) -> None:
        try:
            self._on_change()
        except OSError as error:
            # Without the new stamp the next `reload` tries again.
            log.warning("the broker's list of users cannot be written: %s", error)
        else:
            self._seen = stamp

    def _stamp(self) -> _Stamp | None:
        try:
            found = (self._data / FILE).stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns
