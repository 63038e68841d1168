"""What the owner has settled: a TOML file, and over it the command line. None of it is needed.

```toml
node = "lounge"
http = "localhost:8080"
broker = "embedded:"
data = "/var/lib/oche"
home_assistant = true

[tls]  # for the network; without it only use one that you trust
certificate = "/etc/oche/certificate.pem"
key = "/etc/oche/key.pem"

[boards]
lounge = "maddarts@/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
```

Everybody may read it; passwords of its addresses are in a file of their own: `daemon.system.secret_addresses`.
"""

import os
import re
import socket
import ssl
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from daemon.system.error_text import error_text
from daemon.system.named_file import read_named
from daemon.system.secret_addresses import read_secrets, secrets_path, without_secret
from daemon.system.urls import BoardSpec, BrokerUrl, UsageError, board_spec, broker_url, check_name, http_address

SYSTEM_FILE: Final = Path("/etc/oche/oche.toml")
SERVICE_DATA: Final = Path("/var/lib/oche")
"""Where the service keeps its matches: `StateDirectory` of its unit."""
HTTP: Final = "localhost:8080"


class TlsFiles(BaseModel):
    """A certificate and its key: with them the pages and the broker's port are encrypted on the network."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    certificate: str
    key: str


class ConfigFile(BaseModel):
    """The keys of a configuration file."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    node: str | None = None
    http: str | None = None
    broker: str | None = None
    data: str | None = None
    tls: TlsFiles | None = None
    home_assistant: bool = True
    boards: dict[str, str] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tls:
    """The files that make a listener encrypted: the certificate with its chain, and its key."""

    certificate: Path
    key: Path


class Settings(BaseModel):
    """What the daemon runs with, checked."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    node: str
    host: str
    port: int
    broker: BrokerUrl
    data: Path
    tls: Tls | None
    home_assistant: bool
    """Whether Home Assistant is told of the boards. The owner of a broker that others use may not want that."""
    boards: tuple[BoardSpec, ...]
    unread: tuple[Path, ...] = ()
    """Files of the system's configuration that this user may not read, and that are left out."""


def settle(
    config: str | None,
    boards: list[str],
    broker: str | None,
    http: str | None,
    data: str | None,
    node: str | None,
    *,
    encrypts: bool = True,
) -> Settings:
    """The settings of a run. UsageError where something was written wrongly.

    `encrypts`: the certificate's key is read and tried; who only looks at the settings may have no right to.
    """
    file, unread = _read(config)
    specs = [board_spec(text) for text in boards] or [board_spec(f"{n}={text}") for n, text in file.boards.items()]
    names = [spec.name for spec in specs]
    if repeated := {name for name in names if names.count(name) > 1}:
        raise UsageError(f"Two boards are called {', '.join(sorted(repeated))}; give each its own name.")
    name = node or file.node or _host_name()
    check_name("node", name)
    host, port = http_address(http or file.http or HTTP)
    return Settings(
        node=name,
        host=host,
        port=port,
        broker=broker_url(broker or file.broker or "embedded:"),
        data=Path(data or file.data or default_data()).expanduser().absolute(),
        tls=None if file.tls is None else _tls(file.tls, tried=encrypts),
        home_assistant=file.home_assistant,
        boards=tuple(specs),
        unread=unread,
    )


def _tls(files: TlsFiles, *, tried: bool) -> Tls:
    found = Tls(Path(files.certificate).expanduser().absolute(), Path(files.key).expanduser().absolute())
    if not tried:
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
    """Where matches are kept unless told otherwise: systemd's state directory, or the user's."""
    given = os.environ.get("STATE_DIRECTORY")
    if given:
        return Path(given)
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "oche"


def _read(config: str | None) -> tuple[ConfigFile, tuple[Path, ...]]:
    """The configuration, and which files of it this user may not read.

    The service's own is left out where it is closed to others: theirs is another daemon. A file that was named is not.
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


def read_config(path: Path) -> ConfigFile:
    """What a file says, with the passwords of its addresses. UsageError where it cannot be read or says nonsense.

    PermissionError where the file of passwords may not be read.
    """
    return with_secrets(parse_file(path), read_secrets(path))


def with_secrets(file: ConfigFile, secrets: Mapping[str, str]) -> ConfigFile:
    """The configuration with each address that has a password as it is with it."""
    if not secrets:
        return file
    broker = None if file.broker is None else secrets.get(file.broker, file.broker)
    return file.model_copy(
        update={"broker": broker, "boards": {name: secrets.get(text, text) for name, text in file.boards.items()}}
    )


def split_secrets(file: ConfigFile) -> tuple[ConfigFile, dict[str, str]]:
    """The configuration as everybody may read it, and what `read_secrets` gives for it."""
    whole = [*([] if file.broker is None else [file.broker]), *file.boards.values()]
    secrets = {plain: text for text in whole if (plain := without_secret(text)) != text}
    return with_secrets(file, {text: plain for plain, text in secrets.items()}), secrets


def parse_file(path: Path) -> ConfigFile:
    """What a file says, without its secrets. UsageError where it cannot be read or says nonsense."""
    try:
        return parse(read_named(path).decode("utf-8"), str(path))
    except OSError as error:
        raise UsageError(f"The configuration {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: {error}.") from error


def parse(text: str, path: str) -> ConfigFile:
    """What a configuration file says. UsageError with everything that is wrong in it."""
    try:
        return ConfigFile.model_validate(tomllib.loads(text))
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise UsageError(f"In {path}: {wrong}. The keys are {', '.join(ConfigFile.model_fields)}.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not TOML: {error}.") from error


def _host_name() -> str:
    return re.sub(r"[^a-z0-9-]+", "-", socket.gethostname().split(".")[0].lower())[:32].strip("-") or "oche"
