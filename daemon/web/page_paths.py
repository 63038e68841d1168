"""Which paths are pages: `page-paths.json`, which the pages themselves read as well."""

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Final

LIST: Final = "page-paths.json"


@lru_cache(maxsize=4)
def page_paths(folder: Path) -> re.Pattern[str]:
    """Returns the expression that matches the path of every page, as it is in an address. OSError: no list is there."""
    listed = json.loads((folder / LIST).read_text("utf-8"))
    return re.compile("|".join(_expression(pattern, listed["parts"]) for pattern in listed["pages"].values()))


def _expression(pattern: str, parts: dict[str, str]) -> str:
    source = pattern.removesuffix("/")
    for name, part in parts.items():
        source = source.replace(f"{{{name}}}", f"(?:{part})")
    return f"{source}/?"
