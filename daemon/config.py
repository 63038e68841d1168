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
"""

import os
import re
import socket
import ssl
import tomllib
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from daemon.mqtt.mosquitto import Tls
from daemon.named_file import read_named
from daemon.urls import BoardSpec, BrokerUrl, UsageError, board_spec, broker_url, check_name, http_address

SYSTEM_FILE: Final = Path("/etc/oche/oche.toml")
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


def settle(
    config: str | None, boards: list[str], broker: str | None, http: str | None, data: str | None, node: str | None
) -> Settings:
    """The settings of a run. UsageError where something was written wrongly."""
    file = _read(config)
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
        tls=None if file.tls is None else _tls(file.tls),
        home_assistant=file.home_assistant,
        boards=tuple(specs),
    )


def _tls(files: TlsFiles) -> Tls:
    found = Tls(Path(files.certificate).expanduser().absolute(), Path(files.key).expanduser().absolute())
    try:
        for file in (found.certificate, found.key):
            read_named(file)
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(found.certificate, found.key)
    except (OSError, ssl.SSLError) as error:
        raise UsageError(f"The certificate {found.certificate} with its key cannot be used: {error}.") from error
    return found


def default_data() -> Path:
    """Where matches are kept unless told otherwise: systemd's state directory, or the user's."""
    given = os.environ.get("STATE_DIRECTORY")
    if given:
        return Path(given)
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "oche"


def _read(config: str | None) -> ConfigFile:
    if config is None and not SYSTEM_FILE.is_file():
        return ConfigFile()
    return read_config(SYSTEM_FILE if config is None else Path(config))


def read_config(path: Path) -> ConfigFile:
    """What a file says. UsageError where it cannot be read or says nonsense."""
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
