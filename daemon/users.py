"""The users of this node, in a file beside the journal: let in by pairing, or by `oche access`.

The file is small and read whole. The daemon looks at it every second, so that
a user who is taken away at the terminal is out at once.
"""

import json
import logging
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from daemon.access import ROLES, User, is_user_name

log = logging.getLogger(__name__)

FILE: Final = "users.json"


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
        raise UsersError(f"{path} cannot be read ({error}); move it away, then let people in again.") from error
    if not isinstance(rows, list):
        raise UsersError(f"{path} is no list of users; move it away, then let people in again.")
    return {user.name: user for user in (_user(path, row) for row in rows)}


def save(data: Path, users: dict[str, User]) -> None:
    """Writes the file whole, readable by its owner alone. UsersError where that fails."""
    rows = [{"name": user.name, "role": user.role, "secret": user.secret} for user in users.values()]
    data.mkdir(parents=True, exist_ok=True)
    try:
        number, name = tempfile.mkstemp(prefix=f".{FILE}-", dir=data)  # made with mode 0600
        with os.fdopen(number, "w") as file:
            json.dump(rows, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(data / FILE)
    except OSError as error:
        raise UsersError(f"{data / FILE} cannot be written: {error.strerror}.") from error


def _user(path: Path, row: Any) -> User:
    match row:
        case {"name": str() as name, "role": role, "secret": str() as secret} if (
            role in ROLES and is_user_name(name) and "\n" not in secret
        ):
            return User(name, role, secret)
        case _:
            raise UsersError(f"{path} has a user that makes no sense: {str(row)[:60]}. Take it out.")


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
        self._mark = mark
        try:
            self.by_name = load(self._data)
        except UsersError as error:
            log.warning("%s", error)
            return
        self.changed()

    def add(self, user: User) -> None:
        """Lets one more in. UsersError where that cannot be written."""
        # What was added at the terminal in this second is not lost.
        users = load(self._data) | {user.name: user}
        save(self._data, users)
        self._mark, self.by_name = self._look_from_outside(), users
        self.changed()

    def _look_from_outside(self) -> _Mark | None:
        try:
            found = (self._data / FILE).stat()
        except OSError:
            return None
        return _Mark(found.st_ino, found.st_size, found.st_mtime_ns)
