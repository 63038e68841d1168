"""Parses the URLs of boards and brokers. A bad one is a UsageError, before anything starts."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from daemon.system.address_secrets import without_secret
from daemon.system.call_address import call_address
from daemon.system.hosts import is_port, is_this_machine
from daemon.system.topic_address import topic_address

__all__ = ["is_this_machine"]

NAME: Final = re.compile(r"[a-z0-9-]{1,32}")
"""The name of a node or a board, which is part of topics."""

BOARD_SCHEMES: Final = ("serial", "usb", "tcp", "replay", "sim", "keyboard", "listen", "mqtt", "ble")
BROKER_PORTS: Final = {"mqtt": 1883, "mqtts": 8883, "ws": 80, "wss": 443, "unix": 1}
CHECKS: Final[Mapping[str, Callable[[str, Mapping[str, str]], object]]] = {
    "listen": call_address,
    "mqtt": topic_address,
}
"""What checks the place and the settings of a scheme: it returns a list of sentences if something is wrong."""
EMBEDDED: Final = "embedded"
DEMO: Final = "demo"
"""The embedded broker from PyPI, even if mosquitto is installed."""


class UsageError(Exception):
    """What was typed is wrong: exit code 2. The text says how to write it."""


@dataclass(frozen=True, slots=True)
class BoardUrl:
    """Where a board is. `place` is a path, a file, `host:port` or an identity, depending on the scheme."""

    scheme: str
    place: str
    settings: dict[str, str] = field(default_factory=dict)
    text: str = ""

    @property
    def shown(self) -> str:
        """The address as it was typed, without its secrets."""
        return without_secret(self.text)

    def number(self, name: str, default: float) -> float:
        """Returns a setting that is a number. UsageError if it is not one."""
        try:
            number = float(self.settings.get(name, default))
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise UsageError(f"In {self.shown}, {name} must be a number.")
        return number


@dataclass(frozen=True, slots=True)
class BoardSpec:
    """A configured board: `NAME=MODEL@URL`."""

    name: str
    model: str
    url: BoardUrl


@dataclass(frozen=True, slots=True)
class BrokerUrl:
    """Where the broker is: embedded, or at an address."""

    scheme: str
    host: str = ""
    port: int = 0
    path: str = ""
    user: str | None = None
    password: str | None = None
    old: bool = False
    """Whether it is known to speak MQTT 3.1.1 only."""


def board_url(text: str) -> BoardUrl:
    """Parses the URL of a board; a plain path is a serial port."""
    if text.startswith("/"):
        path, _, query = text.partition("?")
        return BoardUrl("serial", path, dict(parse_qsl(query)), text)
    scheme, colon, rest = text.partition(":")
    if not colon or scheme not in BOARD_SCHEMES:
        known = ", ".join(f"{s}:" for s in BOARD_SCHEMES)
        raise UsageError(f"{_quoted(text)} is not a valid board: write a path like /dev/ttyUSB0 or one of {known}.")
    place, _, query = rest.removeprefix("//").partition("?")
    if scheme == "tcp" and not (re.fullmatch(r".+:[0-9]{1,5}", place) and int(place.rpartition(":")[2]) < 65536):
        raise UsageError(f"{_quoted(text)} needs a host and a port, like tcp://192.168.0.7:5000.")
    if scheme not in ("sim", "ble") and not place:
        raise UsageError(f"{_quoted(text)} has no address after the colon.")
    settings = dict(parse_qsl(query, keep_blank_values=scheme in CHECKS))
    found = BoardUrl(scheme, unquote(place), settings, text)
    if scheme in CHECKS and isinstance(wrong := CHECKS[scheme](found.place, found.settings), list):
        raise UsageError(f"{found.shown!r} is not a valid board: {'; '.join(wrong)}.")
    return found


def _quoted(text: str) -> str:
    return repr(without_secret(text))


def model_at_url(text: str) -> tuple[str, BoardUrl]:
    """Parses `MODEL@URL`."""
    model, at, url = text.partition("@")
    if not at or not model:
        raise UsageError(
            f"{_quoted(text)} is not a valid board: write MODEL@URL, like maddarts@/dev/ttyUSB0. Models: `oche boards`."
        )
    return model, board_url(url)


def board_spec(text: str) -> BoardSpec:
    """Parses `NAME=MODEL@URL`."""
    name, equals, rest = text.partition("=")
    if not equals:
        raise UsageError(f"{_quoted(text)} has no name: write NAME=MODEL@URL, like lounge=maddarts@/dev/ttyUSB0.")
    check_name("board", name)
    return BoardSpec(name, *model_at_url(rest))


def check_name(what: str, name: str) -> None:
    """Checks the name of a board or a node (`what`). UsageError if it is not valid."""
    if not NAME.fullmatch(name):
        raise UsageError(f"{name!r} cannot name a {what}: use 1 to 32 of a to z, 0 to 9 and the dash.")


def broker_url(text: str) -> BrokerUrl:
    """Parses the URL of a broker: `embedded:` (also with an address), `mqtt:`, `mqtts:`, `ws:`, `wss:` or `unix:`."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise UsageError(f"{without_password(text)!r} is not a valid broker: {error}.") from error
    if parts.scheme in (EMBEDDED, DEMO):
        return BrokerUrl(parts.scheme, parts.hostname or "127.0.0.1", port or 0)
    if parts.scheme == "unix" and parts.path:
        return BrokerUrl("unix", path=unquote(parts.path), port=1)
    if parts.scheme not in BROKER_PORTS or not parts.hostname:
        raise UsageError(
            f"{without_password(text)!r} is not a valid broker: "
            "write embedded:, mqtt://host, mqtts://host, ws://host/path or unix:///path."
        )
    return BrokerUrl(
        parts.scheme,
        parts.hostname,
        port or BROKER_PORTS[parts.scheme],
        parts.path,
        None if parts.username is None else unquote(parts.username),
        None if parts.password is None else unquote(parts.password),
    )


def broker_text(url: BrokerUrl) -> str:
    """Returns the URL as `broker_url` parses it, with its password."""
    if url.scheme == "unix":
        return f"unix://{quote(url.path)}"
    user = "" if url.user is None else quote(url.user, safe="")
    user += "" if url.password is None else f":{quote(url.password, safe='')}"
    host = f"[{url.host}]" if ":" in url.host else url.host
    return f"{url.scheme}://{user}{'@' if user else ''}{host}:{url.port}{url.path}"


def without_password(text: str) -> str:
    """Returns an address with its password masked, to be shown or logged."""
    return re.sub(r"(//[^/]*:)[^/]*@", r"\1...@", text)


def http_address(text: str) -> tuple[str, int]:
    """Parses `HOST:PORT`, or `PORT` of localhost. An IPv6 address is in brackets: `[::1]:8080`."""
    host, _, port = text.rpartition(":") if ":" in text else ("localhost", "", text)
    if not host or any(c.isspace() for c in host) or not is_port(port) or int(port) == 0:
        raise UsageError(
            f"{text!r} is not an address: write HOST:PORT, like localhost:8080, or a port of this machine."
        )
    return host.strip("[]"), int(port)


def local_port(text: str) -> int:
    """Returns the port of an `http_address` of this machine. UsageError for others: the page asks for no password."""
    host, port = http_address(text)
    if not is_this_machine(host):
        raise UsageError(
            f"{text!r} can be reached from the network, and this page asks for no password: write localhost:{port}. "
            f"From elsewhere: ssh -L {port}:127.0.0.1:{port} and the name of this machine."
        )
    return port
