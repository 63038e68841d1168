"""Addresses with a password, kept in a file next to the configuration, so that everybody may read the configuration.

`oche.toml` has the address without its password, `oche.secrets.toml` says what it is with it:

```toml
[addresses]
"mqtt://ann@homeassistant.local" = "mqtt://ann:secret@homeassistant.local"
```

An address that is changed in `oche.toml` has no line there any more, so no password goes to another broker.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from daemon.system.error_text import error_text
from daemon.system.urls import UsageError

SECRET_SETTINGS: Final = frozenset({"token", "password", "key"})
"""Settings behind the `?` of an address that nobody else may know."""

_PASSWORD: Final = re.compile(r"(//[^/:@]*):[^/]*@")


class SecretsFile(BaseModel):
    """The keys of the file."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    addresses: dict[str, str] = Field(default_factory=dict)


def secrets_path(config: Path) -> Path:
    """The secrets of a configuration: `oche.secrets.toml` next to `oche.toml`."""
    return config.with_name(f"{config.stem}.secrets.toml")


def without_secret(address: str) -> str:
    """The address without its password, and without settings like `token`; unchanged where it has none."""
    plain, mark, query = _PASSWORD.sub(r"\1@", address).partition("?")
    if not mark:
        return plain
    kept = [part for part in query.split("&") if part.partition("=")[0] not in SECRET_SETTINGS]
    return f"{plain}?{'&'.join(kept)}" if kept else plain


def read_secrets(config: Path) -> Mapping[str, str]:
    """The addresses with their passwords, by the address without; empty where there is no such file.

    PermissionError where this user may not read it, UsageError where it is not what it should be.
    """
    path = secrets_path(config)
    try:
        return SecretsFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))).addresses
    except FileNotFoundError:
        return {}
    except PermissionError:
        raise
    except ValidationError as error:
        # Without the values, which pydantic's own text would show.
        wrong = "; ".join(f"{'.'.join(map(str, e['loc'][:1]))}: {e['msg']}" for e in error.errors())
        raise UsageError(f"In {path}: {wrong}. It has one table, [addresses].") from error
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{path} cannot be used: {error_text(error)}.") from error
