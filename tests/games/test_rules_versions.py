"""Versions of the rules: a file plays by the version of its header, a new match by the newest."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.session.commands import Command, Start, read_command
from daemon.web.game_list import describe_game
from engine.actions import Action, Next, Roll
from engine.games import GAMES
from engine.games.cerberus import GAME as CERBERUS
from engine.games.cerberus_state import State
from engine.match import Header, Match, begin
from engine.matchfile import NEWEST, open_match, read_header
from engine.options import newest_rules
from engine.play import replayed
from engine.random_play import random_match
from engine.refusals import Refusal
from tests.games.setups import FACES

ROUND: Final[tuple[Action, ...]] = (Roll((1, 2, 3)), Next()) * 2


def opened(header: Header) -> Match:
    match = open_match(header, GAMES, FACES)
    assert isinstance(match, Match), match
    return match


def cerberus(rules: int, options: dict[str, Any]) -> Match:
    return opened(Header("cerberus", ("Ann", "Bob"), options, rules))


def after(match: Match, rounds: int) -> Match:
    played = replayed(match, ROUND * rounds)
    assert isinstance(played, Match), played
    return played


def test_cerberus_ends_after_200_rounds_by_rules_2_alone() -> None:
    last = after(cerberus(2, {}), 199)
    assert not last.finished
    over = after(last, 1)
    assert (over.finished, over.view()["winners"]) == (True, ["Ann", "Bob"])
    assert not after(cerberus(1, {}), 250).finished
    assert not after(cerberus(2, {"rounds": 0}), 250).finished


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32), rounds=st.integers(1, 6), house=st.sampled_from((None, 0, 4)), seats=st.integers(1, 5)
)
def test_at_the_limit_the_highest_total_of_those_who_are_in_wins(
    seed: int, rounds: int, house: int | None, seats: int
) -> None:
    options = {"rounds": rounds, "margin": 12} | ({} if house is None else {"cerberus_points": house})
    record = random_match(CERBERUS, ("Ann", "Bob", "Cid", "Dee", "Eve")[:seats], options, None, Random(seed))
    over = replayed(begin(record.header, CERBERUS, record.begun), record.actions)
    assert isinstance(over, Match)
    assert isinstance(over.state, State)
    view = over.view()
    left = [player for player in view["players"] if "out" not in player]
    most = max(player["score"] for player in left)
    assert over.finished
    assert view["round"] <= rounds
    assert len(left) == 1 or view["round"] == rounds
    assert view["winners"] == [player["name"] for player in left if player["score"] == most]
    for player in left:
        assert player["place"] == 1 + sum(other["score"] > player["score"] for other in left)


@pytest.mark.parametrize("name", GAMES)
def test_a_new_match_has_the_newest_rules_and_its_header_says_which(name: str) -> None:
    game = GAMES[name]
    body = {"start": {"game": name, "players": ["Ann", "Bob", "Cid"][: max(2, game.seats.start)]}}
    _, command = read_command(json.dumps(body).encode())
    assert isinstance(command, Command)
    assert isinstance(command.ask, Start)
    begun = opened(command.ask.header)
    assert begun.header.rules == newest_rules(game.options) >= 1
    line = json.dumps(begun.header.to_json()).encode()
    assert read_header(line) == begun.header
    assert opened(begun.header) == begun


def test_a_start_may_ask_for_older_rules() -> None:
    body = {"start": {"game": "cerberus", "players": ["Ann", "Bob"], "rules": 1}}
    _, command = read_command(json.dumps(body).encode())
    assert isinstance(command, Command)
    assert isinstance(command.ask, Start)
    assert opened(command.ask.header).header.rules == 1


@pytest.mark.parametrize("rules", [0, -1, 99, True, "2", 1.0])
def test_an_unknown_version_is_refused(rules: object) -> None:
    line = json.dumps({"match": 1, "rules": rules, "game": "cerberus", "players": ["Ann", "Bob"]}).encode()
    header = read_header(line)
    found = header if isinstance(header, Refusal) else open_match(header, GAMES, FACES)
    assert isinstance(found, Refusal)
    assert found.reason == "bad_value"


def test_every_older_version_is_still_played() -> None:
    for name, game in GAMES.items():
        for rules in range(1, newest_rules(game.options) + 1):
            match = opened(Header(name, ("Ann", "Bob", "Cid")[: max(2, game.seats.start)], {}, rules))
            assert match.header.rules == rules
            assert replace(match.header, rules=NEWEST) != match.header


def test_presets_are_values_that_their_option_takes() -> None:
    named = {}
    for game in GAMES.values():
        for option in game.options:
            for preset in option.presets:
                assert option.kind.accepts(preset.value, ("Ann", "Bob"))
                named[preset.name] = preset.value
    assert named == {"gentle": 1, "easy": 2, "usual": 4, "hard": 8, "merciless": 12}
    assert "presets" in next(option for option in games_option("cerberus") if option["name"] == "cerberus_points")


def games_option(name: str) -> list[dict[str, Any]]:
    """The options as sent to the form on the phone."""
    options: list[dict[str, Any]] = describe_game(GAMES[name])["options"]
    return options


def test_the_rules_of_each_invented_game_name_who_invented_it() -> None:
    inventors = {"cerberus": "J. Ryan Opp", "dards": "Eli", "yatzy_dart": "Tvikstaspel", "dart_wars": "Pascal Reymond"}
    for game, inventor in inventors.items():
        page = (Path(__file__).parents[2] / "docs" / "rules" / f"{game}.md").read_text("utf-8")
        assert f"**{inventor}**" in page
