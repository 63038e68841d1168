"""A small day of tournament in simulated time; `scripts/tournament-day --simulated` plays a whole one."""

from pathlib import Path
from typing import Any, Final

from tests.day.day import Day, check_day, simulated_day
from tests.day.referee import KINDS

SMALL: Final[dict[str, Any]] = {"skills": (20, 28), "best_of": 1, "options": {"start": 201, "out": "open"}}


def test_a_day_of_a_double_knockout_ends_through_kills_and_all_that_a_referee_does(tmp_path: Path) -> None:
    day = simulated_day(tmp_path, players=8, boards=2, kills=2, seed=3, late=0.3, **SMALL)
    check_day(day)
    # There may be no free board to move a match to.
    assert {line["deed"] for line in day.of("deed")} >= set(KINDS) - {"move"}
    # Somebody came late, and it was said.
    assert any(line["late"] for line in day.of("tournament"))
    assert day.tournament.winner is not None


def test_the_same_seed_gives_the_same_day_and_another_one_another(tmp_path: Path) -> None:
    def played(name: str, seed: int) -> Day:
        (tmp_path / name).mkdir()
        short = SMALL | {"options": {"start": 101, "out": "open"}}
        return simulated_day(tmp_path / name, players=3, boards=1, kills=1, seed=seed, steps=200, **short)

    days = [played(*run) for run in (("first", 1), ("again", 1), ("other", 2))]
    assert days[0].digest == days[1].digest != days[2].digest
