"""The `Host` header of a request, which says what a browser believes it talks to."""

import ipaddress
import re
from typing import Final

_HOST: Final = re.compile(r"(?:\[(?P<six>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9._-]{1,253}))(?::[0-9]{1,5})?")
"""RFC 9110, section 7.2, without user names, percent signs and IPv6 zones: no host of the daemon has them."""


def host_in(header: str) -> str:
    """Returns the host of a `Host` header in lower case, without its port; "" if it is not a host."""
    found = _HOST.fullmatch(header.lower())
    return "" if found is None else found["six"] or found["name"]


def is_name_of_internet(host: str) -> bool:
    """Whether anybody could own a host's name: a page of theirs may resolve to this machine. Empty counts as one."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return not host or ("." in host.rstrip(".") and not host.rstrip(".").endswith(".local"))
    return False
