"""The command lines in the guides are ones that the program takes, and it says of each argument what it is."""

import argparse
import re
import shlex
from pathlib import Path
from typing import Final

import pytest

from daemon.cli.parser import parser
from daemon.main import command

ROOT: Final = Path(__file__).parent.parent.parent
PAGES: Final = [ROOT / "README.md", ROOT / "firmware/README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
LINES: Final = [
    (page.name, line.partition(" #")[0].partition(">")[0].strip())
    for page in PAGES
    for line in re.findall(r"^(?:sudo |\.venv/bin/)?(oche .*)$", page.read_text(), re.MULTILINE)
]


@pytest.mark.parametrize(("page", "line"), LINES)
def test_a_command_of_the_guides_is_understood(page: str, line: str) -> None:
    assert parser().parse_args(shlex.split(line)[1:]).command, page


def test_the_guides_have_commands() -> None:
    assert {"README.md", "access.md", "bus.md", "displays.md", "history.md"} <= {page for page, _ in LINES}


@pytest.mark.parametrize("name", parser().commands())
def test_every_command_has_a_function_and_help_for_each_argument(name: str) -> None:
    assert callable(command(name))
    page = parser().commands()[name]
    for part in (page, *page.commands().values()):
        assert all(action.help for action in part._actions if not isinstance(action, argparse._SubParsersAction))


def test_every_script_and_every_folder_of_tests_is_in_the_guide() -> None:
    guide = (ROOT / "docs/development.md").read_text()
    folders = [path.parent for path in (ROOT / "tests").glob("*/__init__.py")] + [ROOT / "tests/matches"]
    parts = [path.relative_to(ROOT) for path in (*(ROOT / "scripts").iterdir(), *folders)]
    assert [str(part) for part in parts if f"`{part}`" not in guide] == []
