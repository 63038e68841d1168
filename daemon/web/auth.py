"""The web server's door: who is at this machine, who has a name and a password, who is a stranger.

Whoever is at this machine may do all, as he could with its files. Everyone
else gets the pages, which hold no secrets, and the form that lets him in; for
anything more he says who he is, with each request. There is no cookie, so a
page of another site has nothing to ride on.
"""

import secrets
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, Final

from aiohttp import BasicAuth, HttpVersion11, web

from daemon.people.access import ROUNDS_OF_OURS, Origin, Role, User, new_password, secret_of, user_of
from daemon.people.access import SALT_BYTES as SALT
from daemon.people.newcomers import no_place
from daemon.people.pairing import Pairing
from daemon.people.users import Users, UsersError
from daemon.system.urls import is_this_machine
from daemon.web.connection_limits import household
from daemon.web.host import host_in, is_forwarded, is_same_site
from daemon.web.passwords import Passwords
from engine import jsontext
from engine.refusals import Refusal

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

LONGEST_NAME: Final = 64
ELSEWHERE: Final = ("cross-site", "same-site")
"""What a browser says of a picture or a script that another page wants from here; W3C, Fetch Metadata."""


class Authenticator:
    """Who may come in at the address `host`. Without `users` nobody but who is here; without `pairing` nobody new."""

    def __init__(self, host: str, users: Users | None, pairing: Pairing | None) -> None:
        self.open = not is_this_machine(host)
        self._users = users
        self._pairing = pairing
        self.passwords = None if users is None else Passwords(users)

    def is_here(self, request: web.Request) -> bool:
        """Whether somebody at this machine asks for this machine: no proxy, no page with a borrowed name."""
        return (
            # nginx says nothing of for whom it asks unless it is told to, but speaks HTTP/1.0.
            request.version >= HttpVersion11
            and is_this_machine(request.remote or "")
            and is_this_machine(host_of(request))
            # A proxy at this machine speaks for somebody elsewhere.
            and not is_forwarded(request.headers)
        )

    async def role(self, request: web.Request) -> Role | None:
        """What the one who asks may do; None for a stranger."""
        if self.is_here(request):
            return "referee"
        user = await self.user(request)
        return None if user is None else user.role

    async def user(self, request: web.Request) -> User | None:
        """The user whose name and password the request has; None without them, and where they are wrong."""
        if self.passwords is None:
            return None
        try:
            given = BasicAuth.decode(request.headers.get("Authorization", ""), "utf-8")
        except ValueError:
            return None
        return await self.passwords.check(given.login, given.password, household(request.remote or ""))

    async def codes(self, request: web.Request) -> web.StreamResponse:
        """The codes of now, for who may let in others."""
        if self._pairing is None:
            return refuse(Refusal("not_allowed", "Nobody is let in here: the broker outside says who may do what."))
        if await self.role(request) != "referee":
            return refuse(Refusal("not_allowed", "Only the referee sees the codes."))
        return web.json_response(self._pairing.codes | {"url": self._pairing.link("player")})

    async def pair(self, request: web.Request) -> web.StreamResponse:
        """Lets in who has the code: `{"code", "name"}` gives `{"user", "password", "role"}`."""
        if self._pairing is None or self._users is None or self.passwords is None:
            return refuse(Refusal("not_allowed", "Nobody is let in here: the broker outside says who may do what."))
        asked = jsontext.parse(await body_of(request))
        found = _let_in(asked, request.remote or "?", self._pairing, self._users)
        if isinstance(found, Refusal):
            return refuse(found)
        if (user := self._users.by_name.get(found["user"])) is not None:
            self.passwords.remember(user, found["password"])
        return web.json_response(found)


async def body_of(request: web.Request) -> bytes:
    """The body of a request, cut off where it is longer than any JSON that is read here."""
    body = b""
    async for piece in request.content.iter_any():
        body += piece
        if len(body) > jsontext.MAX_BYTES:
            break
    return body


def _let_in(asked: Any, address: str, pairing: Pairing, users: Users) -> dict[str, Any] | Refusal:
    match asked:
        case Refusal():
            return asked
        case {"code": str() as code, "name": str() as name} if len(name) <= LONGEST_NAME and name.isprintable():
            pass
        case _:
            return Refusal("bad_value", 'To be let in send {"code": "123456", "name": "Ann"}.')
    role = pairing.claim(code.strip())
    if isinstance(role, Refusal):
        return role
    name = name.strip()
    if role == "player" and not name:
        return Refusal("bad_value", "Say under which name you play.")
    # A display has no name of its own, and two of them may stand in one room.
    user_name = user_of(name) if role != "display" and name else f"{role}-{secrets.token_hex(2)}"
    # Whoever was added at the terminal within this second has their place and their name.
    users.look()
    if (full := no_place(role, users.by_name.values())) is not None:
        return full
    if user_name in users.by_name:
        return Refusal(
            "not_allowed",
            f"{user_name} has been let in already: take another name, or type `oche access remove {user_name}`.",
        )
    password = new_password()
    try:
        secret = secret_of(password, secrets.token_bytes(SALT), ROUNDS_OF_OURS)
        users.add(User(user_name, role, secret, Origin(name, address, _now())))
    except UsersError as error:
        return Refusal("disk", str(error))
    pairing.used(role)
    return {"user": user_name, "password": password, "role": role} | ({"name": name} if name else {})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def host_of(request: web.Request) -> str:
    """The host that is asked for, without its port; "" where the request names none, several, or nonsense."""
    # Not `request.host`: without the header it asks for this machine's name, and darts wait for the answer.
    named = request.headers.getall("Host", [])
    return host_in(named[0]) if len(named) == 1 else ""


def _is_from_our_pages(request: web.Request) -> bool:
    """Programs name no origin; a browser names the site whose page asks, or says at least that it is another one."""
    if request.headers.get("Sec-Fetch-Site") in ELSEWHERE and request.headers.get("Sec-Fetch-Dest") != "document":
        return False
    host = request.headers.get("Host", "")
    return all(is_same_site(origin, host) for origin in request.headers.getall("Origin", []))


def refuse(refusal: Refusal, status: int = 403) -> web.Response:
    """A refusal as an answer."""
    return web.json_response({"ok": False, "reason": refusal.reason, "message": refusal.message}, status=status)


def is_packed(request: web.Request) -> bool:
    """Whether its body is compressed: a few KiB of it can become as many MiB, on the loop on which darts wait."""
    return any(
        named.strip().lower() not in ("", "identity") for named in request.headers.getall("Content-Encoding", [])
    )


def guard(door: Authenticator, free: frozenset[Handler], headers: dict[str, str]) -> Any:
    """Keeps strangers out of all but the `free` handlers, and other sites' pages out of everything."""

    @web.middleware
    async def stand(request: web.Request, handler: Handler) -> web.StreamResponse:
        if is_packed(request):
            packed = web.Response(status=415, text="Send it without Content-Encoding: nothing is unpacked here.\n")
            packed.force_close()
            return packed
        if not door.open and not is_this_machine(host_of(request)):
            return web.Response(status=403, text="This server answers to localhost only.\n")
        if not _is_from_our_pages(request):
            return web.Response(status=403, text="Pages of other sites may not connect here.\n")
        if request.match_info.handler not in free:
            role = await door.role(request)
            if role is None or (request.method not in ("GET", "HEAD") and role != "referee"):
                return refuse(Refusal("not_allowed", "Say who you are: this is for those who were let in."), 401)
        response = await handler(request)
        if not response.prepared:
            response.headers.update(headers)
        return response

    return stand
