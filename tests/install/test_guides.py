"""The commands in the guides for owners exist."""

import re
import shlex

import pytest

from daemon.cli.parser import parser
from daemon.cli.service import UNITS
from tests.install.conftest import ROOT

GUIDES = ("docs/raspberry-pi.md", "docs/troubleshooting.md")


def typed(guide: str) -> list[list[str]]:
    """Returns the command lines of a guide as words, without sudo."""
    blocks = re.findall(r"^```\n(.*?)^```", (ROOT / guide).read_text(), re.MULTILINE | re.DOTALL)
    return [shlex.split(line.removeprefix("sudo ")) for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize("words", [words for guide in GUIDES for words in typed(guide)], ids=" ".join)
def test_a_line_of_a_guide(words: list[str]) -> None:
    match words:
        case ["oche", *arguments]:
            assert parser().parse_args(arguments).command
        case [script, *arguments] if script.startswith("scripts/"):
            text = (ROOT / script).read_text()
            known = text + (ROOT / "tests/bench/__main__.py").read_text()
            assert all(word in known for word in arguments if word.startswith("--"))
        case ["systemctl", *_, unit]:
            assert f"{unit}.service" in UNITS
        case ["journalctl", "-u", unit, *_]:
            assert f"{unit}.service" in UNITS
        case ["apt", "install", *packages]:
            assert packages
        case [_, "PIPX_BIN_DIR=/usr/local/bin", "pipx", "install", wheel]:
            assert wheel == "./dist/oche-*-py3-none-any.whl"
        case _:
            raise AssertionError(f"nobody looks after {words}")


def test_every_check_of_the_doctor_is_in_the_guide() -> None:
    source = "".join(path.read_text() for path in (ROOT / "daemon/doctor").glob("*.py"))
    kinds = set(re.findall(r'Trouble\(\s*"([a-z-]+)"', source))
    told = set(re.findall(r"^\| `([a-z-]+)` \|", (ROOT / "docs/troubleshooting.md").read_text(), re.MULTILINE))
    assert kinds == told - {"check"}
    assert len(kinds) >= 10
