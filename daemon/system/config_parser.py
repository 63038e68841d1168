"""What stands in a configuration file, and in the secrets file next to it."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from daemon.system.address_secrets import without_secret
from daemon.system.hall_config import HallConfig
from daemon.system.named_file import read_named
from daemon.system.ring_config import WledRing
from daemon.system.secret_addresses import read_secrets
from daemon.system.show_config import CallerDoor, ShowRule
from daemon.system.urls import UsageError
from daemon.system.web_config import WebPages


class TlsFiles(BaseModel):
    """The table `[tls]`: with it the pages and the broker's port are encrypted on the network."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    certificate: str
    key: str


class HousesConfig(BaseModel):
    """The table `[houses]`: the broker that other houses reach too, for matches with them."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    broker: str


def _each_by_itself(rings: list[WledRing]) -> list[WledRing]:
    """Checks that no two rings have one controller: it shows a single look, the newest."""
    places = [ring.at.rstrip("/") for ring in rings]
    if repeated := sorted({at for at in places if places.count(at) > 1}):
        named = ", ".join(without_secret(at) for at in repeated)
        raise ValueError(f"two rings have the same controller (at = {named}): each needs one of its own")
    return rings


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
    show: list[ShowRule] = Field(default_factory=list)
    ring: Annotated[list[WledRing], AfterValidator(_each_by_itself)] = Field(default_factory=list)
    caller_door: CallerDoor | None = None
    web: WebPages = Field(default_factory=WebPages)
    houses: HousesConfig | None = None
    hall: HallConfig = Field(default_factory=HallConfig)


class BadConfig(UsageError):
    """A file with values that cannot be used; `rest` is the configuration without these."""

    def __init__(self, message: str, rest: ConfigFile) -> None:
        super().__init__(message)
        self.rest = rest


def read_config(path: Path) -> ConfigFile:
    """Returns the configuration of a file, with the passwords of its addresses. UsageError if it cannot be used.

    PermissionError if the secrets file may not be read.
    """
    try:
        return with_secrets(parse_file(path), read_secrets(path))
    except BadConfig as error:
        raise BadConfig(str(error), with_secrets(error.rest, read_secrets(path))) from error


def with_secrets(file: ConfigFile, secrets: Mapping[str, str]) -> ConfigFile:
    """Returns the configuration with the passwords of its addresses. `secrets` is as `read_secrets` returns it."""
    if not secrets:
        return file
    broker = None if file.broker is None else secrets.get(file.broker, file.broker)
    shared = file.houses and HousesConfig(broker=secrets.get(file.houses.broker, file.houses.broker))
    boards = {name: secrets.get(text, text) for name, text in file.boards.items()}
    return file.model_copy(update={"broker": broker, "houses": shared, "boards": boards})


def split_secrets(file: ConfigFile) -> tuple[ConfigFile, dict[str, str]]:
    """Returns the configuration without passwords, and its secrets as `read_secrets` returns them."""
    brokers = [file.broker, None if file.houses is None else file.houses.broker]
    whole = [*(broker for broker in brokers if broker is not None), *file.boards.values()]
    secrets = {plain: text for text in whole if (plain := without_secret(text)) != text}
    return with_secrets(file, {text: plain for plain, text in secrets.items()}), secrets


def parse_file(path: Path) -> ConfigFile:
    """Returns the configuration of a file, without its secrets. UsageError if it cannot be used."""
    try:
        return parse(read_named(path).decode("utf-8"), str(path))
    except OSError as error:
        raise UsageError(f"The configuration {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: {error}.") from error


def parse(text: str, path: str) -> ConfigFile:
    """Returns the configuration in a text. BadConfig with everything that is wrong in its values."""
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not TOML: {error}.") from error
    try:
        return ConfigFile.model_validate(values)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        said = f"In {path}: {wrong}. The keys are {', '.join(ConfigFile.model_fields)}."
        bad: set[Any] = {e["loc"][0] for e in error.errors() if e["loc"]}
        rest = ConfigFile.model_validate({key: value for key, value in values.items() if key not in bad})
        raise BadConfig(said, rest) from error
