"""Awards: what each turn earns by the table of houses, in every game, after corrections, busts, undo and in teams."""

import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Action, Choose, Correct, Next, Throw, Undo
from engine.awards import AWARDS
from engine.conformance import start
from engine.darts import Points
from engine.games import GAMES
from engine.match import Match, begin
from engine.play import apply
from engine.refusals import Refusal
from engine.segments import SEGMENTS
from engine.texts import LANGUAGES

MESSAGES: Final = Path(__file__).parents[2] / "web" / "src" / "messages"
PLAYERS: Final = ("Ann", "Bob")


def begun(game: str, players: tuple[str, ...] = PLAYERS, **options: Any) -> Match:
    match = start(GAMES[game], players, options)
    assert isinstance(match, Match), match
    return match


def after(match: Match, *actions: Action) -> Match:
    for action in actions:
        outcome = apply(match, action)
        assert isinstance(outcome, Match), (action, outcome)
        match = outcome
    return match


def darts(text: str) -> list[Action]:
    """Throws, with `|` for `next`."""
    return [Next() if word == "|" else Throw(SEGMENTS[word]) for word in text.split()]


def told(match: Match) -> list[str]:
    """The awards that the last action published."""
    return [event.data["award"] for event in match.events if event.kind == "award"]


def counted(match: Match) -> dict[str, dict[str, int]]:
    return {player["name"]: player["awards"] for player in match.view()["players"] if "awards" in player}


@pytest.mark.parametrize(
    ("game", "thrown", "awards"),
    [
        ("x01", "T20 T20 T20", ["ton_80"]),
        ("x01", "SB DB SB", ["hat_trick", "low_ton"]),
        ("x01", "T19 T19 T19", ["three_in_a_bed", "high_ton"]),
        ("x01", "T20 S20 S20", ["low_ton"]),
        ("x01", "DB DB DB", ["three_in_the_black", "low_ton"]),
        ("x01", "T20 S20 S19", []),
        ("x01", "T20 T20 S20", ["low_ton"]),
        ("x01", "T20 T20 S19", ["low_ton"]),
        ("x01", "T20 T17 D20", ["high_ton"]),
        ("x01", "D20 SO20 T20", ["low_ton", "shanghai"]),
        ("count_up", "T20 T20 T20", ["ton_80"]),
        ("cricket", "T20 T19 T18", ["white_horse", "nine_marks"]),
        ("cricket", "T20 S20 S20", ["five_marks"]),
        ("cricket", "T20 T20 T20", ["three_in_a_bed", "nine_marks"]),
        ("cricket", "DB DB DB", ["three_in_the_black", "six_marks"]),
        ("cricket", "T20 D5 S19", []),
        ("cricket", "T1 T1 T1", []),
        ("cricket_count_up", "T20 T20 T20", ["three_in_a_bed", "nine_marks"]),
        ("elimination", "T20 T20 T20", ["three_in_a_bed"]),
        ("shanghai", "S1 D1 T1", ["shanghai"]),
        ("bobs_27", "T20 T20 T20", []),
    ],
)
def test_a_turn_earns_its_awards(game: str, thrown: str, awards: list[str]) -> None:
    match = after(begun(game), *darts(thrown))
    assert told(match) == awards
    assert counted(match) == ({"Ann": dict.fromkeys(awards, 1)} if awards else {})


@pytest.mark.parametrize(
    ("options", "game", "thrown", "awards"),
    [
        ({"house": "us"}, "x01", "DB DB DB", ["three_in_the_black", "hat_trick"]),
        ({"house": "us"}, "x01", "D18 D18 D18", ["three_in_a_bed", "low_ton"]),
        ({"house": "us"}, "cricket", "T20 T20 T20", ["white_horse", "three_in_a_bed", "nine_marks"]),
        ({"house": "us", "low_ton_from": 101}, "x01", "T20 S20 S20", []),
        ({"house": "steel"}, "x01", "T20 T20 T20", ["ton_80"]),
        ({"house": "steel"}, "x01", "T20 T20 S20", ["one_forty_plus"]),
        ({"house": "steel"}, "x01", "T20 S20 S20", ["hundred_plus"]),
        ({"house": "steel"}, "x01", "S20 S20 S20", ["sixty_plus"]),
        ({"house": "steel"}, "x01", "S5 S20 S1", ["bed_and_breakfast"]),
        ({"house": "steel", "start": 170}, "x01", "T20 T20 DB", ["big_fish", "one_forty_plus", "game_shot"]),
        ({"house": "steel", "start": 101}, "x01", "T20 S1 D20", ["hundred_plus", "game_shot"]),
        ({"bull": "full"}, "x01", "SB SB SB", ["hat_trick", "low_ton"]),
        ({"in": "double"}, "x01", "T20 D20 T20", ["low_ton"]),
        ({"in": "double"}, "x01", "T20 T20 T20", []),
        ({"start": 101}, "x01", "SB SB DB", []),
        ({"start": 101}, "x01", "T20 T20", []),
    ],
)
def test_houses_and_options_change_awards(options: dict[str, Any], game: str, thrown: str, awards: list[str]) -> None:
    assert told(after(begun(game, **options), *darts(thrown))) == awards


