"""The secrets file: addresses with their passwords, so that every user may read the configuration next to it.

`oche.toml` has the address without its password, `oche.secrets.toml` the whole one:

```toml
[addresses]
"mqtt://ann@homeassistant.local" = "mqtt://ann:secret@homeassistant.local"
```

An address that is changed in `oche.toml` has no entry there any more, so no password goes to another broker.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from daemon.system.error_text import error_text
from daemon.system.urls import UsageError


class SecretsFile(BaseModel):
    """The keys of the file."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    addresses: dict[str, str] = Field(default_factory=dict)


def secrets_path(config: Path) -> Path:
    """Returns the secrets file of a configuration: `oche.secrets.toml` next to `oche.toml`."""
    return config.with_name(f"{config.stem}.secrets.toml")


def read_secrets(config: Path) -> Mapping[str, str]:
    """Returns the addresses with passwords by the address without; empty if there is no secrets file.

    PermissionError if this user may not read it, UsageError if its content is wrong.
    """
    path = secrets_path(config)
    try:
        return SecretsFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))).addresses
    except FileNotFoundError:
        return {}
    except PermissionError:
        raise
    except ValidationError as error:
        # pydantic's own text would show the values.
        wrong = "; ".join(f"{'.'.join(map(str, e['loc'][:1]))}: {e['msg']}" for e in error.errors())
        raise UsageError(f"In {path}: {wrong}. It has one table, [addresses].") from error
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{path} cannot be used: {error_text(error)}.") from error
