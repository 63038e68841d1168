"""Names and addresses of this machine, and of the machines that may call it."""

import ipaddress


def is_this_machine(host: str) -> bool:
    """Whether a host is reached only from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_port(text: str) -> bool:
    """Whether this is the number of a port."""
    # isdecimal alone accepts digits of every script.
    return text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) < 65536


def plain_address(text: str) -> str | None:
    """Returns an IP address in its usual form, an IPv4 address in an IPv6 one as IPv4; `None` if it is not one."""
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or found)
