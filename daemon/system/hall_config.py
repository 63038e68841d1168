"""The table `[hall]` of a configuration: what is sent to the hall that the node has joined (`oche hall join`).

```toml
[hall]
url = "https://darts.example.org"  # where the hall has moved to
live = true  # a dart at once; false: every ten seconds at most
ship = "running"  # or "finished": a match is sent when it is over
```
"""

import ipaddress
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator

from daemon.system.show_config import Table
from daemon.system.urls import UsageError


def hall_url(text: str) -> str:
    """The address of a hall, without a slash at its end. UsageError if it is not encrypted on a public network."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise UsageError(f"{text!r} is not the address of a hall: write it like https://darts.example.org.")
    if parts.scheme == "http" and not _is_near(parts.hostname):
        raise UsageError(f"{text} is not encrypted: write https:// for a hall outside of your own network.")
    return text.rstrip("/")


def _is_near(host: str) -> bool:
    """Whether a host is this machine or in the same network, by its name or address."""
    if host.endswith((".local", ".lan")) or not (set(host) & {".", ":"}):
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return False


def _url(text: str) -> str:
    try:
        return hall_url(text)
    except UsageError as error:
        raise ValueError(str(error)) from error


class HallConfig(Table):
    """What is sent to the hall, and where that is if it has moved since the node joined."""

    url: Annotated[str, AfterValidator(_url)] | None = None
    live: bool = True
    ship: Literal["running", "finished"] = "running"
