"""What a running game with secrets shows in the history: its darts, and nothing that it counts."""

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from daemon.history.archive import Archive
from daemon.history.tables import history_rows
from daemon.record.changes import MatchRow
from daemon.record.journal import Imported, Journal
from daemon.record.match_list import Filter
from daemon.system.catalogue import faces, games
from engine import jsontext
from engine.actions import action_to_json
from engine.games import GAMES
from engine.random_play import random_match
from engine.refusals import Refusal

SECRET = [name for name, game in GAMES.items() if getattr(game, "all_public", False) is not True]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with contextlib.closing(Journal(tmp_path)) as journal:
        yield journal


@pytest.mark.parametrize(
    "game", [name for name in SECRET if name in ("blind_killer", "dart_sweeper", "hidden_cricket")]
)
def test_a_running_game_with_secrets_tells_nothing_that_it_counts(game: str, journal: Journal) -> None:
    record = random_match(GAMES[game], ("Ann", "Bob", "Cid"), {}, None, Random(3), 30)
    lines = tuple(jsontext.dump(action_to_json(action)) for action in record.actions)
    header = jsontext.dump(record.header.to_json())
    running = MatchRow("20260301-200000-a", "den", header, "{}", "2026-03-01T20:00:00+00:00", None, None, None)
    asyncio.run(journal.write(Imported(running, lines)))
    archive = Archive(journal, games(), faces())
    ann = archive.player("Ann")
    assert ann is not None and not isinstance(ann, Refusal)
    assert ann["matches"] == 1
    assert game not in ann
    match = archive.match(running.id)
    assert match is not None
    assert "legs" not in match and "results" not in match
    assert not any("deck" in action and action["deck"] for action in match["actions"])
    [listed] = archive.matches()
    assert "results" not in listed
    for row in history_rows(archive.results(Filter(), None, 9), games()):
        assert set(row[9:]) == {None}


def test_there_are_games_with_secrets() -> None:
    assert {"blind_killer", "dart_sweeper", "hidden_cricket"} <= set(SECRET)
