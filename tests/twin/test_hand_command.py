"""`oche hand` over a journal of matches."""

import asyncio
import contextlib
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from daemon.history.match_import import read_match_file
from daemon.record.journal import Imported, Journal
from daemon.system.catalogue import faces, games
from engine import jsontext
from engine.actions import action_to_json
from tests.rig import oche
from tests.twin.played import play
from tests.twin.thrower import Thrower
from twin.hand import Hand

PUB = Hand(22, 28, 0.2, 3, -4)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    with contextlib.closing(Journal(folder)) as journal:
        for match in play("x01", Thrower(PUB, seed=4), 25, 400):
            lines = [match.header.to_json(), *(action_to_json(action) for action in match.played)]
            read = read_match_file("\n".join(map(jsontext.dump, lines)).encode(), games(), faces())
            assert isinstance(read, Imported)
            asyncio.run(journal.write(read))
    return folder


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return oche("hand", *words, check=False)


def test_a_hand_is_shown(data: Path) -> None:
    shown = run("Ann", "--data", data)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith("Ann, from 400 darts:\n  across       ")
    assert "Most points: aim " in shown.stdout


def test_as_one_object(data: Path) -> None:
    about: dict[str, Any] = json.loads(run("Ann", "--json", "--data", data).stdout)
    assert about["player"] == "Ann"
    assert about["darts"] == 400
    assert abs(about["x_mm"] - PUB.x_mm) < 4 * about["error"]["x_mm"]
    assert about["best"]["points"] >= about["at_t20"]


def test_who_has_thrown_too_little(data: Path) -> None:
    refused = run("Bob", "--data", data)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "0 darts of Bob are known" in refused.stderr