@pytest.mark.parametrize(
    ("game", "options", "thrown", "awards"),
    [
        ("round_the_clock", {}, "SB DB SB", []),
        ("round_the_clock", {}, "S1 D1 T1", []),
        ("chase_the_dragon", {}, "T20 T20 T20", []),
        ("chase_the_dragon", {"handicap": {"Ann": 11}, "heads": 2}, "SB SB DB", []),
        ("darts_at_x", {"number": 20}, "DB DB DB", []),
        ("darts_at_x", {"number": 20}, "T20 T20 T20", ["three_in_a_bed"]),
        ("english_cricket", {}, "| T20 T20 T20", []),
        ("english_cricket", {}, "| SB DB SB", ["hat_trick"]),
        ("english_cricket", {}, "T20 T20 T20", ["three_in_a_bed"]),
        ("castle", {}, "S20 S5 T5 T5 T5", []),
        ("castle", {}, "S20 S5 T20 T20 T20 | T20 T20 T20", ["three_in_a_bed"]),
        ("king_of_the_board", {}, "T20 T20 T20", []),
        ("king_of_the_board", {"wall": 9}, "T20 T20 T20", ["three_in_a_bed"]),
        ("football", {}, "DB DB DB", []),
        ("follow_the_leader", {}, "T20 T20 T20", ["three_in_a_bed"]),
        ("follow_the_leader", {}, "T20 | T20 T20 T20", ["three_in_a_bed"]),
        ("follow_the_leader", {}, "T20 | T19 T19 T19", []),
        ("follow_the_leader", {}, "SB | DB SB DB", []),
    ],
)
def test_a_dart_that_does_nothing_takes_no_part(
    game: str, options: dict[str, Any], thrown: str, awards: list[str]
) -> None:
    assert told(after(begun(game, **options), *darts(thrown))) == awards


@pytest.mark.parametrize(
    ("game", "options", "thrown", "awards"),
    [
        ("low_ball", {}, "SB DB SB", ["hat_trick"]),
        ("low_ball", {}, "DB DB DB", ["three_in_the_black"]),
        ("low_ball", {}, "MISS MISS MISS", []),
        ("low_ball", {}, "T20 T20 DB", []),
        ("low_ball", {}, "T20 D20 MISS", ["low_ton"]),
        ("step_up", {}, "DB SB SB", ["hat_trick"]),
        ("step_up", {}, "T20 D20 S20", ["shanghai"]),
        ("step_up", {}, "T20 T20 S5", ["low_ton"]),
        ("step_up", {}, "T20 T20 D15", []),
        ("step_up", {}, "T17 T17 MISS", []),
        ("step_up", {"miss": 0}, "T17 T17 MISS", ["low_ton"]),
        ("hi_lo", {"first": "down"}, "DB DB DB", ["three_in_the_black", "low_ton"]),
        ("hi_lo", {"first": "down"}, "MISS MISS MISS", []),
    ],
)
def test_darts_that_take_points_off_take_part(
    game: str, options: dict[str, Any], thrown: str, awards: list[str]
) -> None:
    """They are a part of the total, and what a miss takes off is; what a miss adds is not."""
    assert told(after(begun(game, **options), *darts(thrown))) == awards


def test_a_leg_of_501_in_nine_darts_is_a_nine_darter() -> None:
    match = after(begun("x01", house="steel"), *darts("T20 T20 T20 | | T20 T20 T20 | | T20 T19"))
    assert told(after(match, *darts("D12"))) == ["nine_darter", "one_forty_plus", "game_shot"]
    assert told(after(match, *darts("D11"))) == ["hundred_plus"]
    corrected = after(match, *darts("D11"), Correct(3, SEGMENTS["D12"]))
    assert counted(corrected)["Ann"]["nine_darter"] == 1
    slow = after(begun("x01", house="steel"), *darts("T20 T20 T20 | | T20 T20 MISS | | MISS T20 T17 | | T20 D15"))
    assert told(slow) == ["sixty_plus", "game_shot"]
    short = after(begun("x01", house="steel", start=101), *darts("MISS MISS MISS | | " * 2 + "T20 S1 D20"))
    assert told(short) == ["hundred_plus", "game_shot"]


