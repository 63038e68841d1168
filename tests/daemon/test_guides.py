"""The parser accepts the command lines in the guides, and every argument has a help text."""

import argparse
import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Final, get_type_hints

import pytest

from daemon.app.payload_schemas import CHANNELS, Channel
from daemon.cli.parser import parser
from daemon.main import command

ROOT: Final = Path(__file__).parent.parent.parent
PAGES: Final = [ROOT / "README.md", ROOT / "firmware/README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
COMMAND_LINES: Final = [
    (page.name, line.partition(" #")[0].partition(">")[0].strip())
    for page in PAGES
    for block in re.findall(r"^```\w*\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    for line in re.findall(r"^(?:sudo |\.venv/bin/)?(oche .*)$", block, re.MULTILINE)
]


@pytest.mark.parametrize(("page", "line"), COMMAND_LINES)
def test_the_parser_accepts_a_command_of_the_guides(page: str, line: str) -> None:
    assert parser().parse_args(shlex.split(line)[1:]).command, page


def test_the_guides_have_commands() -> None:
    assert {"getting-started.md", "access.md", "bus.md", "displays.md", "history.md"} <= {
        page for page, _ in COMMAND_LINES
    }


@pytest.mark.parametrize("name", parser().commands())
def test_every_command_has_a_function_and_help_for_each_argument(name: str) -> None:
    assert callable(command(name))
    page = parser().commands()[name]
    for part in (page, *page.commands().values()):
        assert all(action.help for action in part._actions if not isinstance(action, argparse._SubParsersAction))


def test_every_script_and_every_folder_of_tests_is_in_the_guide() -> None:
    guide = (ROOT / "docs/development.md").read_text()
    folders = [path.parent for path in (ROOT / "tests").glob("*/__init__.py")] + [ROOT / "tests/matches"]
    scripts = [path for path in (ROOT / "scripts").iterdir() if path.is_file()]
    parts = [path.relative_to(ROOT) for path in (*scripts, *folders)]
    assert [str(part) for part in parts if f"`{part}`" not in guide] == []


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md", ROOT / "SECURITY.md"], ids=lambda page: page.name)
def test_every_link_between_the_guides_leads_to_a_file(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)[^)]*\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("channel", CHANNELS, ids=lambda channel: channel.name)
def test_the_guide_to_the_bus_has_every_topic_and_field(channel: Channel) -> None:
    guide = (ROOT / "docs/bus.md").read_text()
    topic = re.sub(r"\{(\w+)\}", r"<\1>", channel.address).replace("board/<board>/", "…/")
    assert f"`{topic}`" in guide or f"`oche/<node>/{topic}`" in guide
    assert [name for name in get_type_hints(channel.payload) if not re.search(rf"[`\".]{name}[`\"]", guide)] == []


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "SECURITY.md", ROOT / "firmware/PROTOCOL.md"], ids=lambda page: page.name
)
def test_every_path_in_the_guides_exists(page: Path) -> None:
    paths = re.findall(
        r"`((?:daemon|drivers|engine|learning|scripts|tests|systemd|web/src)/[\w./-]+)`", page.read_text()
    )
    assert [path for path in paths if path == path.lower() and not (ROOT / path).exists()] == []


def test_the_guide_to_the_dependencies_has_every_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    pages = json.loads((ROOT / "web/package.json").read_text())
    names = [re.split(r"[<>=;!~ \[]", text)[0] for text in wanted] + [*pages["dependencies"], *pages["devDependencies"]]
    guide = (ROOT / "docs/dependencies.md").read_text()
    assert [name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", guide)] == []
