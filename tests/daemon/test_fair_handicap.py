"""A handicap that makes a match fair: found by playing, or computed, and offered before the match is agreed."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from daemon.main import main
from daemon.session.chance_process import Chances, as_json
from daemon.session.chance_work import MOST_FAILURES, ChanceWork
from daemon.session.commands import Command, Start, read_command
from daemon.session.fair_handicap import NO_HAND, NONE, NOT_TWO, TOO_LONG, FairHandicap, FairSearch, axis
from daemon.session.live_chance import LiveChance, question
from daemon.session.rollouts import count, counting
from daemon.system.catalogue import faces, games
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from engine.options import PerPlayer
from engine.refusals import Refusal
from tests.daemon.side_by_side import side_by_side
from tests.rig import LIMIT_SECONDS

HANDS: Final = {"Ann": 10.0, "Bob": 30.0}


def found(
    game: str, options: Mapping[str, Any], hands: Mapping[str, float] = HANDS, most: int = 200
) -> FairHandicap | Refusal:
    header = Header(game, ("Ann", "Bob"), dict(options), NEWEST)
    return FairSearch(games(), faces(), header, hands, random=Random(3), most=most).find()


def share_of_ann(game: str, options: Mapping[str, Any], matches: int, hands: Mapping[str, float] = HANDS) -> float:
    """The part of so many matches that Ann wins."""
    match = open_match(Header(game, ("Ann", "Bob"), dict(options), NEWEST), games(), faces())
    assert isinstance(match, Match), match
    counted = counting(match.view())
    count(match.game, match.state, hands, counted, Random(7), lambda played: played < matches)
    return counted.chances()["Ann"]


def test_all_handicaps_are_in_a_line() -> None:
    points = axis("Ann", "Bob", PerPlayer(1, 3), None)
    assert points == [{"Ann": 3}, {"Ann": 2}, {"Ann": 1}, {}, {"Bob": 1}, {"Bob": 2}, {"Bob": 3}]
    starts = axis("Ann", "Bob", PerPlayer(2, 7), 3)
    half = [{"Bob": 4}, {"Bob": 5}, {"Bob": 6}, {"Bob": 6, "Ann": 2}, {"Bob": 7, "Ann": 2}]
    assert starts[len(half) :] == [{}, *half]


def test_a_match_of_x01_is_computed_and_even_when_it_is_played() -> None:
    """What is computed is played again by the rules: 300 matches are right within 9 %, nearly always."""
    pytest.importorskip("numpy")
    fair = Chances(Random(1)).fair_handicap(Header("x01", ("Ann", "Bob"), {"start": 101}, NEWEST), HANDS)
    assert isinstance(fair, FairHandicap)
    assert fair.is_even
    assert fair.error == 0.0
    assert fair.chance["Ann"] == pytest.approx(0.5, abs=0.01)
    assert fair.handicap["Ann"] > 101
    assert share_of_ann("x01", {"start": 101, "handicap": fair.handicap}, 300) == pytest.approx(0.5, abs=0.12)


@pytest.mark.parametrize("game", ["count_up", "low_ball"])
def test_points_to_begin_make_it_even(game: str) -> None:
    """Also where points are bad: whom they help is found by playing."""
    options = {"rounds": 3}
    assert not 0.2 < share_of_ann(game, options, 100) < 0.8
    fair = found(game, options)
    assert isinstance(fair, FairHandicap)
    assert list(fair.handicap) == ["Bob" if game == "count_up" else "Ann"]
    assert share_of_ann(game, options | {"handicap": fair.handicap}, 300) == pytest.approx(0.5, abs=0.15)


def test_where_the_numbers_do_not_suffice_the_nearest_is_found() -> None:
    """Without scoring nobody can begin with points."""
    fair = found("cricket", {"mode": "no-score"}, {"Ann": 8.0, "Bob": 30.0}, 100)
    assert isinstance(fair, FairHandicap)
    assert (fair.handicap, fair.points) == ({"Bob": 14}, {})
    assert not fair.is_even


def test_a_search_that_runs_out_of_time_claims_nothing() -> None:
    """It has only seen the ends of the line, which are far from even."""
    header = Header("count_up", ("Ann", "Bob"), {"rounds": 3}, NEWEST)
    search = FairSearch(games(), faces(), header, HANDS, random=Random(3), most=50, stop=lambda: True)
    assert search.find() == TOO_LONG


def test_a_slow_game_gets_the_best_that_is_found_in_time_with_its_error() -> None:
    """It is near to even as far as is known, which is too little to call it even."""
    looks = iter(range(10_000))
    header = Header("count_up", ("Ann", "Bob"), {"rounds": 3}, NEWEST)
    search = FairSearch(games(), faces(), header, HANDS, random=Random(3), most=1000, stop=lambda: next(looks) > 55)
    fair = search.find()
    assert isinstance(fair, FairHandicap), fair
    assert 0.01 < fair.error < 0.03
    assert abs(fair.chance["Ann"] - 0.5) < 3 * fair.error
    assert (fair.is_even, fair.is_vague) == (False, True)
    assert as_json(fair)["vague"]


def test_what_is_not_known_well_is_not_even() -> None:
    assert FairHandicap({}, {"Ann": 0.509, "Bob": 0.491}, 0.01).is_even
    assert not FairHandicap({}, {"Ann": 0.509, "Bob": 0.491}, 0.011).is_even
    assert not FairHandicap({}, {"Ann": 0.511, "Bob": 0.489}, 0.0).is_even


def test_the_lowest_and_the_highest_start_are_played_to_the_end() -> None:
    options = {"handicap": {"Ann": 5001, "Bob": 2}}
    assert share_of_ann("x01", options, 1, {"Ann": 5.0, "Bob": 120.0}) in (0.25, 0.75)
    assert share_of_ann("x01", {"handicap": {"Ann": 5001, "Bob": 5001}}, 1) in (0.25, 0.75)


@pytest.mark.parametrize(
    ("game", "options"), [("cricket", {"numbers": [20, 19, 18]}), ("round_the_clock", {"finish": "round"})]
)
def test_what_these_options_do_not_allow_is_not_tried(game: str, options: dict[str, Any]) -> None:
    """Three numbers have room for six spot marks."""
    fair = found(game, options, {"Ann": 10.0, "Bob": 16.0}, 50)
    assert isinstance(fair, FairHandicap), fair


def test_a_match_that_allows_no_handicap_is_told_its_chance() -> None:
    fair = found("chase_the_dragon", {"restart": True, "rounds": 3}, most=50)
    assert isinstance(fair, FairHandicap), fair
    assert (fair.handicap, fair.points) == ({}, {})


def test_a_head_start_is_added_to_what_a_race_begins_with() -> None:
    """Nine Lives has lives, too: a head start of 1 to 19 targets is not in their place, and one player has one."""
    fair = found("nine_lives", {}, {"Ann": 12.0, "Bob": 20.0}, 150)
    assert isinstance(fair, FairHandicap), fair
    assert list(fair.handicap) == ["Bob"]


def test_cricket_is_even_by_points_where_marks_are_too_coarse() -> None:
    pytest.importorskip("numpy")
    hands = {"Ann": 8.0, "Bob": 16.0}
    fair = Chances(Random(1)).fair_handicap(Header("cricket", ("Ann", "Bob"), {}, NEWEST), hands)
    assert isinstance(fair, FairHandicap), fair
    assert fair.is_even
    assert 0.0 < fair.error < 0.005
    assert fair.handicap
    assert fair.points


def test_a_bot_that_has_learned_cricket_gives_more_than_a_person_of_its_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The game's advice is beaten by it in 56 of 100 matches at 17 mm."""
    pytest.importorskip("numpy")
    for name in ("MOST_AT_ONCE", "MOST_FAIR_WITH_BOTS"):
        monkeypatch.setattr(f"daemon.session.chance_process.{name}", 2_000)  # a fraction of the time
    hands, header = {"Ann": 17.0, "Bob": 17.0}, Header("cricket", ("Ann", "Bob"), {}, NEWEST)
    match = open_match(header, games(), faces())
    assert isinstance(match, Match), match

    def chance(*bots: str) -> float:
        asked = question(match.header.to_json(), match.state, hands, bots)
        return float(Chances(Random(1)).answer(asked)["chance"]["Ann"])

    people = chance()
    assert chance("Ann") > people + 0.03
    assert chance("Bob") < people - 0.03
    fair = Chances(Random(1)).fair_handicap(header, hands, {"Ann"})
    assert isinstance(fair, FairHandicap), fair
    # With what makes it even a person in the place of the bot would lose.
    given = {"handicap": fair.handicap, **({"handicap_points": fair.points} if fair.points else {})}
    assert "Bob" in given["handicap"]
    helped = open_match(Header("cricket", ("Ann", "Bob"), given, NEWEST), games(), faces())
    assert isinstance(helped, Match), helped
    asked = question(helped.header.to_json(), helped.state, hands)
    assert Chances(Random(1)).answer(asked)["chance"]["Ann"] < 0.47