def test_a_turn_that_is_closed_early_is_awarded_then() -> None:
    match = after(begun("x01"), *darts("T20 T20"))
    assert told(match) == []
    match = after(match, Next())
    assert [event.kind for event in match.events] == ["score", "award", "turn"]
    assert match.events[1].data == {"player": "Ann", "award": "low_ton", "points": 120}
    assert counted(match) == {"Ann": {"low_ton": 1}}
    assert told(after(match, *darts("| T20 T20"))) == []


def test_a_number_closed_before_the_turn_is_no_white_horse() -> None:
    match = after(begun("cricket"), *darts("T20 | | T20 T19 T18"))
    assert told(match) == ["nine_marks"]


def test_a_dead_number_counts_no_marks() -> None:
    match = after(begun("cricket"), *darts("T20 | T20 | T20 T19 T18"))
    assert told(match) == ["six_marks"]


def test_a_correction_publishes_what_it_adds_and_takes_back_what_it_removes() -> None:
    match = after(begun("x01"), *darts("T20 T20 S20"))
    corrected = after(match, Correct(3, SEGMENTS["T20"]))
    assert [event.kind for event in corrected.events] == ["corrected", "award"]
    assert told(corrected) == ["ton_80"]
    assert counted(corrected) == {"Ann": {"ton_80": 1}}
    again = after(corrected, Correct(3, SEGMENTS["S20"]), Correct(1, SEGMENTS["T19"]))
    assert told(again) == []
    assert counted(again) == {"Ann": {"low_ton": 1}}
    assert after(corrected, Undo()).awards == match.awards


def test_a_correction_to_a_bust_leaves_no_award() -> None:
    match = after(begun("x01", start=170), *darts("T20 T20 S20"))
    assert counted(match) == {"Ann": {"low_ton": 1}}
    assert counted(after(match, Correct(3, SEGMENTS["T20"]))) == {}


def test_partners_earn_their_own() -> None:
    match = after(begun("x01", ("Ann", "Bob", "Cid", "Dee"), teams=2), *darts("T20 T20 T20 | | DB DB DB"))
    assert counted(match) == {"Ann": {"ton_80": 1}, "Cid": {"three_in_the_black": 1, "low_ton": 1}}


def test_a_dart_of_points_alone_counts_its_points() -> None:
    ask = Throw(Points(18, (SEGMENTS["T6"], SEGMENTS["D9"], SEGMENTS["S18"])))
    match = after(begun("count_up"), *darts("T20 T20"), ask)
    assert told(match) == ["low_ton"]
    match = after(begun("cricket"), *darts("T20 T19"), ask)
    assert match.turn.awaits == "choose"
    assert told(match) == []
    assert told(after(match, Choose("segment", "S18"))) == ["seven_marks"]


def test_an_opening_throw_earns_nothing() -> None:
    match = after(begun("killer"), *darts("SB SB SB"))
    assert not match.turn.correctable
    assert match.awards == {}


@pytest.mark.parametrize("game", ["x01", "cricket", "count_up", "halve_it", "high_score", "cerberus"])
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_tally_is_what_the_turns_earned(game: str, data: st.DataObject) -> None:
    """Undo takes back exactly what was earned, and a correction is as if the dart had been thrown so."""
    match = begun("x01", start=301) if game == "x01" else begun(game)
    throws = st.sampled_from(["T20", "T19", "DB", "SB", "S20", "D20", "T18", "MISS"])
    before: list[Match] = []
    for _ in range(data.draw(st.integers(1, 25))):
        if match.finished:
            break
        awaits = match.turn.awaits
        action: Action = Throw(SEGMENTS[data.draw(throws)]) if awaits == "throw" else Next()
        if awaits == "choose" or awaits in ("roll", "deck"):
            break
        before.append(match)
        match = after(match, action)
    told_in_all = {name: sum(some.values()) for name, some in match.awards.items()}
    assert sum(told_in_all.values()) == sum(len(told(one)) for one in [*before[1:], match])
    thrown = len(match.turn.darts)
    if thrown and match.turn.correctable and not match.finished:
        number, bed = data.draw(st.integers(1, thrown)), SEGMENTS[data.draw(throws)]
        corrected = apply(match, Correct(number, bed))
        if not isinstance(corrected, Refusal):
            back = after(corrected, Undo())
            assert back.awards == match.awards
            same = after(begin(match.header, match.game, match.turns[0].state), *corrected.played)
            if not corrected.void:
                assert same.awards == corrected.awards
    for earlier in reversed(before):
        match = after(match, Undo())
        assert match.awards == earlier.awards


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_award_has_a_word_on_the_pages(language: str) -> None:
    words = json.loads((MESSAGES / f"{language}.json").read_text("utf-8"))
    named = {key.removeprefix("award.") for key in words if key.startswith("award.")}
    assert named == {*AWARDS, "cerberus_50", "master_of_the_world"}
