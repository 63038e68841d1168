"""The address of the pages for other machines, as it goes into a QR code."""

import socket
from typing import Final

ELSEWHERE: Final = "192.0.2.1"
"""Nobody's address (RFC 5737). Connecting a datagram socket to it sends nothing, and shows which of ours is used."""
ELSEWHERE_6: Final = "2001:db8::1"
"""The same for IPv6 (RFC 3849)."""


def lan_address(host: str, port: int, *, encrypted: bool) -> str:
    """Returns the URL of the pages for other machines; for a wildcard `host`, with our address in the network."""
    if host in ("0.0.0.0", "::", ""):  # noqa: S104
        # A server at `::` may not be reached at an IPv4 address.
        family, elsewhere = (socket.AF_INET6, ELSEWHERE_6) if host == "::" else (socket.AF_INET, ELSEWHERE)
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((elsewhere, 9))
                host = probe.getsockname()[0]
            except OSError:
                host = socket.gethostname()
    return f"{'https' if encrypted else 'http'}://{in_brackets(host)}:{port}"


def in_brackets(host: str) -> str:
    """Returns a host as URLs have it."""
    return f"[{host}]" if ":" in host else host
