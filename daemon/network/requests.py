"""What a request says of its sender: the host that it asks for, proxies on the way, a page, a compressed body."""

import ipaddress
import re
from collections.abc import Iterable
from typing import Final

from aiohttp import web

OTHER_SITES: Final = ("cross-site", "same-site")
"""Values of `Sec-Fetch-Site` for a request that a page of another site makes (W3C, Fetch Metadata)."""
_HOST: Final = re.compile(r"(?:\[(?P<six>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9._-]{1,253}))(?::[0-9]{1,5})?")
"""RFC 9110, section 7.2, without user names, percent signs and IPv6 zones: no host of the daemon has them."""
_FORWARDED: Final = re.compile(
    r"forwarded|x-forwarded(-.*)?|via|x-real-ip|x-client-ip|x-cluster-client-ip|x-originating-ip|x-remote-(ip|addr)"
    r"|true-client-ip|(cf|fastly|fly)-.*ip|x-proxyuser-ip|x-original-(host|forwarded-for)"
)
"""Headers with which proxies name the client."""


def host_of(request: web.Request) -> str:
    """The requested host without its port; "" if the request names none, several, or an invalid one."""
    # Not `request.host`: without the header it looks up this machine's name, which blocks the event loop.
    named = request.headers.getall("Host", [])
    return host_in(named[0]) if len(named) == 1 else ""


def host_in(header: str) -> str:
    """The host of a `Host` header in lower case, without its port; "" if it is not a host."""
    found = _HOST.fullmatch(header.lower())
    return "" if found is None else found["six"] or found["name"]


def is_forwarded(headers: Iterable[str]) -> bool:
    """Whether one of these header names is a proxy's."""
    return any(_FORWARDED.fullmatch(name.lower()) for name in headers)


def is_compressed(request: web.Request) -> bool:
    """Whether the body is compressed. Decompressing a few KiB to many MiB would block the event loop."""
    return any(
        named.strip().lower() not in ("", "identity") for named in request.headers.getall("Content-Encoding", [])
    )


def is_name_of_internet(host: str) -> bool:
    """Whether anybody could own a host's name: a page of theirs may resolve to this machine. Empty counts as one."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return not host or ("." in host.rstrip(".") and not host.rstrip(".").endswith(".local"))
    return False
