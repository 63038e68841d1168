"""The guide for game authors: its game, its tests, its match file and its package are built and run."""

import importlib
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.system.catalogue import games
from engine.actions import Roll, Throw
from engine.conformance import check
from engine.darts import Points
from engine.game import Game
from engine.games import GAMES
from engine.match import Match
from engine.matchfile import open_match, read_action, read_header
from engine.play import apply
from engine.random_play import start
from engine.refusals import Refusal
from engine.segments import SEGMENTS
from tests.packages import install

ROOT: Final = Path(__file__).parents[2]
GUIDE: Final = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
FILES: Final[dict[str, str]] = {}
for _name, _text in re.findall(r"```\w+ file=(\S+)\n(.*?)```", GUIDE, re.DOTALL):
    FILES[_name] = FILES.get(_name, "") + _text


def test_the_guide_imports_only_the_public_interface() -> None:
    imports = re.findall(r"^(?:from|import) (\w+)", FILES["hot_number.py"] + FILES["test_hot_number.py"], re.MULTILINE)
    assert set(imports) & {"boards", "daemon", "drivers", "engine", "learning", "oche"} == {"oche"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages: the guide's game, and others that are broken."""
    folder = tmp_path_factory.mktemp("site")
    project = tomllib.loads(FILES["pyproject.toml"])["project"]
    entries = project["entry-points"]["oche.games"]
    shipped = {name: FILES[name] for name in ("hot_number.py", "test_hot_number.py")}
    install(folder, project["name"], "oche.games", entries, shipped)
    broken = {
        "absent": "no_such_module:GAME",
        "broken": "broken:GAME",
        "half": "half:GAME",
        "alias": "hot_number:GAME",
        "x01": "hot_number:GAME",
    }
    modules = {"broken.py": "1 / 0\n", "half.py": 'class Half:\n    name = "half"\n\n\nGAME = Half()\n'}
    install(folder, "oche-broken", "oche.games", broken, modules)
    (folder / "hot_number.jsonl").write_text(FILES["hot_number.jsonl"], encoding="utf-8")
    return folder


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(str(site))
    games.cache_clear()
    yield site
    games.cache_clear()


@pytest.fixture(scope="module")
def game(site: Path) -> Iterator[Game[Any]]:
    sys.path.insert(0, str(site))
    module = importlib.import_module("hot_number")
    sys.path.remove(str(site))
    yield module.GAME
    del sys.modules["hot_number"]


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    seats=st.integers(1, 4),
    seed=st.integers(0, 2**32),
    options=st.fixed_dictionaries({}, optional={"rounds": st.integers(1, 9), "neighbours": st.booleans()}),
)
def test_the_game_of_the_guide_conforms(game: Game[Any], seats: int, seed: int, options: dict[str, Any]) -> None:
    assert list(check(game, ("Ann", "Bob", "Cid", "Dee")[:seats], options, None, Random(seed))) == []


def play(game: Game[Any], text: str) -> list[Match]:
    """The match before its first action and after each line."""
    header, *lines = text.encode().splitlines()
    about = read_header(header)
    assert not isinstance(about, Refusal)
    match = open_match(about, {game.name: game}, {})
    assert not isinstance(match, Refusal)
    states = [match]
    for line in lines:
        action = read_action(line)
        assert not isinstance(action, Refusal)
        outcome = apply(states[-1], action)
        assert not isinstance(outcome, Refusal), (line, outcome)
        states.append(outcome)
    return states


def test_the_match_of_the_guide(game: Game[Any]) -> None:
    states = play(game, FILES["hot_number.jsonl"])
    assert [match.finished for match in states] == [False] * (len(states) - 1) + [True]
    end = states[-1].view()
    assert end["winners"] == ["Bob"]
    assert end["players"] == [{"name": "Ann", "score": 4}, {"name": "Bob", "score": 8}]
    assert end["turn"]["darts"] == ["D20", "S5", "S1"]
    assert end["turn"]["hot"] == 20


def test_a_die_says_what_counts_and_points_that_do_not_tell_are_asked_about(game: Game[Any]) -> None:
    match = start(game, ("Ann",), {"rounds": 1})
    assert isinstance(match, Match)
    assert isinstance(apply(match, Throw(SEGMENTS["S6"])), Refusal)
    assert isinstance(apply(match, Roll((21,))), Refusal)
    rolled = apply(match, Roll((6,)))
    assert isinstance(rolled, Match)
    beds = tuple(SEGMENTS[text] for text in ("T6", "D9", "S18"))
    asked = apply(rolled, Throw(Points(18, beds)))
    assert isinstance(asked, Match)
    assert asked.view()["turn"]["candidates"] == ["T6", "D9", "S18"]
    plain = apply(rolled, Throw(Points(36, (SEGMENTS["T12"], SEGMENTS["D18"]))))
    assert isinstance(plain, Match)
    assert "candidates" not in plain.view()["turn"]


@pytest.mark.parametrize("hot", [1, 20, 5])
def test_the_advice_goes_for_the_triple_of_the_hot_number(game: Game[Any], hot: int) -> None:
    match = start(game, ("Ann",), {})
    assert isinstance(match, Match)
    rolled = apply(match, Roll((hot,)))
    assert isinstance(rolled, Match)
    aim = game.advice(rolled.state, 3.0).aim
    assert aim is not None
    assert aim.target == f"T{hot}"


def test_games_from_outside_are_found_and_broken_ones_left_out(
    installed: Path, caplog: pytest.LogCaptureFixture
) -> None:
    found = games()
    assert list(found) == [*GAMES, "hot_number"]
    assert len(found) == len(list(found))
    assert found["hot_number"].title == "Hot Number"
    assert found["x01"] is GAMES["x01"]
    told = {line.split()[2]: line for line in caplog.messages}
    assert told.keys() == {"absent", "alias", "broken", "half", "x01"}
    assert "it cannot be loaded, ModuleNotFoundError" in told["absent"]
    assert "it calls itself 'hot_number'" in told["alias"]
    assert "it cannot be loaded, ZeroDivisionError" in told["broken"]
    assert "it has no title, seats" in told["half"]
    assert "there is a game of this name already" in told["x01"]


def oche(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(site), str(ROOT)))
    command = [sys.executable, "-m", "daemon.main", *arguments]
    return subprocess.run(
        command, env=os.environ | {"PYTHONPATH": path}, cwd=site, capture_output=True, text=True, check=False
    )


def test_the_program_plays_a_game_from_outside(site: Path) -> None:
    replayed = oche(site, "replay", "--json", "hot_number.jsonl")
    assert replayed.returncode == 0, replayed.stderr
    assert json.loads(replayed.stdout)["winners"] == ["Bob"]
    assert "The game half of half:GAME is left out" in replayed.stderr
    simulated = oche(site, "simulate", "hot_number", "--matches", "60", "--seed", "1", "--json")
    assert simulated.returncode == 0, simulated.stderr
    assert json.loads(simulated.stdout)["darts"]["longest"] == 42


def test_the_suite_of_the_guide_passes(site: Path) -> None:
    path = os.pathsep.join((str(site), str(ROOT)))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_hot_number.py"]
    passed = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": path}, cwd=site, capture_output=True, text=True, check=False
    )
    assert passed.returncode == 0, passed.stdout
    assert "40 passed" in passed.stdout
