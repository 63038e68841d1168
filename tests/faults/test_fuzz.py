"""Promise 3: no bytes from a board, no message, no file and no request raises, hangs or grows memory.

`scripts/soak fuzz` goes on where this ends, led by the coverage.
"""

import contextlib
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.faults.fuzz import parser_of, tries
from tests.faults.parsers import PARSERS
from tests.faults.served import GOOD, UPGRADE, visited
from tests.rig import LIMIT_SECONDS, Daemon, until

TRIES: Final = 40


@pytest.mark.parametrize("name", PARSERS)
def test_no_bytes_raise(name: str) -> None:
    assert tries(name, TRIES, seed=1) > 0


@pytest.mark.parametrize("kind", GOOD)
def test_no_request_ends_the_server(tmp_path: Path, kind: str) -> None:
    """Half requests, long headers, broken frames on many connections; then the pages are there and a dart counts."""
    visited(tmp_path, kind, 1, lambda read: read > 300_000)


def test_a_key_that_is_not_ascii_is_the_visitors_own_fault(tmp_path: Path) -> None:
    with Daemon(tmp_path, "--board", "lounge=virtual@sim:") as daemon:
        until(lambda: "display is at" in daemon.log(), "the pages")
        with socket.create_connection(("127.0.0.1", daemon.http)) as visitor:
            visitor.sendall(UPGRADE.replace(b"dGhlIHNhbXBsZSBub25jZQ==", b"dGhlIHNhbXBsZSBub25jZ\xc3\xa4"))
            assert visitor.recv(100).startswith(b"HTTP/1.1 400")
        assert "Traceback" not in daemon.log()


@pytest.mark.parametrize(("how", "name"), [("chance", "trusts"), ("chance", "hangs"), ("coverage", "raises")])
def test_a_planted_fault_is_found(tmp_path: Path, how: str, name: str) -> None:
    """The proof of the instrument; the input that did it is kept."""
    if how == "coverage":
        pytest.importorskip("atheris", reason="the coverage leads on x86 alone")
    command = [sys.executable, "-m", "tests.faults.fuzz", how, f"planted:{name}", "30", "1", str(tmp_path)]
    found = subprocess.run(command, check=False, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    assert found.returncode != 0, found.stdout
    assert {"raises": "KeyError: 'planted'", "trusts": "OverflowError", "hangs": "longer than"}[name] in (
        found.stdout + found.stderr
    )
    [kept] = tmp_path.glob("found-*")
    with pytest.raises((KeyError, OverflowError)) if name != "hangs" else contextlib.nullcontext():
        if name == "hangs":
            assert b"\xff" in kept.read_bytes()
        else:
            parser_of(f"planted:{name}")(kept.read_bytes())
