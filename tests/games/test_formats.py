"""Formats over games: what their rules say, and medleys of all kinds."""

import json
from dataclasses import replace
from random import Random
from typing import Any, Final, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.session.commands import Command, Start, read_command
from engine.actions import Action, Choose, Next, Throw, Undo
from engine.conformance import check_match
from engine.games import GAMES
from engine.match import Header, Match
from engine.matchfile import NEWEST, header_from_json, open_match
from engine.play import apply
from engine.refusals import Refusal
from engine.segments import SEGMENTS
from tests.games.setups import FACES

NAMES: Final = ("Ann", "Bob", "Cid", "Dee")
ACTIONS: Final[dict[str, Action]] = {"|": Next()}
STARTS: Final = ("alternate", "loser", "winner", "bull")


def opened(game: str, players: int = 2, **options: Any) -> Match | Refusal:
    return open_match(Header(game, NAMES[:players], options, NEWEST), GAMES, FACES)


def begun(game: str, players: int = 2, **options: Any) -> Match:
    match = opened(game, players, **options)
    assert isinstance(match, Match), match
    return match


def played(match: Match, text: str) -> Match:
    """After throws, `|` for `next`, and `:x01` for the choice of a game."""
    for word in text.split():
        action: Action = (
            Next() if word == "|" else Choose("game", word[1:]) if word[0] == ":" else Throw(SEGMENTS[word])
        )
        outcome = apply(match, action)
        assert isinstance(outcome, Match), (word, outcome)
        match = outcome
    return match


@st.composite
def medleys(draw: st.DrawFn) -> dict[str, Any]:
    short = [
        {"game": "x01", "options": {"start": 101, "out": "open"}},
        {"game": "cricket", "options": {"rounds": 2}},
        {"game": "count_up", "options": {"rounds": 1}},
        {"game": "killer", "options": {"rounds": 5}},
        {"game": "hidden_cricket", "options": {"rounds": 3}},
        {"game": "blind_killer", "options": {}},
    ]
    legs = draw(st.lists(st.sampled_from([*short, "choice"]), min_size=1, max_size=4))
    return {
        "legs": legs,
        "games": draw(st.sampled_from([short[:2], short[:1], short[1:4]])),
        "play": draw(st.sampled_from(["decided", "all"])),
        "chooser": draw(st.sampled_from(["cork", "loser", "winner"])),
        "no_repeat": draw(st.booleans()),
        "start": draw(st.sampled_from(STARTS)),
        "order": draw(st.sampled_from(["listed", "bull"])),
        "points": {"match": 2},
    }


