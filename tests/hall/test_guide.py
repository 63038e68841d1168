"""Runs the commands of docs/hall.md as they are written there, in order, with the real daemon as the node."""

import asyncio
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final, get_args

from daemon.shipping.league import take_card
from engine.refusals import Reason
from league.cards import FIRST_DAY, CardReason
from league.hall_refusals import HTTP_STATUS, HallReason
from tests.hall.guide import GUIDE, commands_of
from tests.hall.postgres import Postgres
from tests.hall.programs import oche
from tests.mqtt_clients import Referee, Watcher
from tests.rig import OCHE, Daemon, Mosquitto, free_port, takes_connections, until

COMMANDS: Final = [
    line
    for line in commands_of(GUIDE.split("\n## A standby")[0])
    if not re.match("sudo (-u postgres (sh|pg_|createdb)|systemctl)", line)
]
"""Without a standby, and a backup, which `test_standby_guide.py` tries."""


def test_the_guide_names_every_reason() -> None:
    assert reasons("## What is refused") == get_args(HallReason) == tuple(HTTP_STATUS)
    assert reasons("## Cards of players") == get_args(CardReason)
    assert set(get_args(CardReason)) <= set(get_args(Reason))


def reasons(section: str) -> tuple[str, ...]:
    """The reasons in the table of a section."""
    return tuple(re.findall(r"^\| `([a-z_]+)` \|", GUIDE.split(section)[1].split("\n## ")[0], re.MULTILINE))


def test_every_command_of_the_guide(postgres: Postgres, broker: Mosquitto, watcher: Watcher, tmp_path: Path) -> None:
    postgres.ask("CREATE ROLE league LOGIN CREATEDB")
    url = postgres.url("hall").replace("hall@", "league@", 1)
    port = free_port()
    left = iter(COMMANDS)

    def run(changed: Callable[[str], str] = str, data: Path | None = None) -> tuple[int, str]:
        """Runs the next command of the guide."""
        words = shlex.split(changed(next(left)))
        assert words.pop(0) == "oche"
        code, out, err = asyncio.run(oche(*words, *([] if data else ["--db", url]), data=data))
        return code, out + err

    assert next(left) == "sudo apt install postgresql"
    assert next(left).startswith("sudo -u postgres createuser --createdb")
    svg = tmp_path / "ann.svg"
    command = shlex.split(next(left).replace("8090", str(port)))
    with subprocess.Popen([OCHE, *command[1:], "--db", url], stderr=subprocess.DEVNULL) as hall:
        daemon = Daemon(tmp_path, "--board", "lounge=virtual@sim:?pace=0&seed=1", "--broker", broker.url, node="crown")
        try:
            until(lambda: takes_connections(port), "the hall's port")
            _encrypted(next(left), url, tmp_path)
            # `tests/install/test_hall_deb.py` builds the package.
            assert next(left) == "sudo apt install oche-hall"
            assert run(lambda line: line.removeprefix("sudo -u oche-hall "))[0] == 0
            code = run()[1].split()[0]
            daemon.data.mkdir()

            def to_join(line: str) -> str:
                return line.replace("8090", str(port)).replace("CODE", code) + " --name crown"

            assert run(to_join, daemon.data)[0] == 0
            daemon.start()
            player = Referee(watcher, "lounge", "crown")
            player.online()
            player.ask({"start": {"game": "x01", "players": ["Ann", "Bob"]}})
            player.ask({"throw": "T20"})
            status = shlex.split(next(left))[1:]
            until(lambda: "has everything" in asyncio.run(oche(*status, data=daemon.data))[1], "the hall has all")
            text = run(lambda line: line.replace("ann.svg", str(svg)))[1].split()[0]
            assert "<svg" in svg.read_text()
            player_id, name = run()[1].split(",")[0].split()
            assert name == "Ann"
            assert run(lambda line: line.replace("ID", player_id))[0] == 0
            until(lambda: take_card(daemon.data, text, FIRST_DAY) == "Ann", "the node has heard of the league")
            assert run(lambda line: line.replace("ID", player_id))[0] == 0
            assert re.match(r"crown, joined, seen \d+ s ago|crown, joined, never seen", run()[1])
            assert run() == (0, "Every match is as it was signed.\n")
            assert run(lambda line: line.replace("NODE", "crown"))[0] == 0
            assert "crown, revoked" in asyncio.run(oche("hall", "nodes", "--db", url))[1]
            assert run(lambda line: line.replace("NODE", "crown"))[0] == 0
            assert run()[0] == 0
            assert run() == (0, "The figures of 0 matches have changed.\n")
            assert list(left) == []
            assert daemon.stop() == 0
        finally:
            daemon.stop()
            hall.terminate()
    assert hall.returncode == 0


def _encrypted(line: str, url: str, folder: Path) -> None:
    """Runs the hall with a certificate, on loopback, until it listens."""
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "1"]
    make += ["-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([*make, "-keyout", "key.pem", "-out", "crt.pem"], check=True, cwd=folder, stderr=subprocess.DEVNULL)
    port = free_port()
    words = shlex.split(line.replace("0.0.0.0:8443", f"127.0.0.1:{port}"))
    with subprocess.Popen([OCHE, *words[1:], "--db", url], cwd=folder, stderr=subprocess.DEVNULL) as hall:
        try:
            until(lambda: takes_connections(port), "the encrypted port")
            asked = [
                "curl",
                "--noproxy",
                "*",
                "--silent",
                "--fail",
                "--cacert",
                "crt.pem",
                f"https://localhost:{port}/v1/status",
            ]
            found = subprocess.run(asked, check=True, cwd=folder, capture_output=True, text=True)
            assert "epoch" in found.stdout
        finally:
            hall.terminate()
    assert hall.returncode == 0
