"""The settings of a daemon: the command line, then a TOML file, then defaults. Neither of the first two is needed.

```toml
node = "lounge"
http = "localhost:8080"
broker = "embedded:"
data = "/var/lib/oche"
home_assistant = true

[tls]  # for the network; without it, use only networks that you trust
certificate = "/etc/oche/certificate.pem"
key = "/etc/oche/key.pem"

[boards]
lounge = "maddarts@/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
```

Every user may read the file; the passwords of its addresses are in another one: `daemon.system.secret_addresses`.
"""

import os
import re
import socket
import ssl
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from pydantic import BaseModel, ConfigDict

from daemon.system.address_secrets import without_secret
from daemon.system.call_address import CallAddress, call_address, clashes
from daemon.system.config_parser import BadConfig, ConfigFile, HousesConfig, TlsFiles, parse_file, read_config
from daemon.system.error_text import error_text
from daemon.system.hall_config import HallConfig
from daemon.system.named_file import read_named
from daemon.system.ring_config import WledRing
from daemon.system.secret_addresses import secrets_path
from daemon.system.show_config import CallerDoor, ShowRule
from daemon.system.topic_address import same_topics
from daemon.system.urls import (
    EMBEDDED,
    BoardSpec,
    BrokerUrl,
    UsageError,
    board_spec,
    broker_url,
    check_name,
    http_address,
    is_this_machine,
)
from daemon.system.web_config import WebPages

SYSTEM_FILE: Final = Path("/etc/oche/oche.toml")
SERVICE_DATA: Final = Path("/var/lib/oche")
"""The data directory of the service: `StateDirectory` of its unit."""
HTTP: Final = "localhost:8080"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Tls:
    """The files of an encrypted listener: the certificate with its chain, and its key."""

    certificate: Path
    key: Path


class Settings(BaseModel):
    """The checked settings of a daemon."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    node: str
    host: str
    port: int
    broker: BrokerUrl
    data: Path
    tls: Tls | None
    home_assistant: bool
    """Whether boards are announced to Home Assistant. The owner of a shared broker may not want that."""
    boards: tuple[BoardSpec, ...]
    unread: tuple[Path, ...] = ()
    """Files of the system's configuration that were left out because this user may not read them."""
    config: str | None = None
    """The configuration file that was named; None: the system's, if it is there."""
    show: tuple[ShowRule, ...] = ()
    rings: tuple[WledRing, ...] = ()
    caller_door: CallerDoor | None = None
    web: WebPages = WebPages()
    houses: BrokerUrl | None = None
    """The broker that other houses reach too."""
    hall: HallConfig = HallConfig()

    @property
    def topics(self) -> dict[str, str]:
        """The topics at which boards publish, by board."""
        return {spec.name: spec.url.place for spec in self.boards if spec.url.scheme == "mqtt"}


def load_settings(
    config: str | None,
    boards: list[str],
    broker: str | None,
    http: str | None,
    data: str | None,
    node: str | None,
    *,
    encrypts: bool = True,
) -> Settings:
    """Returns the settings for the arguments of a command line. UsageError with everything that is wrong.

    `encrypts`: whether to load the certificate's key, which a user who only looks at the settings may not read.
    """
    wrong: list[str] = []
    try:
        file, unread = _read(config)
    except BadConfig as error:
        wrong.append(str(error))
        file, unread = error.rest, ()
    for option, value in (("--http", http), ("--broker", broker), ("--node", node), ("--data", data)):
        if value == "":
            # In a script it is a variable without a value, and the default would be another broker or directory.
            wrong.append(f"{option} is empty: give it a value, or leave it out.")
    name = node or file.node or _host_name()
    address, at_broker = http or file.http or HTTP, broker or file.broker or "embedded:"
    texts = boards or [f"{board}={text}" for board, text in file.boards.items()]
    specs = _checked(lambda: board_specs(texts), wrong)
    _checked(lambda: check_name("node", name), wrong)
    place = _checked(lambda: http_address(address), wrong)
    url = _checked(lambda: broker_url(at_broker), wrong)
    tls = None if file.tls is None else _checked(partial(_tls, file.tls, load=encrypts), wrong)
    door = _checked(lambda: _door(file.caller_door), wrong)
    houses = _checked(lambda: _houses(file.houses, name), wrong)
    _checked(lambda: _check_rings(file.ring, specs or []), wrong)
    if wrong or specs is None or place is None or url is None:
        raise UsageError("\n".join(wrong))
    return Settings(
        node=name,
        host=place[0],
        port=place[1],
        broker=url,
        data=Path(data or file.data or default_data()).expanduser().absolute(),
        tls=tls,
        home_assistant=file.home_assistant,
        boards=tuple(specs),
        unread=unread,
        config=config,
        show=tuple(file.show),
        rings=tuple(file.ring),
        caller_door=door,
        web=file.web,
        houses=houses,
        hall=file.hall,
    )


