"""What was measured of every game: the tables of the guide show it, and no advice is worse than chance."""

import json
from dataclasses import asdict

import pytest

from engine.games import GAMES, families
from tests.games import simulations
from tests.games.simulations import BEGIN, END, GUIDE, counts, measure, read, tables

MEASURED = read()
GUIDE_TEXT = GUIDE.read_text("utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_game_is_measured_and_its_advice_is_no_worse_than_chance(name: str) -> None:
    assert name in MEASURED, f"measure it: scripts/simulations {name}"
    game = MEASURED[name]
    assert [row["players"] for row in game["lengths"]] == sorted(counts(name))
    assert all(0 < row["darts"] <= row["longest"] for row in game["lengths"])
    advice = game["advice"]
    if advice is not None:
        assert advice["won"] + 3 * advice["error"] >= 0.5
    assert bool(game["alone"]) == (families()[name] == "practice" or advice is None)


def test_guide_shows_what_was_measured() -> None:
    shown = GUIDE_TEXT.split(BEGIN)[1].split(END)[0]
    assert shown == f"\n\n{tables(MEASURED)}\n"


def test_measuring_a_game_gives_what_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulations, "AGAINST_RANDOM", 10)
    monkeypatch.setattr(simulations, "MATCHES", {1: 2, 2: 4, 4: 2})
    for name in ("finish_74", "boss_fight", "sudden_death"):
        measured = json.loads(json.dumps(asdict(measure(name))))
        assert measured.keys() == MEASURED[name].keys()
        assert (measured["advice"] is None) == (name == "boss_fight")
        assert len(measured["alone"]) == (0 if name == "sudden_death" else 2)
        for row in measured["lengths"]:
            assert len(row["won"]) == row["players"]
            assert sum(row["won"]) <= 1.01
