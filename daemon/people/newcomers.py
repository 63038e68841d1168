"""Users who were added with a code and whom nobody has confirmed yet, and how many users there may be.

A code proves that somebody stood before the screen that showed it, not who
that was. So each user who comes in by code is shown on every scoreboard with
the address they came from, until a referee or the owner confirms or removes
them.

Not chosen: waiting for a referee before a user may do anything. In most
households nobody but the players is there, and a phone that waits looks
broken.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from daemon.people.access import Role, User
from engine.refusals import Refusal

MOST_USERS: Final = 200
"""How many users can be added by code; beyond it a code is refused."""
FOR_REFEREES: Final = 20
"""How many of these places only a referee can take: displays and players cannot lock the referee out."""

Users = dict[str, User]


def no_place(role: Role, users: Iterable[User]) -> Refusal | None:
    """Why there is no place for one more user of this role; None where there is one."""
    roles = [user.role for user in users]
    referees = roles.count("referee")
    others = len(roles) - referees
    if role == "referee":
        full = referees >= FOR_REFEREES and len(roles) >= MOST_USERS
    else:
        full = others >= MOST_USERS - FOR_REFEREES or len(roles) >= MOST_USERS
    if not full:
        return None
    return Refusal("not_allowed", f"All places are taken ({len(roles)} users): remove some with `oche access remove`.")


def confirm(users: Users, names: Collection[str]) -> Users:
    """The users after those named are confirmed; a name that nobody has is ignored."""
    return {name: replace(user, unconfirmed=None) if name in names else user for name, user in users.items()}


def remove(users: Users, names: Collection[str]) -> Users:
    """The users without those named whom nobody has confirmed; the others stay."""
    return {name: user for name, user in users.items() if name not in names or user.unconfirmed is None}


def unconfirmed(users: Mapping[str, User]) -> dict[str, Any] | None:
    """The payload of the topic `unconfirmed`; None where everybody is confirmed."""
    rows = [
        {"user": user.name, "role": user.role, "from": origin.address, "time": origin.time}
        | ({"name": origin.name} if origin.name else {})
        for user in users.values()
        if (origin := user.unconfirmed) is not None
    ]
    return {"users": rows} if rows else None
