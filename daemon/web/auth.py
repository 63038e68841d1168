"""Authentication of HTTP requests, and the middleware that rejects requests without the right to an address.

A client on this machine has every right: it could read and write the daemon's
files. Everyone else gets the pages, which hold no secrets, and sends a name
and a password with each request for anything more. There are no cookies, so a
page of another site has no session to abuse.
"""

import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from aiohttp import BasicAuth, HttpVersion11, web

from daemon.people.access import Role, User
from daemon.people.users import Users
from daemon.system.host_header import host_in
from daemon.system.urls import is_this_machine
from daemon.web.bodies import read_faster
from daemon.web.connection_limits import address_group
from daemon.web.paced_protocol import identified
from daemon.web.passwords import Passwords
from engine.refusals import Refusal

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

OTHER_SITES: Final = ("cross-site", "same-site")
"""Values of `Sec-Fetch-Site` for a request that a page of another site makes (W3C, Fetch Metadata)."""
_FORWARDED: Final = re.compile(
    r"forwarded|x-forwarded(-.*)?|via|x-real-ip|x-client-ip|x-cluster-client-ip|x-originating-ip|x-remote-(ip|addr)"
    r"|true-client-ip|(cf|fastly|fly)-.*ip|x-proxyuser-ip|x-original-(host|forwarded-for)"
)
"""Headers with which proxies name the client."""


class Authenticator:
    """Identifies the clients of a server at the address `host`. Without `users` it knows only this machine."""

    def __init__(self, host: str, users: Users | None) -> None:
        self.is_open = not is_this_machine(host)
        self.passwords = None if users is None else Passwords(users)

    def is_local(self, request: web.Request) -> bool:
        """Whether a client on this machine asks for this machine, without a proxy or a foreign host name."""
        return (
            # nginx does not name the client unless it is configured to, but it speaks HTTP/1.0.
            request.version >= HttpVersion11
            and is_this_machine(request.remote or "")
            and is_this_machine(host_of(request))
            # A proxy on this machine speaks for a client elsewhere.
            and not is_forwarded(request.headers)
        )

    async def role(self, request: web.Request) -> Role | None:
        """The role of the client; `None` without valid credentials."""
        if self.is_local(request):
            return "referee"
        user = await self.user(request)
        return None if user is None else user.role

    async def user(self, request: web.Request) -> User | None:
        """The user whose name and password the request has; `None` if they are missing or wrong."""
        if self.passwords is None:
            return None
        try:
            given = BasicAuth.decode(request.headers.get("Authorization", ""), "utf-8")
        except ValueError:
            return None
        return await self.passwords.check(given.login, given.password, address_group(request.remote or ""))


def guard(auth: Authenticator, public: frozenset[Handler], headers: dict[str, str]) -> Any:
    """The middleware that checks who may call a handler, and adds `headers` to every response.

    The `public` handlers are for everyone. The others need a role; methods other than GET and HEAD need a referee.
    """

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        if _is_compressed(request):
            compressed = web.Response(status=415, text="Send it without Content-Encoding.\n")
            compressed.force_close()
            return compressed
        if not auth.is_open and not is_this_machine(host_of(request)):
            return web.Response(status=403, text="This server answers to localhost only.\n")
        if not _is_from_our_pages(request):
            return web.Response(status=403, text="Pages of other sites may not connect here.\n")
        if request.match_info.handler not in public:
            role = await auth.role(request)
            if role is None or (request.method not in ("GET", "HEAD") and role != "referee"):
                return refuse(Refusal("not_allowed", "Log in with a name and a password that have this right."), 401)
            read_faster(request)
            with identified(request.transport):
                response = await handler(request)
        else:
            response = await handler(request)
        if not response.prepared:
            response.headers.update(headers)
        return response

    return check


def refuse(refusal: Refusal, status: int = 403) -> web.Response:
    """The JSON response for a refusal."""
    return web.json_response({"ok": False, "reason": refusal.reason, "message": refusal.message}, status=status)


def host_of(request: web.Request) -> str:
    """The requested host without its port; "" if the request names none, several, or an invalid one."""
    # Not `request.host`: without the header it looks up this machine's name, which blocks the event loop.
    named = request.headers.getall("Host", [])
    return host_in(named[0]) if len(named) == 1 else ""


def is_same_site(origin: str, host: str) -> bool:
    """Whether a page of this `Origin` was served at this `Host`. Ports must be equal too."""
    scheme, _, site = origin.lower().partition("://")
    return bool(host_in(host)) and scheme in ("http", "https", "ws", "wss") and site == host.lower()


def is_forwarded(headers: Iterable[str]) -> bool:
    """Whether one of these header names is a proxy's."""
    return any(_FORWARDED.fullmatch(name.lower()) for name in headers)


def _is_from_our_pages(request: web.Request) -> bool:
    """False for a request of another site's page. Programs send no origin; browsers send it or `Sec-Fetch-Site`."""
    if request.headers.get("Sec-Fetch-Site") in OTHER_SITES and request.headers.get("Sec-Fetch-Dest") != "document":
        return False
    host = request.headers.get("Host", "")
    return all(is_same_site(origin, host) for origin in request.headers.getall("Origin", []))


def _is_compressed(request: web.Request) -> bool:
    """Whether the body is compressed. Decompressing a few KiB to many MiB would block the event loop."""
    return any(
        named.strip().lower() not in ("", "identity") for named in request.headers.getall("Content-Encoding", [])
    )
