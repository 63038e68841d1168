"""The commands of docs/hall.md."""

import re
from pathlib import Path
from typing import Final

GUIDE: Final = (Path(__file__).parent.parent.parent / "docs/hall.md").read_text()


def commands_of(text: str) -> list[str]:
    """The lines in the blocks of a text without a language."""
    blocks = re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def section(heading: str) -> str:
    """A section of the guide, without its heading."""
    return GUIDE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
