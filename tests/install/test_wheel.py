"""The wheel plays in an empty environment: without Node, compiler or network."""

import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

from tests.mqtt_clients import Watcher
from tests.rig import LIMIT_SECONDS, Daemon, Mosquitto, takes_connections, until

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([ROOT / "scripts/build-wheel", "--as-is", folder], check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.whl"))


def test_it_carries_what_it_needs(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for part in ("web/dist/index.html", "web/dist/app.js", "boards/models/maddarts.toml", "boards/faces/yatzy.toml"):
        assert part in names
    assert not [name for name in names if name.startswith(("tests/", "web/src/")) or name.endswith(".so")]
    assert wheel.name.endswith("-py3-none-any.whl")


def test_an_empty_environment_plays_from_it(
    wheel: Path, tmp_path: Path, broker: Mosquitto, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The sources must not be found.
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.chdir(tmp_path)
    wheels = ROOT / subprocess.run([ROOT / "scripts/wheels"], check=True, capture_output=True, text=True).stdout.strip()
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    install: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        environment / "bin/python",
        "install",
        "--quiet",
        "--no-index",
    ]
    subprocess.run(
        [
            *install,
            "--find-links",
            wheels,
            "--only-binary=:all:",
            "--require-hashes",
            "-r",
            ROOT / "requirements/run.txt",
        ],
        check=True,
    )
    subprocess.run([*install, "--no-deps", wheel], check=True)
    with Daemon(tmp_path, "--broker", broker.url, program=str(environment / "bin/oche")) as daemon:
        hit = watcher.wait(lambda m: m.topic == "oche/test/board/virtual/hit", "a dart of the bots").payload
        assert hit["id"].startswith("virtual-")
        # The web server starts after the first darts.
        until(lambda: takes_connections(daemon.http), "the pages")
        assert b"<html" in _get(daemon.http, "")
        scripts = sum(len(_get(daemon.http, file.name)) for file in (ROOT / "web/dist").glob("*.js"))
        assert scripts > 50_000, "the scripts of the pages, most of them in files of their own"


def _get(port: int, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=LIMIT_SECONDS) as page:
        content: bytes = page.read()
        return content
