"""`oche doctor` and boards that call: their ports, and tokens that can be guessed."""

import socket
from pathlib import Path

from tests.install.doctor import Doctor, only
from tests.rig import Daemon, free_port, takes_connections, until

TOKEN = "0123456789abcdef"


def test_a_port_that_another_program_has(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        _, troubles = Doctor(tmp_path).ask(board=f"lounge=json-segment@listen://127.0.0.1:{port}?token={TOKEN}")
    found = only(troubles, "call-port")
    assert f"http://127.0.0.1:{port}" in found["wrong"] and "another" in found["do"]
    assert TOKEN not in str(troubles)


def test_a_running_daemon_is_asked_for_the_port(tmp_path: Path) -> None:
    port = free_port()
    here = ("--board", f"lounge=json-segment@listen://127.0.0.1:{port}")
    with Daemon(tmp_path, *here) as daemon:
        until(lambda: takes_connections(daemon.http) and takes_connections(port), "its ports")
        where = ("--data", str(daemon.data), "--http", f"127.0.0.1:{daemon.http}")
        _, troubles = Doctor(tmp_path).ask(*where, *here)
        assert "call-port" not in {trouble["check"] for trouble in troubles}
        _, troubles = Doctor(tmp_path).ask(*where, board=f"bar=json-segment@listen://127.0.0.1:{free_port()}")
        assert "nothing answers" in only(troubles, "call-port")["wrong"]


def test_a_token_that_can_be_guessed(tmp_path: Path) -> None:
    port = free_port()
    for settings, is_weak in (
        ("token=secret", True),
        (f"token={TOKEN}", False),
        ("token=secret&from=192.0.2.1", False),
    ):
        _, troubles = Doctor(tmp_path).ask(board=f"lounge=json-segment@listen://0.0.0.0:{port}?{settings}")
        assert ("weak-token" in {trouble["check"] for trouble in troubles}) == is_weak
        assert "secret" not in str(troubles)
