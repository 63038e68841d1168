"""The users of this node, in a file beside the journal: let in by pairing, or by `oche access`.

The file is small and read whole. The daemon looks at it every second, so that
a user who is taken away at the terminal is out at once.
"""

import fcntl
import json
import logging
import os
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from daemon.people.access import ROLES, Origin, User, is_user_name
from daemon.system.error_text import error_text
from daemon.system.secure_files import write_secret

log = logging.getLogger(__name__)

FILE: Final = "users.json"
_SECRET: Final = re.compile(r"\$7\$[0-9]{1,6}\$[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+")
"""As `secret_of` makes it. With another one the broker or our own check could not do anything, or would take hours."""


class UsersError(Exception):
    """The file cannot be read or written; the text says what to do."""


def load(data: Path) -> dict[str, User]:
    """The users by name, in the order in which they came. UsersError where the file is damaged."""
    path = data / FILE
    try:
        rows = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise UsersError(
            f"{path} cannot be read ({error_text(error)}); move it away, then let people in again."
        ) from error
    if not isinstance(rows, list):
        raise UsersError(f"{path} is no list of users; move it away, then let people in again.")
    return {user.name: user for user in (_user(path, row) for row in rows)}


def save(data: Path, users: dict[str, User]) -> None:
    """Writes the file whole, readable by its owner alone. UsersError where that fails."""
    rows = [_row(user) for user in users.values()]
    try:
        data.mkdir(parents=True, exist_ok=True)
        write_secret(data / FILE, json.dumps(rows, indent=1), data)
    except OSError as error:
        raise UsersError(f"{data / FILE} cannot be written: {error.strerror}.") from error


def change(data: Path, changed: Callable[[dict[str, User]], dict[str, User]]) -> dict[str, User]:
    """Reads, changes and writes in one: the daemon and the terminal do not undo each other's changes."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        folder = os.open(data, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise UsersError(f"{data / FILE} cannot be written: {error.strerror}.") from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        users = changed(load(data))
        save(data, users)
    finally:
        os.close(folder)
    return users


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
            raise UsersError(f"{path} has a user that makes no sense: {str(row)[:60]}. Take it out.")


def _origin(row: Any) -> Origin | None:
    """None for a user who was confirmed; what cannot be read is shown as unknown, and still awaits a referee."""
    match row:
        case None:
            return None
        case {"name": str() as name, "address": str() as address, "time": str() as time}:
            return Origin(name, address, time)
        case _:
            return Origin("?", "?", "?")


@dataclass(frozen=True, slots=True)
class _Mark:
    """How a file looks from outside; another one means that it was written."""

    number: int
    size: int
    changed_ns: int


class Users:
    """The users as the daemon knows them. `changed` is called after each change, whoever made it."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._mark: _Mark | None = None
        self.by_name: dict[str, User] = {}
        self.changed: Callable[[], None] = lambda: None
        self.look()

    def look(self) -> None:
        """Reads the file again if it was written. A damaged one leaves those who were let in before."""
        mark = self._look_from_outside()
        if mark == self._mark:
            return
        try:
            self.by_name = load(self._data)
        except UsersError as error:
            self._mark = mark
            log.warning("%s", error)
            return
        self._tell(mark)

    def is_player(self, name: str) -> bool:
        """Whether a player was let in under this name."""
        user = self.by_name.get(name)
        return user is not None and user.role == "player"

    def add(self, user: User) -> None:
        """Lets one more in. UsersError where that cannot be written."""
        self.change(lambda users: users | {user.name: user})

    def change(self, changed: Callable[[dict[str, User]], dict[str, User]]) -> None:
        """Changes the users and tells the broker. UsersError where that cannot be written."""
        # What was added at the terminal in this second is not lost.
        self.by_name = change(self._data, changed)
        self._tell(self._look_from_outside())

    def _tell(self, mark: _Mark | None) -> None:
        try:
            self.changed()
        except OSError as error:
            # The mark stays as it was, so it is tried again in a second.
            log.warning("the broker cannot be told who may come in: %s", error)
        else:
            self._mark = mark

    def _look_from_outside(self) -> _Mark | None:
        try:
            found = (self._data / FILE).stat()
        except OSError:
            return None
        return _Mark(found.st_ino, found.st_size, found.st_mtime_ns)