def test_a_bot_of_the_command_is_one_of_the_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fair", "cricket", "Ann=17", "Bob=17", "--bot", "Zoe"]) == 2
    assert "Zoe does not play; --bot takes the name of a player." in capsys.readouterr().err


def test_equal_hands_need_next_to_nothing() -> None:
    fair = found("count_up", {"rounds": 3}, {"Ann": 20.0, "Bob": 20.0})
    assert isinstance(fair, FairHandicap)
    assert max(fair.handicap.values(), default=0) < 40


def test_what_has_no_handicap_says_so() -> None:
    assert found("tic_tac_toe", {}) == NONE
    assert found("count_up", {}, {"Ann": 10.0}) == NO_HAND
    header = Header("count_up", ("Ann", "Bob", "Cid"), {}, NEWEST)
    hands = {**HANDS, "Cid": 9.0}
    assert FairSearch(games(), faces(), header, hands, random=Random(3), most=9).find() == NOT_TWO


def test_a_command_asks_for_it(tmp_path: Path) -> None:
    """The reply has the handicap and the chances with it; a person without a hand is named as the reason."""
    pytest.importorskip("numpy")

    async def run() -> list[dict[str, Any]]:
        work = ChanceWork(nice=0)
        try:
            async with asyncio.timeout(LIMIT_SECONDS), side_by_side(tmp_path, "lounge") as boards:
                LiveChance(boards.sessions["lounge"], work, lambda _: None)
                about = {"game": "x01", "players": ["Rex", "Max"], "options": {"start": 101}}
                await boards.command("lounge", {"id": 1, "fair": {**about, "bots": {"Rex": 12, "Max": 30}}})
                while not boards.bus.replies:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
                await boards.command("lounge", {"id": 2, "fair": {**about, "bots": {"Rex": 12}}})
                while len(boards.bus.replies) < 2:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
                await boards.command("lounge", {"id": 3, "fair": {**about, "bots": {"Rex": 12}}}, user="ann")
                assert boards.shown("lounge") is None
                return boards.bus.replies
        finally:
            await work.stop()

    made, unknown, not_allowed = asyncio.run(run())
    assert made["ok"], made
    assert made["fair"]["even"]
    assert made["fair"]["handicap"]["Rex"] > made["fair"]["handicap"].get("Max", 101)
    assert (unknown["id"], unknown["ok"], unknown["reason"]) == (2, False, "bad_players")
    assert not_allowed["reason"] == "not_allowed"


