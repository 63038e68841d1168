"""Authentication of HTTP requests, and the middleware that rejects requests without the right to an address.

A client on this machine has every right: it could read and write the daemon's
files. Everyone else gets the pages, which hold no secrets, and sends a name
and a password with each request for anything more. There are no cookies, so a
page of another site has no session to abuse.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import BasicAuth, HttpVersion11, web

from daemon.network.bodies import read_faster
from daemon.network.connection_limits import address_group
from daemon.network.paced_protocol import identified
from daemon.network.requests import OTHER_SITES, host_in, host_of, is_compressed, is_forwarded
from daemon.people.access import Role, User
from daemon.people.users import Users
from daemon.system.urls import is_this_machine
from daemon.web.passwords import Passwords
from engine.refusals import Refusal

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


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
        """The role of the client; `None` without valid credentials, and for a board, which has no business here."""
        if self.is_local(request):
            return "referee"
        user = await self.user(request)
        return None if user is None or user.role == "board" else user.role

    async def user(self, request: web.Request) -> User | None:
        """The user whose name and password the request has; `None` if they are missing or wrong."""
        if self.passwords is None:
            return None
        try:
            given = BasicAuth.decode(request.headers.get("Authorization", ""), "utf-8")
        except ValueError:
            return None
        return await self.passwords.check(given.login, given.password, address_group(request.remote or ""))


def guard(
    auth: Authenticator, public: frozenset[Handler], headers: dict[str, str], embedded: frozenset[Handler] = frozenset()
) -> Any:
    """The middleware that checks who may call a handler, and adds `headers` to every response that has not begun.

    The `public` handlers are for everyone. The others need a role; methods other than GET and HEAD need a referee.
    Pages of other sites may ask for the `embedded` handlers in a frame; `headers` say which sites the browser allows.
    """

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        if is_compressed(request):
            compressed = web.Response(status=415, text="Send it without Content-Encoding.\n")
            compressed.force_close()
            return compressed
        if not auth.is_open and not is_this_machine(host_of(request)):
            return web.Response(status=403, text="This server answers to localhost only.\n")
        if not (_is_from_our_pages(request) or (request.match_info.handler in embedded and _is_for_a_frame(request))):
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


def is_same_site(origin: str, host: str) -> bool:
    """Whether a page of this `Origin` was served at this `Host`. Ports must be equal too."""
    scheme, _, site = origin.lower().partition("://")
    return bool(host_in(host)) and scheme in ("http", "https", "ws", "wss") and site == host.lower()


def _is_for_a_frame(request: web.Request) -> bool:
    """Whether a browser loads a page into a frame. Such a request has no `Origin`."""
    return (
        request.method == "GET"
        and request.headers.get("Sec-Fetch-Dest") == "iframe"
        and request.headers.get("Sec-Fetch-Mode") == "navigate"
        and "Origin" not in request.headers
    )


def _is_from_our_pages(request: web.Request) -> bool:
    """False for a request of another site's page. Programs send no origin; browsers send it or `Sec-Fetch-Site`."""
    if request.headers.get("Sec-Fetch-Site") in OTHER_SITES and request.headers.get("Sec-Fetch-Dest") != "document":
        return False
    host = request.headers.get("Host", "")
    return all(is_same_site(origin, host) for origin in request.headers.getall("Origin", []))
