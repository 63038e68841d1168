"""`oche season results` from the journal of a node: matches that bots have played, singles and pairs, on two boards."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.mqtt_clients import Referee, watching
from tests.rig import Daemon, free_port, oche

SINGLES: Final = """season = 1
name = "2026"
games = 3
[[division]]
name = "First"
teams = ["Ann", "Bob"]
"""
PUBS: Final = """season = 1
name = "2026"
games = 2
[[division]]
name = "First"
teams = ["Crown", "Swan"]
[players]
Crown = ["Cem", "Dora"]
Swan = ["Eve", "Fin"]
"""
SHORT: Final = {"start": 101, "out": "open"}


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[dict[str, Any]]]]:
    """The data of a node, and the end of each match as displays have seen it: a single, a pair, another single."""
    folder, port = tmp_path_factory.mktemp("season"), free_port()
    boards = [part for name in ("one", "two") for part in ("--board", f"{name}=virtual@sim:?pace=0")]
    seen: list[dict[str, Any]] = []
    with Daemon(folder, *boards, "--broker", f"embedded://127.0.0.1:{port}") as daemon, watching(port) as watcher:
        for board, players, options in (
            ("one", ("Ann", "Bob"), {"best_of": 3}),
            ("two", ("Cem", "Eve", "Dora", "Fin"), {"teams": 2}),
            ("one", ("Eve", "Cem"), {}),
            # A guest belongs to no team.
            ("two", ("Ann", "A guest"), {}),
        ):
            referee, since = Referee(watcher, board), len(watcher.seen)
            referee.online()
            start = {"game": "x01", "players": list(players), "options": SHORT | options}
            assert referee.ask({"start": start | {"bots": dict.fromkeys(players, 20)}})["ok"]
            seen.append(referee.state(lambda match: bool(match.get("finished")), "the end", since))
        # One that is not over.
        assert Referee(watcher, "one").ask({"start": {"game": "x01", "players": ["Ann", "Bob"]}})["ok"]
        daemon.kill()
    yield folder / "data", seen


def filled(data: Path, season: str, *words: str | Path) -> tuple[list[dict[str, str]], str]:
    """The lines of the list that have a result, and what was said of others."""
    path = data.parent / "season.toml"
    path.write_text(season)
    done = oche("season", "results", path, *words, "--data", data)
    return [row for row in csv.DictReader(io.StringIO(done.stdout)) if row["date"]], done.stderr


def legs_of(state: dict[str, Any], name: str) -> int:
    return next(int(player["legs"]) for player in state["players"] if player["name"] == name)


def test_the_legs_of_a_single_match_are_its_result(evening: tuple[Path, list[dict[str, Any]]]) -> None:
    data, seen = evening
    (row,), said = filled(data, SINGLES)
    assert {row["home"], row["away"]} == {"Ann", "Bob"}
    for side in ("home", "away"):
        assert int(row[f"{side}_games"]) == legs_of(seen[0], row[side])
        assert row[f"{side}_180s"] == "0"
    assert said == ""


def test_the_matches_of_pairs_and_singles_are_the_games_of_an_evening(
    evening: tuple[Path, list[dict[str, Any]]],
) -> None:
    data, seen = evening
    (row,), said = filled(data, PUBS)
    won = {"Crown": 0, "Swan": 0}
    for state in (seen[1], seen[2]):
        won["Crown" if {"Cem", "Dora"} & set(state["winners"]) else "Swan"] += 1
    assert sorted(won.values()) in ([0, 2], [1, 1])
    assert {row[side]: int(row[f"{side}_games"]) for side in ("home", "away")} == won
    assert said == ""


def test_what_was_found_is_found_once_and_a_later_day_has_nothing(evening: tuple[Path, list[dict[str, Any]]]) -> None:
    data, _ = evening
    path = data.parent / "season.toml"
    path.write_text(SINGLES)
    results = data.parent / "results.csv"
    results.write_text(oche("season", "results", path, "--data", data).stdout)
    rows, said = filled(data, SINGLES, "--results", results)
    assert (len(rows), said) == (1, "")
    tables = [
        json.loads(line) for line in oche("season", "tables", path, "--results", results, "--json").stdout.splitlines()
    ]
    assert sum(row["played"] for table in tables for row in table["rows"]) == 2
    assert filled(data, SINGLES, "--since", "9999-01-01") == ([], "")


def test_a_journal_that_is_not_there_is_said(tmp_path: Path) -> None:
    path = tmp_path / "season.toml"
    path.write_text(SINGLES)
    done = oche("season", "results", path, "--data", tmp_path / "none", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "none" in done.stderr
