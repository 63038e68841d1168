"""The secrets in an address: passwords, and settings like `token`. What is shown or logged has none."""

import re
from typing import Final

SECRET_SETTINGS: Final = frozenset({"token", "password", "key"})
"""Settings after the `?` of an address that are secret."""

_PASSWORD: Final = re.compile(r"(//[^/:@]*):[^/]*@")


def without_secret(address: str) -> str:
    """Returns an address without its password and without settings like `token`; unchanged if it has none."""
    plain, mark, query = _PASSWORD.sub(r"\1@", address).partition("?")
    if not mark:
        return plain
    kept = [part for part in query.split("&") if part.partition("=")[0] not in SECRET_SETTINGS]
    return f"{plain}?{'&'.join(kept)}" if kept else plain
