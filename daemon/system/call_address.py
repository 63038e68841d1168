"""The address `listen://HOST:PORT?token=…` or `?from=ADDRESS`: where a board calls, and how it is recognised."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from daemon.system.hosts import is_port, is_this_machine, plain_address

TOKEN: Final = re.compile(r"[A-Za-z0-9._~-]{1,128}")
"""What a URL holds unchanged: a token may be a part of the path."""
SETTINGS: Final = ("token", "from")
WEAK: Final = 16
"""Characters of a token below which it can be guessed by trying."""


@dataclass(frozen=True, slots=True)
class CallAddress:
    """Where a board calls, and how it is recognised: by its token, by its address, by both, or as a program here."""

    host: str
    port: int
    token: str = ""
    allowed: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The address without its secret, as the firmware of a board has it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


def call_address(place: str, settings: Mapping[str, str]) -> CallAddress | list[str]:
    """Returns the address in `listen://PLACE?SETTINGS`, or a sentence for each mistake in it."""
    host, _, port = place.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    token, sources = settings.get("token", ""), settings.get("from", "")
    allowed = [plain_address(source) for source in sources.split(",")] if sources else []
    wrong = []
    if not host or any(c.isspace() or c in "/@" for c in host) or not is_port(port) or int(port) == 0:
        wrong.append("it needs a host and a port, like listen://0.0.0.0:8765?token=…")
    elif not (token or sources or is_this_machine(host)):
        wrong.append("anyone on the network could throw: add ?token=… or, for a board that sends none, ?from=ADDRESS")
    if "token" in settings and not TOKEN.fullmatch(token):
        wrong.append("a token has 1 to 128 letters, digits, dots, dashes, underscores and tildes")
    if "from" in settings and (None in allowed or not allowed):
        wrong.append("from= needs IP addresses, like from=192.168.1.40 or from=192.168.1.40,192.168.1.41")
    wrong += [f"{name!r} is not a setting of it; token and from are" for name in settings if name not in SETTINGS]
    return wrong or CallAddress(host, int(port), token, tuple(found for found in allowed if found))


def clashes(addresses: Iterable[tuple[str, CallAddress]]) -> list[str]:
    """Returns a sentence for each two boards, by name, that could not be told apart at their port."""
    known: dict[tuple[str, int], list[tuple[str, CallAddress]]] = {}
    wrong = []
    for name, address in addresses:
        for other, theirs in known.setdefault((address.host, address.port), []):
            if not (address.token and theirs.token and address.token != theirs.token):
                wrong.append(
                    f"The boards {other} and {name} both listen at {address.shown}: give each a token of its own, or "
                    "a port of its own."
                )
        known[address.host, address.port].append((name, address))
    return wrong
