"""Darts of the last three turns before this one can be corrected, where nothing but darts followed from them."""

from itertools import pairwise
from random import Random

import pytest

from daemon.session.commands import Command, allowed
from engine.actions import EARLIER, Action, Correct, Foul, Next, Throw, Undo, action_from_json, action_to_json
from engine.conformance import random_match, start
from engine.earlier_turns import earlier_turn
from engine.games import GAMES
from engine.match import Match, begin
from engine.play import apply, replayed
from engine.refusals import Refusal
from engine.segments import MISS, SEGMENTS
from tests.games.setups import face_of

PLAYERS = ("Ann", "Bob", "Cid")


def thrown(text: str) -> list[Action]:
    """Turns of darts, such as `T20 S5 S1 / D16`."""
    turns = [[Throw(SEGMENTS[bed]) for bed in turn.split()] for turn in text.split("/")]
    found: list[Action] = []
    for turn, following in pairwise([*turns, []]):
        found += [*turn, Next()] if following else turn
    return found


def x01(text: str, **options: object) -> Match:
    match = start(GAMES["x01"], ("Ann", "Bob"), options)
    assert isinstance(match, Match)
    return after(match, *thrown(text))


def after(match: Match, *actions: Action) -> Match:
    done = replayed(match, actions)
    assert isinstance(done, Match), done
    return done


def refused(match: Match, action: Action) -> str:
    outcome = apply(match, action)
    assert isinstance(outcome, Refusal)
    return outcome.reason


@pytest.mark.parametrize("back", [1, 2, 3])
def test_a_dart_of_an_earlier_turn_is_corrected(back: int) -> None:
    match = x01("S1 S2 S3 / S4 S5 S6 / S7 S8 S9 / S18")
    wrong = {1: "S8", 2: "S5", 3: "S2"}[back]
    right = after(match, Correct(2, SEGMENTS["T20"], back))
    turns = ["S1 S2 S3", "S4 S5 S6", "S7 S8 S9", "S18"]
    said = x01(" / ".join(turn.replace(wrong, "T20") for turn in turns))
    assert right.state == said.state
    (event,) = right.events
    assert event.data["from"] == wrong
    assert (event.data["to"], event.data["back"]) == ("T20", back)
    assert list(event.data["scores"]) == ["Bob" if back == 2 else "Ann"]
    assert after(right, Undo()) == match


def test_what_goes_too_far_back_or_is_not_there_is_refused() -> None:
    match = x01("S1 S2 S3 / S4 / S20")
    assert refused(match, Correct(1, MISS, 3)) == "no_such_dart"
    assert refused(match, Correct(2, MISS, 1)) == "no_such_dart"
    assert isinstance(action_from_json({"correct": {"dart": 1, "back": EARLIER + 1, "foul": True}}), Refusal)
    assert isinstance(action_from_json({"correct": {"dart": 1, "back": -1, "foul": True}}), Refusal)
    assert isinstance(action_from_json({"correct": {"dart": 1, "back": True, "foul": True}}), Refusal)


def test_a_correction_that_would_end_the_leg_earlier_is_refused() -> None:
    match = x01("T20 S1 S20 / S1 / S20", start=101, legs=3)
    assert refused(match, Correct(3, SEGMENTS["D20"], 2)) == "correction_illegal"
    bust = after(match, Correct(3, SEGMENTS["T20"], 2))
    assert [player["score"] for player in bust.view()["players"]] == [81, 100]


def test_a_leg_that_was_won_stays_won() -> None:
    match = x01("T20 S1 D20 / S1 S2 S3", start=101, legs=3)
    assert match.view()["players"][0]["legs"] == 1
    assert refused(match, Correct(3, SEGMENTS["S20"], 1)) == "correction_illegal"


def test_a_dart_that_a_bust_had_cut_off_counts_again() -> None:
    match = x01("T20 S1 S2 / S1 / S18 S2 S3 / S1", start=101)
    bust = after(match, Correct(1, SEGMENTS["T20"], 1))
    assert bust.view()["players"][0]["score"] == 38
    assert after(bust, Correct(1, SEGMENTS["S18"], 1)).state == match.state


def test_players_correct_their_own_earlier_darts_and_no_others() -> None:
    match = x01("S1 S2 S3 / S4 S5 S6 / S7")

    def may(user: str, back: int) -> bool:
        return allowed(Command(Correct(1, MISS, back)), user, 1, match) is None

    assert [may("ann", back) for back in (1, 2)] == [False, True]
    assert [may("bob", back) for back in (1, 2)] == [True, False]
    # The match does not reach that far back: the match says so.
    assert may("bob", 3)


@pytest.mark.parametrize("name", GAMES)
def test_an_earlier_correction_is_a_replay_of_the_corrected_record(name: str) -> None:
    game, luck = GAMES[name], Random(7)
    record = random_match(game, PLAYERS, {}, face_of(game, {}), Random(11))
    match = begin(record.header, game, record.begun)
    darts = [SEGMENTS[bed] for bed in ("S20", "T20", "D16", "SB", "DB", "MISS", "S1")]
    for action in record.actions[:60]:
        match = after(match, action)
        if match.finished or luck.random() < 0.9:
            continue
        for back in range(1, EARLIER + 1):
            _, places = earlier_turn(match, back) or ("", {})
            for number, at in enumerate(places, 1):
                correct = Correct(number, luck.choice((*darts, None)), back)
                assert action_from_json(action_to_json(correct)) == correct
                outcome = apply(match, correct)
                if isinstance(outcome, Refusal):
                    assert outcome.reason == "correction_illegal"
                    continue
                assert outcome.played[at] == (Foul() if correct.to is None else Throw(correct.to))
                assert outcome.turn.player == match.turn.player
                assert after(outcome, Undo()) == match
