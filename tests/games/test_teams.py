"""Teams in X01 and Cricket: they conform, and two teams score like two players."""

from collections import Counter
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Next, Throw
from engine.conformance import check
from engine.game import Game
from engine.games import GAMES, families
from engine.match import Header, Match
from engine.matchfile import open_match
from engine.play import apply
from engine.random_play import random_match
from engine.refusals import Refusal
from engine.segments import SEGMENTS

NAMES: Final = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")
KINDS: Final = [
    ("x01", {"start": 101, "out": "open", "legs": 2}),
    ("x01", {"start": 201, "in": "double"}),
    ("cricket", {}),
    ("cricket", {"mode": "cut-throat", "rounds": 5}),
    ("cricket", {"mode": "no-score", "numbers": [20, "bull"]}),
]


@pytest.mark.parametrize(("game", "options"), KINDS)
@settings(max_examples=4)
@given(teams=st.integers(2, 4), more=st.integers(0, 3), seed=st.integers(0, 2**32))
def test_games_with_teams_conform(game: str, options: dict[str, Any], teams: int, more: int, seed: int) -> None:
    players = NAMES[: teams + more]
    assert list(check(GAMES[game], players, options | {"teams": teams}, None, Random(seed))) == []


@pytest.mark.parametrize(("game", "options"), KINDS)
@settings(max_examples=6)
@given(seed=st.integers(0, 2**32))
def test_two_pairs_score_as_two_players(game: str, options: dict[str, Any], seed: int) -> None:
    """The same darts for Ann and Bob, and for Ann with Cid against Bob with Dee."""
    record = random_match(GAMES[game], NAMES[:2], options, None, Random(seed), 300)
    alone = began(GAMES[game], NAMES[:2], options)
    pairs = began(GAMES[game], NAMES[:4], options | {"teams": 2})
    for action in record.actions:
        for_one, for_two = apply(alone, action), apply(pairs, action)
        assert not isinstance(for_one, Refusal)
        assert not isinstance(for_two, Refusal)
        alone, pairs = for_one, for_two
        first, second = alone.view()["players"], pairs.view()["players"]
        awards = [Counter(player.pop("awards", {})) for player in (*first, *second)]
        assert awards[:2] == [awards[2] + awards[4], awards[3] + awards[5]]
        for at, player in enumerate(second):
            assert player == first[at % 2] | {"name": NAMES[at], "team": at % 2 + 1}
        assert NAMES.index(pairs.turn.player) % 2 == NAMES.index(alone.turn.player)
    winners = alone.view()["winners"]
    assert pairs.view()["winners"] == [name for at, name in enumerate(NAMES[:4]) if NAMES[at % 2] in winners]


@pytest.mark.parametrize("game", ["x01", "cricket"])
@settings(max_examples=20)
@given(teams=st.integers(2, 4), more=st.integers(0, 4), darts=st.lists(st.integers(0, 3), min_size=12, max_size=30))
def test_teams_take_turns_and_partners_too(game: str, teams: int, more: int, darts: list[int]) -> None:
    players = NAMES[: teams + more]
    match = began(GAMES[game], players, {"teams": teams})
    seen = []
    for count in darts:
        seen.append(match.turn.player)
        for _ in range(count):
            match = done(match, "MISS")
            assert match.turn.player == seen[-1]
        match = done(match, None)
    for team in range(teams):
        mates = players[team::teams]
        assert seen[team::teams] == [mates[n % len(mates)] for n in range(len(seen[team::teams]))]


@pytest.mark.parametrize("game", [game for game, family in families().items() if family == "classics"])
def test_who_may_practise_alone(game: str) -> None:
    """Every classic can be played alone except Dart Wars, which needs an enemy."""
    assert (1 in GAMES[game].seats) == (game != "dart_wars")


def began(game: Game[Any], players: tuple[str, ...], options: dict[str, Any]) -> Match:
    match = open_match(Header(game.name, players, options), GAMES, {})
    assert isinstance(match, Match)
    return match


def done(match: Match, dart: str | None) -> Match:
    outcome = apply(match, Next() if dart is None else Throw(SEGMENTS[dart]))
    assert not isinstance(outcome, Refusal)
    return outcome
