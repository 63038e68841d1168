"""Unconfirmed users: added with a code and not confirmed yet. And the limits on the number of users.

A code proves that someone stood in front of the screen that showed it, not who
that was. So each user who was added with a code is shown on every scoreboard,
with their address, until a referee or the owner confirms or removes them.

Not chosen: no rights before the confirmation. At most tables there is no
referee, and a phone that waits looks broken.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final, NotRequired

from typing_extensions import TypedDict

from daemon.people.access import PairedRole, Role, User
from daemon.system.payload import Name, Payload
from engine.refusals import Refusal

MAX_USERS: Final = 200
"""How many users can be added with a code; beyond it a code is refused."""
REFEREE_PLACES: Final = 20
"""How many of these places are reserved for referees, so that displays and players cannot lock them out."""

_From = TypedDict("_From", {"from": str})  # As a class it could not have this key: `from` is a keyword.


class Newcomer(Payload, _From):
    """A user who was added with a code: the name they gave, the address they came from, and when."""

    user: Name
    role: PairedRole
    name: NotRequired[str]
    time: str


class Unconfirmed(Payload):
    """The users who were added with a code and whom no referee has confirmed yet."""

    users: list[Newcomer]


def no_place(role: Role, users: Iterable[User]) -> Refusal | None:
    """The refusal if there is no place for one more user of this role; `None` if there is one."""
    roles = [user.role for user in users]
    referees = roles.count("referee")
    others = len(roles) - referees
    if role == "referee":
        full = referees >= REFEREE_PLACES and len(roles) >= MAX_USERS
    else:
        full = others >= MAX_USERS - REFEREE_PLACES or len(roles) >= MAX_USERS
    if not full:
        return None
    return Refusal("not_allowed", f"All places are taken ({len(roles)} users): remove some with `oche access remove`.")


def confirm(users: Mapping[str, User], names: Collection[str]) -> dict[str, User]:
    """The users with those named confirmed. Unknown names are ignored."""
    return {name: replace(user, unconfirmed=None) if name in names else user for name, user in users.items()}


def remove(users: Mapping[str, User], names: Collection[str]) -> dict[str, User]:
    """The users without those named who are unconfirmed. Confirmed users stay."""
    return {name: user for name, user in users.items() if name not in names or user.unconfirmed is None}


def unconfirmed(users: Mapping[str, User]) -> Unconfirmed | None:
    """The payload of the topic `unconfirmed`; `None` if every user is confirmed."""
    rows: list[Newcomer] = []
    for user in users.values():
        if (origin := user.unconfirmed) is not None and user.role != "board":
            row: Newcomer = {"user": user.name, "role": user.role, "from": origin.address, "time": origin.time}
            if origin.name:
                row["name"] = origin.name
            rows.append(row)
    return {"users": rows} if rows else None
