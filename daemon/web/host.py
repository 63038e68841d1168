"""What a request says of the host it asks for, of the page it comes from, and of proxies on its way. Pure."""

import re
from collections.abc import Iterable
from typing import Final

_HOST: Final = re.compile(r"(?:\[(?P<six>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9._-]{1,253}))(?::[0-9]{1,5})?")
"""RFC 9110, section 7.2, without what no host of ours has: user names, percent signs, zones of IPv6."""
_FORWARDED: Final = re.compile(
    r"forwarded|x-forwarded(-.*)?|via|x-real-ip|x-client-ip|x-cluster-client-ip|x-originating-ip|x-remote-(ip|addr)"
    r"|true-client-ip|(cf|fastly|fly)-.*ip|x-proxyuser-ip|x-original-(host|forwarded-for)"
)
"""Headers of proxies that say for whom they ask."""


def host_in(header: str) -> str:
    """The host of a `Host` header, without its port and in small letters; "" where it is not a host.

    Read whole: what stands behind the bracket of an IPv6 address belongs to no host that is ours.
    """
    found = _HOST.fullmatch(header.lower())
    return "" if found is None else found["six"] or found["name"]


def is_same_site(origin: str, host: str) -> bool:
    """Whether a page of this `Origin` was served at this `Host`; both are compared with their ports."""
    scheme, _, site = origin.lower().partition("://")
    return bool(host_in(host)) and scheme in ("http", "https", "ws", "wss") and site == host.lower()


def is_forwarded(headers: Iterable[str]) -> bool:
    """Whether one of these header names is a proxy's."""
    return any(_FORWARDED.fullmatch(name.lower()) for name in headers)
