"""A game of another package says itself which of its figures the history shows where."""

import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.history import statistics, tables
from daemon.history.archive import Archive
from daemon.history.statistics import Figures
from daemon.record.journal import Journal
from daemon.record.match_list import Filter
from daemon.system.catalogue import faces, games
from engine.game import Game
from engine.games.x01 import X01
from engine.games.x01_state import State
from engine.matchfile import Games
from engine.refusals import Refusal
from engine.statistics import Ratio, Statistics
from tests.daemon.past import LEG, Past

X01_COUNTS: Final = X01().statistics()


class Longshot(X01):
    """X01 under another name, with names of its own for what it counts."""

    def statistics(self) -> Statistics[State]:
        def show(figures: Any) -> dict[str, Any]:
            return {"per_visit": figures["points"], "average": 7.0, "steps": {"far": 3}}

        return Statistics(
            X01_COUNTS.count,
            show,
            X01_COUNTS.best,
            results=("per_visit",),
            columns=("average", "steps.far"),
            rates={"score_rate": Ratio("points", "darts", 2)},
            bests={"finish": "best_checkout", "fewest": "best_leg"},
            leg=X01_COUNTS.leg,
            leg_winners=X01_COUNTS.leg_winners,
        )


class Broken(X01):
    """A game whose statistics cannot even be asked for."""

    def statistics(self) -> Statistics[State]:
        raise ZeroDivisionError


class Odd(X01):
    """A game whose view has something else under a name that the history reads."""

    def view(self, state: State, viewer: str | None) -> dict[str, Any]:
        return super().view(state, viewer) | {"to_win": 5}


@pytest.fixture
def installed() -> Games:
    others: tuple[Game[Any], ...] = (Longshot(name="longshot"), Broken(name="broken"))
    return {**games(), **{game.name: game for game in others}}


@pytest.fixture
def past(tmp_path: Path, installed: Games) -> Iterator[Past]:
    with contextlib.closing(Journal(tmp_path)) as journal:
        yield Past(journal, installed)


def test_its_rates_bests_results_columns_and_legs_are_shown(past: Past, installed: Games) -> None:
    archive = Archive(past.journal, installed, faces())
    leg = "T20 T20 T20 . S1 . T20 T20 T20 . S1 . T20 T19 D12 ."
    match = past.add("longshot", ("Ann", "Bob"), f"{leg} S1 . {leg}", legs=2)
    ann = archive.player("Ann")
    assert ann is not None and not isinstance(ann, Refusal)
    assert ann["months"] == [{"month": "2026-03", "matches": 1, "won": 1, "score_rate": 111.33}]
    assert ann["opponents"] == [
        {"name": "Bob", "matches": 1, "won": 1, "lost": 0, "score_rate": 111.33, "their_score_rate": 2.0}
    ]
    about = {"started": "2026-03-01T20:00:00+00:00", "match": match, "game": "longshot"}
    assert ann["bests"] == {"fewest": [{"value": 9} | about] * 2, "finish": [{"value": 141} | about] * 2}
    assert [dict(point)["per_visit"] for point in ann["form"]] == [1002]
    record = archive.match(match)
    assert record is not None
    assert [(one["winners"], dict(one["players"][0])["per_visit"]) for one in record["legs"]] == [(["Ann"], 501)] * 2


def test_its_columns_follow_those_of_the_games_before_it(past: Past, installed: Games) -> None:
    archive = Archive(past.journal, installed, faces())
    past.add("longshot", ("Ann", "Bob"), LEG, start=101)
    past.add("x01", ("Ann", "Bob"), LEG, start=101)
    assert archive.is_counted() is None
    assert tables.history_columns(installed) == (*tables.history_columns(games()), "per_visit")
    rows = tables.history_rows(archive.results(Filter(), None, 50), installed)
    assert [row[-1] for row in rows] == [None, None, 101, None]
    # `average` is taken by X01.
    assert tables.players_columns(installed) == (*tables.players_columns(games()), "longshot average", "far")
    players = archive.players()
    assert isinstance(players, list)
    ann = dict(zip(tables.players_columns(installed), next(iter(tables.players_rows(players, installed))), strict=True))
    assert (ann["average"], ann["100"], ann["longshot average"], ann["far"]) == (101.0, 1, 7.0, 3)


def test_what_a_game_counted_that_is_gone_still_adds_up(past: Past, installed: Games) -> None:
    past.add("longshot", ("Ann", "Bob"), LEG, start=101)
    assert Archive(past.journal, installed, faces()).is_counted() is None
    past.add("x01", ("Ann", "Bob"), LEG, start=101)
    found = Archive(past.journal, games(), faces()).player("Ann")
    assert found is not None and not isinstance(found, Refusal)
    assert [(dict(one)["score_rate"], one["average"]) for one in found["months"]] == [(67.33, 101.0)]
    assert {kind: [one["game"] for one in some] for kind, some in found["bests"].items()} == {
        "checkout": ["x01"], "finish": ["longshot"],
    }  # fmt: skip


def test_a_game_that_raises_when_it_is_asked_is_left_out(
    past: Past, installed: Games, caplog: pytest.LogCaptureFixture
) -> None:
    archive = Archive(past.journal, installed, faces())
    match = past.add("broken", ("Ann", "Bob"), LEG, start=101)
    with caplog.at_level(logging.ERROR):
        record, ann = archive.match(match), archive.player("Ann")
        assert tables.players_columns(installed)[:3] == ("player", "matches", "won")
    assert record is not None and record["legs"] == []
    assert ann is not None and not isinstance(ann, Refusal)
    assert (ann["won"], ann["games"], ann["bests"]) == (1, {"broken": 1}, {})
    assert "the statistics of broken cannot be counted" in caplog.text


def test_a_view_of_another_shape_is_counted(past: Past, installed: Games) -> None:
    others: Games = {**installed, "odd": Odd(name="odd")}
    Past(past.journal, others).add("odd", ("Ann", "Bob"), LEG, start=101)
    players = Archive(past.journal, others, faces()).players()
    assert isinstance(players, list)
    assert {one["name"]: one["won"] for one in players} == {"Ann": 1, "Bob": 0}


def test_figures_of_a_game_that_raises_when_it_is_asked_add_up(installed: Games) -> None:
    found = statistics.total([Figures(by_game={"broken": {"darts": 1}})] * 2, installed)
    assert found.by_game == {"broken": {"darts": 2}}
