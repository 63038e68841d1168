"""The add-on of Home Assistant: what its options become, and which broker it uses."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from daemon.system.config import load_settings
from tests.install.conftest import ROOT

FOLDER = ROOT / "container/home-assistant/oche"
SERVICE = {"host": "core-mosquitto", "port": 1883, "ssl": False, "username": "addons", "password": "a/b c:d"}
ANSWER = {"result": "ok", "data": SERVICE}


def add_on() -> Any:
    spec = importlib.util.spec_from_file_location("add_on", FOLDER / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Supervisor(BaseHTTPRequestHandler):
    """Answers as the Supervisor does: 400 where no add-on offers a broker."""

    status, answer = 200, ANSWER

    def do_GET(self) -> None:
        known = (self.path, self.headers["Authorization"]) == ("/services/mqtt", "Bearer token")
        self.send_response(self.status if known else 403)
        self.end_headers()
        self.wfile.write(json.dumps(self.answer).encode())

    def log_message(self, *_: object) -> None:
        """Prints nothing."""


@pytest.fixture(params=[(200, ANSWER), (400, {"result": "error"}), (502, {})], ids=lambda param: str(param[0]))
def supervisor(request: pytest.FixtureRequest) -> Iterator[tuple[int, str]]:
    """The status that a Supervisor answers with, and its address."""
    status, answer = request.param
    handler = type("Handler", (Supervisor,), {"status": status, "answer": answer})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield status, f"127.0.0.1:{server.server_port}"
        server.shutdown()


def start(folder: Path, options: dict[str, Any], supervisor: str) -> subprocess.CompletedProcess[str]:
    """Runs the add-on's program, with a program `oche` that prints its words."""
    (folder / "options.json").write_text(json.dumps(options))
    (folder / "oche-program").mkdir()
    program = folder / "oche-program/oche"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    program.chmod(0o755)
    environment = {"PATH": f"{program.parent}:{os.environ['PATH']}", "SUPERVISOR_TOKEN": "token"}
    return subprocess.run(
        [sys.executable, "-I", FOLDER / "run.py", folder, supervisor],
        check=False,
        env=environment,
        capture_output=True,
        text=True,
    )


def test_it_uses_the_broker_of_home_assistant_or_its_own(supervisor: tuple[int, str], tmp_path: Path) -> None:
    status, address = supervisor
    done = start(tmp_path, {"network": False, "boards": []}, address)
    config = tmp_path / "oche.toml"
    if status == 502:
        assert done.returncode == 1
        assert done.stderr.startswith("The Supervisor does not say which broker Home Assistant has: ")
        assert not config.exists()
        return
    assert done.stdout.splitlines() == ["run", "--config", str(config)]
    assert config.stat().st_mode & 0o777 == 0o600
    settings = load_settings(str(config), [], None, None, None, None)
    assert (settings.host, settings.port, settings.data) == ("127.0.0.1", 8080, tmp_path / "oche")
    assert settings.broker.scheme == ("mqtt" if status == 200 else "embedded")
    if status == 200:
        broker = settings.broker
        assert (broker.host, broker.port, broker.user, broker.password) == ("core-mosquitto", 1883, "addons", "a/b c:d")


def test_a_broker_in_the_options_is_used_without_a_question(tmp_path: Path) -> None:
    options = {
        "network": True,
        "broker": "embedded:",
        "boards": [{"name": "lounge", "board": 'virtual@sim:?skill=9&name="Ä"'}],
    }
    done = start(tmp_path, options, "127.0.0.1:9")
    assert done.returncode == 0, done.stderr
    file = tomllib.loads((tmp_path / "oche.toml").read_text("utf-8"))
    assert file["boards"] == {"lounge": options["boards"][0]["board"]}  # type: ignore[index]
    assert file["http"] == "0.0.0.0:8080"


def test_an_encrypted_broker_without_users() -> None:
    assert add_on().broker_of({"host": "here", "port": 8883, "ssl": True}) == "mqtts://here:8883"


def test_its_options_are_what_its_program_reads() -> None:
    config = yaml.safe_load((FOLDER / "config.yaml").read_text())
    words = set(re.findall(r'options(?:\.get\(|\[)"(\w+)"', (FOLDER / "run.py").read_text()))
    named = yaml.safe_load((FOLDER / "translations/en.yaml").read_text())["configuration"]
    assert words == config["schema"].keys() == named.keys()
    # Nothing listens to the network unless the owner says so: without an answer the add-on does not start.
    assert config["options"]["network"] is None
    assert config["webui"].endswith(f":{add_on().PORT}]")


def test_its_image_is_made_of_packages_that_a_release_has() -> None:
    machines = {"aarch64": "arm64", "amd64": "amd64"}
    config = yaml.safe_load((FOLDER / "config.yaml").read_text())
    assert {machines[name] for name in config["arch"]} == {"arm64", "amd64"}
    file = (FOLDER / "Dockerfile").read_text()
    assert re.findall(r"^COPY (\S+)", file, re.MULTILINE) == ["packages", "run.py"]
    bases = re.findall(r"^ARG BASE=\S+/debian:(\d+)-slim$", file, re.MULTILINE)
    assert f'deb{bases[0]}_"$arch"' in (ROOT / "scripts/add-on").read_text()
