"""HTTP handlers that add users with a pairing code, and confirm or remove the users who were added so."""

import secrets
from datetime import UTC, datetime
from typing import Any, Final

from aiohttp import web

from daemon.network.bodies import read_json
from daemon.people.access import Origin, PairedRole, User, new_password, user_of
from daemon.people.newcomers import confirm, no_place, remove
from daemon.people.pairing import Pairing
from daemon.people.users import Users, UsersError
from daemon.web.auth import Authenticator, refuse
from engine.refusals import Refusal

MAX_NAME: Final = 64
"""Characters of a player's name; a longer one is refused."""
NO_PAIRING: Final = Refusal("not_allowed", "There are no pairing codes here: the outside broker decides on access.")


class PeopleApi:
    """Handlers of `/pairing.json`, `/pair` and `/unconfirmed`. Without `pairing` nobody can be added."""

    def __init__(self, auth: Authenticator, users: Users, pairing: Pairing | None) -> None:
        self._auth, self._users, self._pairing = auth, users, pairing

    async def codes(self, request: web.Request) -> web.StreamResponse:
        """The current codes by role, and the player's link, for a referee."""
        if self._pairing is None:
            return refuse(NO_PAIRING)
        if await self._auth.role(request) != "referee":
            return refuse(Refusal("not_allowed", "Only a referee may read the codes."))
        return web.json_response(self._pairing.codes | {"url": self._pairing.link("player")})

    async def pair(self, request: web.Request) -> web.StreamResponse:
        """Adds a user: `{"code", "name"}` is answered with `{"user", "password", "role"}`."""
        if self._pairing is None or self._auth.passwords is None:
            return refuse(NO_PAIRING)
        asked = await read_json(request)
        added = _add_user(asked, request.remote or "?", self._pairing, self._users)
        if isinstance(added, Refusal):
            return refuse(added)
        if (user := self._users.by_name.get(added["user"])) is not None:
            self._auth.passwords.remember(user, added["password"])
        return web.json_response(added)

    async def decide(self, request: web.Request) -> web.StreamResponse:
        """Confirms or removes unconfirmed users: `{"confirm": ["ann"], "remove": ["eve"]}`, or one of both.

        It takes names, so that a page decides only on the users that it shows. `guard` admits only referees.
        """
        asked = await read_json(request)
        if isinstance(asked, Refusal):
            return refuse(asked, 400)
        if not isinstance(asked, dict) or not asked or not asked.keys() <= {"confirm", "remove"}:
            return refuse(Refusal("bad_value", 'Send {"confirm": ["ann"]}, {"remove": ["eve"]}, or both.'), 400)
        confirmed, removed = _names(asked.get("confirm", [])), _names(asked.get("remove", []))
        if confirmed is None or removed is None:
            return refuse(Refusal("bad_value", "Name users in a list, with the names from the topic."), 400)
        # A referee can read the referee's code, add a second user with it, and confirm themself.
        referee = None if self._auth.is_local(request) else await self._auth.user(request)
        if referee is not None and referee.unconfirmed is not None:
            return refuse(
                Refusal(
                    "not_allowed",
                    f"You are not confirmed yet: ask another referee, or type `oche access confirm {referee.name}` "
                    "at the machine.",
                )
            )
        try:
            self._users.change(lambda known: confirm(remove(known, removed), confirmed))
        except UsersError as error:
            return refuse(Refusal("disk", str(error)), 507)
        return web.json_response({"ok": True})


def _add_user(asked: Any, address: str, pairing: Pairing, users: Users) -> dict[str, Any] | Refusal:
    match asked:
        case Refusal():
            return asked
        case {"code": str() as code, "name": str() as name} if len(name) <= MAX_NAME and name.isprintable():
            pass
        case _:
            return Refusal("bad_value", 'To be added send {"code": "123456", "name": "Ann"}.')
    role = pairing.claim(code.strip())
    if isinstance(role, Refusal):
        return role
    name = name.strip()
    if role == "player" and not name:
        return Refusal("bad_value", "Enter the name under which you play.")
    user_name = _user_name(role, name)
    # Includes users that were added at the terminal within the last second.
    users.reload()
    if (full := no_place(role, users.by_name.values())) is not None:
        return full
    if user_name in users.by_name:
        return Refusal(
            "not_allowed",
            f"There is a user {user_name} already: take another name, or type `oche access remove {user_name}`.",
        )
    password, stored = new_password()
    origin = Origin(name, address, datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"))
    try:
        users.add(User(user_name, role, stored, origin))
    except UsersError as error:
        return Refusal("disk", str(error))
    pairing.used(role)
    return {"user": user_name, "password": password, "role": role} | ({"name": name} if name else {})


def _user_name(role: PairedRole, name: str) -> str:
    # Displays have no names, and there may be several in one room.
    return user_of(name) if role != "display" and name else f"{role}-{secrets.token_hex(2)}"


def _names(value: object) -> frozenset[str] | None:
    """The names in a list; `None` if it is not a list of names."""
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        return None
    return frozenset(value)
