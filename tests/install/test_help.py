"""Help, manual pages and completion come from one parser; their examples are valid."""

import gzip
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.cli.parser import parser
from daemon.cli.parsing import Parser
from daemon.system.exit_codes import EXITS
from daemon.system.urls import board_spec, http_address, model_at_url
from daemon.system.version import version
from tests.install.conftest import ROOT
from tests.rig import OCHE


def parsers(page: Parser) -> Iterator[Parser]:
    yield page
    for below in page.commands().values():
        yield from parsers(below)


ALL = {page.prog: page for page in parsers(parser())}


@pytest.mark.parametrize("name", ALL)
def test_the_help_ends_with_an_example_that_is_understood(name: str) -> None:
    page = ALL[name]
    assert page.format_help().rstrip().endswith(page.example.splitlines()[-1])
    assert page.description
    for line in page.example.splitlines():
        oche, *words = shlex.split(line.removeprefix("sudo ").partition(" > ")[0])
        assert oche == "oche"
        assert line.removeprefix("sudo ").startswith(name)
        parsed = parser().parse_args(words)
        assert parsed.command
        if name == "oche listen":
            assert model_at_url(parsed.board)
        if name == "oche run":
            assert [board_spec(spec) for spec in parsed.board] or words == ["run"]
        if getattr(parsed, "http", None):
            assert http_address(parsed.http)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manuals")
    subprocess.run([sys.executable, ROOT / "scripts/manuals", folder], check=True, env={"SOURCE_DATE_EPOCH": "0"})
    return folder


@pytest.mark.parametrize("name", ALL)
def test_the_manual_has_every_option_the_example_and_the_exit_codes(root: Path, name: str) -> None:
    packed = (root / f"usr/share/man/man1/{name.replace(' ', '-')}.1.gz").read_bytes()
    text = gzip.decompress(packed).decode()
    assert text.startswith(f'.TH {name.replace(" ", "-").upper()} 1 1970-01-01 "oche {version()}"')
    plain = text.replace("\\-", "-").replace("\\&", "").replace("\\e", "\\")
    for option in ALL[name].options():
        assert f"\\fB{option}\\fR" in plain
    for part in (*ALL[name].example.splitlines(), *EXITS.values()):
        assert part in plain
    # A line that begins with a dot is a macro.
    macros = {line.split()[0] for line in text.splitlines() if line.startswith((".", "'"))}
    assert macros <= {".TH", ".SH", ".TP", ".B", ".nf", ".fi"}


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("oche mat", "matches"),
        ("oche access li", "list"),
        ("oche run --bro", "--broker"),
        ("oche throw --no", "--node"),
    ],
)
def test_bash_completes(root: Path, typed: str, offered: str) -> None:
    file = root / "usr/share/bash-completion/completions/oche"
    words = typed.split()
    script = (
        f"source {file}; COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; "
        f"_shtab_oche oche {words[-1]} {words[-2]}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    said = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout
    assert offered in said.split()


def test_zsh_has_every_command(root: Path) -> None:
    text = (root / "usr/share/zsh/vendor-completions/_oche").read_text()
    assert text.startswith("#compdef oche")
    assert all(re.search(rf"^\s*[\"']?{command}:", text, re.MULTILINE) for command in parser().commands())


def test_the_version_is_one_line_and_oche_alone_is_help() -> None:
    said = subprocess.run([OCHE, "--version"], capture_output=True, text=True, check=True)
    assert (said.stdout, said.stderr) == (f"oche {version()}\n", "")
    for words in ((), ("access",)):
        said = subprocess.run([OCHE, *words], capture_output=True, text=True, check=True)
        assert said.stdout.startswith("usage: oche")
        assert "error" not in said.stdout + said.stderr