@settings(max_examples=8, deadline=None, derandomize=True)
@given(options=medleys(), players=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_a_medley_conforms(options: dict[str, Any], players: int, seed: int) -> None:
    match = opened("medley", players, **options)
    if isinstance(match, Refusal):
        assert match.reason == "bad_players"
        return
    assert list(check_match(match, None, Random(seed))) == []


def test_an_undo_crosses_the_seam_between_legs() -> None:
    before = played(begun("count_up", best_of=3, rounds=1), "S20 | S1")
    after = played(before, "|")
    assert (before.view()["leg"], after.view()["leg"]) == (1, 2)
    back = apply(after, Undo())
    assert isinstance(back, Match)
    assert back.view() == before.view()
    assert back.state == before.state


def with_leg(match: Match, winners: tuple[int, ...]) -> Match:
    """After a leg of one dart each that these players win; a shared one is played twice."""
    for _ in range(2 if len(winners) > 1 else 1):
        for _ in match.header.players:
            match = played(match, "S20 |" if NAMES.index(match.turn.player) in winners else "S1 |")
    return match


def legs_of(match: Match) -> list[int]:
    return sorted((player["legs"] for player in match.view()["players"]), reverse=True)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(data=st.data(), players=st.integers(2, 3), legs=st.integers(1, 3), mode=st.sampled_from(("first_to", "best_of")))
def test_nobody_wins_a_last_set_without_being_clear_before_the_leg_that_decides(
    data: st.DataObject, players: int, legs: int, mode: str
) -> None:
    match = begun("count_up", players, best_of={"legs": legs, "mode": mode, "clear": 2}, rounds=1)
    winners = st.sets(st.integers(0, players - 1), min_size=1, max_size=2).map(tuple)
    close = st.sampled_from(range(players)).map(lambda side: (side,))
    to_win = legs if mode == "first_to" else legs // 2 + 1
    number, most = 0, players * (to_win - 1) + 2 * to_win
    last: tuple[int, ...] = ()
    while not match.finished:
        # In turn, so that many series come to the leg that decides, or anyhow.
        last = data.draw(st.just((number % players,)) | close | winners)
        match, number = with_leg(match, last), number + 1
        assert number <= 2 * most
    ahead = legs_of(match)[0] - legs_of(match)[1]
    assert ahead >= 2 or number > most
    assert len(match.view()["winners"]) == 1 or len(last) > 1
    assert legs_of(match)[0] >= to_win or mode == "best_of"


def test_more_than_two_play_on_until_one_leads_after_the_leg_that_decides() -> None:
    """The eighth leg would decide, but it draws level with the leader; so does the ninth."""
    match = begun("count_up", 3, best_of={"legs": 2, "clear": 2}, rounds=1)
    for winner in (0, 1, 2, 0, 1, 2, 0, 1, 2):
        match = with_leg(match, (winner,))
        assert not match.finished
    assert with_leg(match, (2,)).view()["winners"] == ["Cid"]


@pytest.mark.parametrize("mode", ["first_to", "best_of"])
def test_only_the_last_set_needs_two_legs_ahead(mode: str) -> None:
    match = begun("count_up", best_of={"legs": 1, "sets": 2, "mode": mode, "clear": 2}, rounds=1)
    match = with_leg(match, (0,))
    assert [player["sets"] for player in match.view()["players"]] == [1, 0]
    match = with_leg(match, (1,))
    # The second of two sets is the last one; first to 2 sets a third one follows.
    assert [player["sets"] for player in match.view()["players"]] == [1, 0 if mode == "best_of" else 1]
    match = with_leg(match, (1,))
    assert match.finished == (mode == "best_of")
    if mode == "first_to":
        assert with_leg(match, (1,)).view()["winners"] == ["Bob"]
        assert not with_leg(match, (0,)).finished


def test_draws_without_two_legs_ahead_stay_draws() -> None:
    shared = with_leg(begun("count_up", best_of={"legs": 1}, rounds=1), (0, 1))
    assert shared.view()["winners"] == ["Ann", "Bob"]
    even = begun("count_up", best_of={"legs": 2, "mode": "best_of"}, rounds=1)
    assert with_leg(with_leg(even, (0,)), (1,)).view()["winners"] == ["Ann", "Bob"]


def test_awards_are_counted_over_all_legs() -> None:
    match = played(begun("count_up", best_of=3, rounds=1), "T20 T20 T20 | S1 | S1 | T20 T20 T20 |")
    assert [player.get("awards") for player in match.view()["players"]] == [{"ton_80": 2}, None]


@pytest.mark.parametrize(
    ("game", "options", "reason"),
    [
        ("count_up", {"best_of": 0}, "bad_option"),
        ("count_up", {"best_of": {"legs": 2, "clear": 1}}, "bad_option"),
        ("count_up", {"best_of": {"sits": 2}}, "bad_option"),
        ("count_up", {"best_of": True}, "bad_option"),
        ("x01", {"best_of": 3, "legs": 2}, "bad_option"),
        ("x01", {"freeze": True}, "bad_players"),
        ("cricket", {"handicap": {"Ann": 9}, "numbers": [20]}, "bad_option"),
        ("cricket", {"handicap": {"Cid": 1}}, "bad_option"),
        ("count_up", {"compare": "nearest"}, "bad_option"),
        ("medley", {}, "bad_option"),
        ("medley", {"legs": []}, "bad_option"),
        ("medley", {"legs": [{"game": "nothing"}]}, "unknown_game"),
        ("medley", {"legs": [{"game": "x01", "options": {"best_of": 3}}]}, "unknown_option"),
        ("medley", {"legs": [{"game": "x01", "rules": 99}]}, "bad_value"),
        ("medley", {"legs": ["choice"], "games": [{"game": "x01"}, {"game": "x01"}]}, "bad_option"),
        ("medley", {"legs": [{"game": "medley", "options": {"legs": ["choice"]}}]}, "unknown_game"),
    ],
)
def test_formats_that_cannot_be_played_are_refused(game: str, options: dict[str, Any], reason: str) -> None:
    found = opened(game, **options)
    assert isinstance(found, Refusal)
    assert found.reason == reason


def test_teams_of_different_sizes_cannot_start_legs_in_turn() -> None:
    found = opened("x01", 3, best_of=3, teams=2)
    assert isinstance(found, Refusal)
    assert found.reason == "bad_players"


def test_a_medley_names_the_rules_of_its_games() -> None:
    """So that it replays as it was, also when the rules of one of them change."""
    options = begun("medley", legs=[{"game": "x01"}, "choice"]).header.options
    assert options["legs"][0] == {"game": "x01", "rules": 2}
    assert [leg["game"] for leg in options["games"]] == ["x01", "cricket"]
    assert options["games"][0]["rules"] == 2


@pytest.mark.parametrize("best", [3, {"legs": 2, "sets": 2}])
def test_best_of_may_stand_in_the_header_and_is_the_option(best: Any) -> None:
    header = {"match": 1, "game": "count_up", "players": ["Ann", "Bob"], "options": {"rounds": 1}}
    read = header_from_json(header | {"best_of": best})
    assert read == header_from_json(header | {"options": {"rounds": 1, "best_of": best}})
    assert isinstance(read, Header)
    assert read.to_json() == header | {"rules": 1, "options": {"rounds": 1, "best_of": best}}
    match = open_match(read, GAMES, FACES)
    assert isinstance(match, Match)
    assert match.view()["to_win"]["legs"] == 2


def test_best_of_stands_in_one_place_alone() -> None:
    header = {"match": 1, "game": "count_up", "players": ["Ann"], "options": {"best_of": 3}, "best_of": 3}
    read = header_from_json(header)
    assert isinstance(read, Refusal)
    assert read.reason == "bad_value"


def test_a_command_takes_best_of_next_to_the_game() -> None:
    start = {"game": "count_up", "players": ["Ann", "Bob"], "best_of": 3}
    _, command = read_command(json.dumps({"id": "1", "start": start}).encode())
    assert isinstance(command, Command) and isinstance(command.ask, Start)
    assert command.ask.header.options == {"best_of": 3}


def test_equals_throw_for_the_bull_at_most_ten_times() -> None:
    match = played(begun("count_up", order="bull", rounds=1), "MISS " * 20)
    assert match.view()["starter"] == "Ann"
    assert match.turn.number == 20


def test_a_faulty_game_of_another_package_is_still_shown_in_a_format() -> None:
    """Its `next` raises: the result cannot be known before, and the darts count until then."""

    def broken(_state: Any) -> Any:
        raise ZeroDivisionError

    faulty = replace(cast(Any, GAMES["low_ball"]), name="faulty", close=broken)
    header = Header("faulty", NAMES[:2], {"best_of": 3, "rounds": 1}, NEWEST)
    match = open_match(header, {"faulty": faulty}, FACES)
    assert isinstance(match, Match)
    match = played(match, "S1 S1 S1")
    assert match.turn.awaits == "next"
    assert "result" not in match.view()
    with pytest.raises(ZeroDivisionError):
        apply(match, Next())