def test_a_command_is_answered_when_no_process_can_be_started(tmp_path: Path) -> None:
    class Failing(ChanceWork):
        async def _start(self) -> asyncio.subprocess.Process:
            raise OSError("no room for a process")

    async def run() -> list[dict[str, Any]]:
        work = Failing()
        try:
            async with asyncio.timeout(LIMIT_SECONDS), side_by_side(tmp_path, "lounge") as boards:
                LiveChance(boards.sessions["lounge"], work, lambda _: None)
                about = {"game": "x01", "players": ["Rex", "Max"], "bots": {"Rex": 12, "Max": 30}}
                for n in range(MOST_FAILURES + 1):
                    await boards.command("lounge", {"id": n, "fair": about})
                    while len(boards.bus.replies) <= n:  # noqa: ASYNC110
                        await asyncio.sleep(0.02)
                return boards.bus.replies
        finally:
            await work.stop()

    replies = asyncio.run(run())
    assert [(reply["id"], reply["ok"]) for reply in replies] == [(n, False) for n in range(MOST_FAILURES + 1)]


def test_the_command_line_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    rounds = ("--options", '{"rounds": 1}', "--seed", "1")
    assert main(["fair", "count_up", "Ann=10", "Bob=casual", *rounds, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told["chance"]) == {"Ann", "Bob"}
    assert list(told["handicap"]) == ["Bob"]
    assert main(["fair", "tic_tac_toe", "Ann=10", "Bob=20"]) == 1
    assert "no handicap" in capsys.readouterr().err
    for wrong in ("Ann", "Ann=good", "Ann=0", "=12"):
        assert main(["fair", "count_up", wrong, "Bob=20"]) == 2
        assert "like Ann=12 or Bob=pub" in capsys.readouterr().err


def test_a_bot_has_a_skill_in_mm_or_in_a_word() -> None:
    def bots(skill: object) -> object:
        start = {"game": "x01", "players": ["Rex", "Ann"], "bots": {"Rex": skill}}
        _, command = read_command(json.dumps({"start": start}).encode())
        return command.ask.bots["Rex"] if isinstance(command, Command) and isinstance(command.ask, Start) else command

    assert [bots(skill) for skill in ("professional", "casual", 12, 1, 120)] == [6.4, 23.3, 12, 1, 120]
    no_skills: tuple[object, ...] = ("expert", "12", True, None, 0, 121, [], {})
    for wrong in no_skills:
        refusal = bots(wrong)
        assert isinstance(refusal, Refusal)
        assert "professional, county, league, pub, casual" in refusal.message