def _checked(check: Callable[[], T], wrong: list[str]) -> T | None:
    """Returns what `check` returns; if it raises UsageError, adds the message to `wrong` and returns `None`."""
    try:
        return check()
    except UsageError as error:
        wrong.append(str(error))
        return None


def board_specs(texts: Iterable[str]) -> list[BoardSpec]:
    """Parses the boards of a configuration, each as `NAME=MODEL@URL`. UsageError with everything that is wrong."""
    specs, wrong = [], []
    for text in texts:
        try:
            specs.append(board_spec(text))
        except UsageError as error:
            wrong.append(str(error))
    names = [spec.name for spec in specs]
    if repeated := {name for name in names if names.count(name) > 1}:
        wrong.append(f"Two boards are called {', '.join(sorted(repeated))}; give each a name of its own.")
    calls = [
        (spec.name, call_address(spec.url.place, spec.url.settings)) for spec in specs if spec.url.scheme == "listen"
    ]
    wrong += clashes((name, address) for name, address in calls if isinstance(address, CallAddress))
    wrong += same_topics((spec.name, spec.url.place) for spec in specs if spec.url.scheme == "mqtt")
    if wrong:
        raise UsageError("\n".join(wrong))
    return specs


def _door(door: CallerDoor | None) -> CallerDoor | None:
    if door is not None and not is_this_machine(http_address(door.address)[0]) and not (door.token or door.sources):
        raise UsageError(
            f"[caller_door] {door.address} can be reached from the network: give it a token, or list the addresses of "
            'its programs: from = ["192.168.1.20"].'
        )
    return door


def _check_rings(rings: Iterable[WledRing], boards: Sequence[BoardSpec]) -> None:
    if len(boards) > 1 and (unnamed := [without_secret(ring.at) for ring in rings if ring.board is None]):
        names = ", ".join(spec.name for spec in boards)
        raise UsageError(f"[[ring]] at {', '.join(unnamed)} needs its board, for there are several: {names}.")


def _houses(config: HousesConfig | None, node: str) -> BrokerUrl | None:
    """The shared broker. There a house has its node's name as its user name, so that the broker knows who is who."""
    if config is None:
        return None
    url = broker_url(config.broker)
    if url.scheme == EMBEDDED:
        raise UsageError('[houses] needs a broker that both houses reach: broker = "mqtts://anna@hub.example.org".')
    if url.user is not None and url.user != node:
        raise UsageError(
            f"[houses] the user at the shared broker is {url.user!r}, and this node is {node!r}: they must be "
            "the same, so that no house can speak for another."
        )
    return url


def _tls(files: TlsFiles, *, load: bool) -> Tls:
    found = Tls(Path(files.certificate).expanduser().absolute(), Path(files.key).expanduser().absolute())
    if not load:
        return found
    try:
        for file in (found.certificate, found.key):
            read_named(file)
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(found.certificate, found.key)
    except (OSError, ssl.SSLError) as error:
        raise UsageError(
            f"The certificate {found.certificate} with its key cannot be used: {error_text(error)}."
        ) from error
    return found


def default_data() -> Path:
    """Returns the data directory where none is named: systemd's state directory, or the user's."""
    given = os.environ.get("STATE_DIRECTORY")
    if given:
        return Path(given)
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "oche"


def _read(config: str | None) -> tuple[ConfigFile, tuple[Path, ...]]:
    """Returns the configuration, and the files of it that this user may not read.

    Only the service's own files are left out like that: the user asks about another daemon then. UsageError for a named
    file that cannot be read.
    """
    if config is not None:
        return read_config(Path(config)), ()
    if not os.access(SYSTEM_FILE, os.F_OK):
        return ConfigFile(), ()
    if not os.access(SYSTEM_FILE, os.R_OK):
        return ConfigFile(), (SYSTEM_FILE,)
    try:
        return read_config(SYSTEM_FILE), ()
    except PermissionError:
        return parse_file(SYSTEM_FILE), (secrets_path(SYSTEM_FILE),)


def _host_name() -> str:
    return re.sub(r"[^a-z0-9-]+", "-", socket.gethostname().split(".")[0].lower())[:32].strip("-") or "oche"
