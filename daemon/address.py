"""Where other machines find the pages: the address that goes into a QR code."""

import socket
from typing import Final

ELSEWHERE: Final = "192.0.2.1"
"""An address that is nobody's (RFC 5737). Asking the way to it sends nothing, and shows which of ours is used."""


def lan_address(host: str, port: int, *, encrypted: bool) -> str:
    """The pages' address as others type it; of a server that listens everywhere, the one that faces the network."""
    if host in ("0.0.0.0", "::", ""):  # noqa: S104
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
            try:
                way.connect((ELSEWHERE, 9))
                host = way.getsockname()[0]
            except OSError:
                host = socket.gethostname()
    name = f"[{host}]" if ":" in host else host
    return f"{'https' if encrypted else 'http'}://{name}:{port}"
