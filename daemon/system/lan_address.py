"""Where other machines find the pages: the address that goes into a QR code."""

import socket
from typing import Final

ELSEWHERE: Final = "192.0.2.1"
"""An address that is nobody's (RFC 5737). Asking the way to it sends nothing, and shows which of ours is used."""
ELSEWHERE_6: Final = "2001:db8::1"
"""The same of IPv6 (RFC 3849)."""


def lan_address(host: str, port: int, *, encrypted: bool) -> str:
    """The pages' address as others type it; of a server that listens everywhere, the one that faces the network."""
    if host in ("0.0.0.0", "::", ""):  # noqa: S104
        # Who listens at `::` is not heard at an address of IPv4.
        family, elsewhere = (socket.AF_INET6, ELSEWHERE_6) if host == "::" else (socket.AF_INET, ELSEWHERE)
        with socket.socket(family, socket.SOCK_DGRAM) as way:
            try:
                way.connect((elsewhere, 9))
                host = way.getsockname()[0]
            except OSError:
                host = socket.gethostname()
    return f"{'https' if encrypted else 'http'}://{in_brackets(host)}:{port}"


def in_brackets(host: str) -> str:
    """A host as it stands in a URL."""
    return f"[{host}]" if ":" in host else host
