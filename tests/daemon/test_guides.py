"""The command lines in the guides are ones that the program takes."""

import re
import shlex
from pathlib import Path
from typing import Final

import pytest

from daemon.main import _parser

DOCS: Final = Path(__file__).parent.parent.parent / "docs"
LINES: Final = [
    (page, line.partition("#")[0].partition(">")[0].strip())
    for page in ("displays", "history", "home-assistant")
    for line in re.findall(r"^oche .*$", (DOCS / f"{page}.md").read_text(), re.MULTILINE)
]


@pytest.mark.parametrize(("page", "line"), LINES)
def test_a_command_of_the_guides_is_understood(page: str, line: str) -> None:
    assert callable(_parser().parse_args(shlex.split(line)[1:]).command), page


def test_the_guides_have_commands() -> None:
    assert {page for page, _ in LINES} == {"displays", "history", "home-assistant"}
