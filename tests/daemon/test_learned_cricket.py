"""Bots in Cricket aim where a network says, in legs of Cricket too; other matches and spreads are left to the game."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from daemon.session.bot_advice import BotAdvice, thinker
from daemon.session.learned_cricket import learned_aim
from daemon.session.x01_plans import X01Plans
from daemon.system.catalogue import faces, games
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from twin.cricket_policy import best_spot


def begun(game: str = "cricket", players: tuple[str, ...] = ("Ann", "Bob"), **options: Any) -> Match:
    match = open_match(Header(game, players, options, NEWEST), games(), faces())
    assert isinstance(match, Match), match
    return match


def test_a_bot_aims_as_the_network_says(tmp_path: Path) -> None:
    match = begun()
    spot = best_spot(match.state, 17)

    async def ask() -> Any:
        executor = thinker()
        try:
            return await BotAdvice(executor, X01Plans(tmp_path)).of(match, 17, {"Bob": 17})
        finally:
            executor.shutdown()

    advice = asyncio.run(ask())
    assert advice.aim is not None
    assert (advice.aim.x, advice.aim.y) == (spot.at.x, spot.at.y)


def test_a_leg_of_a_match_is_known_too() -> None:
    assert learned_aim(begun(best_of=3), 17) == learned_aim(begun(), 17) is not None


@pytest.mark.parametrize(
    "match",
    [begun("x01"), begun("count_up"), begun(mode="no-score"), begun(players=("Ann", "Bob", "Cleo")), begun(rounds=10)],
)
def test_other_matches_are_left_to_the_game(match: Match) -> None:
    assert learned_aim(match, 17) is None


def test_spreads_that_no_network_knows_are_left_to_the_game() -> None:
    assert learned_aim(begun(), 1) is None
    assert learned_aim(begun(), 120) is None
