"""Parts of the kit that only some games use: opening throws, secrets, the house, resting sides, busts."""

from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import kit
from engine.actions import Deck, Next, Roll, Throw, action_from_json
from engine.cards import NUMBERS
from engine.conformance import check
from engine.game import Aim
from engine.games.practice import random_checkout
from engine.kit import About, AnyRoll, Chooser, Draft, Kit, Segment, Show, State, Text
from engine.match import Match
from engine.play import apply
from engine.random_play import start
from engine.refusals import Refusal
from engine.segments import SEGMENTS

NO_NUMBERS: Final = Draft()
NO_TEXT: Final = Text("", "", "")
ABOUT: Final = About("A", NO_TEXT, NO_TEXT, NO_TEXT, NO_TEXT)
NAMES: Final = ("Ann", "Bob", "Cid", "Dee")


@dataclass(frozen=True, slots=True)
class Lives:
    lives: int = kit.lives(2)
    rounds: int = kit.most_rounds(30)
    numbers: str = kit.numbers()


@dataclass(frozen=True, slots=True)
class Drafted:
    draft: Draft = NO_NUMBERS


D = State[Lives, Drafted]


def strike(state: D, bed: Segment) -> D:
    """A dart in the number of another takes a life."""
    if state.own.draft.thrower(state.sides) is not None:
        return state.keep(Drafted(state.own.draft.after(bed)))
    hit = [side for side in state.others if bed.number == state.own.draft.numbers[side]]
    after = state.counts(1).loses_life(1, hit[0]) if hit else state
    return after if len(after.left_in) > 1 else after.ends()


DUEL: Final[Kit[Lives, Drafted]] = Kit(
    name="duel",
    title="Duel",
    about=ABOUT,
    seats=range(2, 5),
    rules=Lives,
    own=Drafted,
    start=lambda state: state.with_scores(state.options.lives),
    opening=lambda state: state.own.draft.thrower(state.sides) if state.options.numbers == "throw" else None,
    chance=lambda state: kit.NUMBER_DECK if state.options.numbers == "deck" and not state.own.draft.numbers else None,
    drawn=lambda state, numbers: state.keep(Drafted(Draft(numbers[: len(state.sides)]))),
    dart=strike,
    targets=lambda state: [state.own.draft.numbers[side] for side in state.others if state.own.draft.numbers[side:]],
    worth=lambda state, bed: bed.number in state.own.draft.numbers,
)


@dataclass(frozen=True, slots=True)
class Dealt:
    owners: tuple[int, ...] = ()
    shown: frozenset[int] = frozenset()


B = State[Lives, Dealt]


def seen(state: B, viewer: str | None) -> Show:
    def about(side: int) -> dict[str, Any]:
        mine = bool(state.own.owners) and viewer in state.names(side)
        return {"number": state.own.owners[side]} if mine else {}

    return Show({"shown": sorted(state.own.shown)}, players=[about(side) for side in state.sides])


def exchanged(state: B, viewer: str | None, choose: Chooser) -> B:
    """The numbers of the others, and of nobody, in other places; the own one where it is."""
    if not state.own.owners:
        return state
    mine = [side for side in state.sides if viewer in state.names(side)]
    others = [side for side in range(20) if side not in mine]
    drawn = dict(zip(others, choose.sample([state.own.owners[side] for side in others], len(others)), strict=True))
    return state.keep(replace(state.own, owners=tuple(drawn.get(at, n) for at, n in enumerate(state.own.owners))))


BLIND: Final[Kit[Lives, Dealt]] = Kit(
    name="blind",
    title="Blind",
    about=replace(ABOUT, board="B"),
    seats=range(2, 5),
    rules=Lives,
    own=Dealt,
    chance=lambda state: None if state.own.owners else kit.NUMBER_DECK,
    drawn=lambda state, numbers: state.keep(Dealt(numbers)),
    dart=lambda state, bed: state.keep(replace(state.own, shown=state.own.shown | {bed.number})).brings(bed.number > 0),
    show=seen,
    disguise=exchanged,
)


@dataclass(frozen=True, slots=True)
class Foe:
    rounds: int = kit.rounds(3)


@dataclass(frozen=True, slots=True)
class Weak:
    weak: int = 0
    left: int = 300


F = State[Foe, Weak]


def wound(state: F, bed: Segment) -> F:
    if bed.text == "DB":
        return state.with_score(state.before[state.at]).ends("bust")
    points = min(state.own.left, bed.points * (2 if bed.number == state.own.weak else 1))
    after = state.brings(points).keep(replace(state.own, left=state.own.left - points))
    return after if after.own.left else after.is_won(*after.sides)


FIGHT: Final[Kit[Foe, Weak]] = Kit(
    name="fight",
    title="Fight",
    about=ABOUT,
    seats=range(1, 5),
    rules=Foe,
    own=Weak,
    house="Ogre",
    chance=lambda state: None if state.own.weak else AnyRoll(1, 20),
    drawn=lambda state, dice: state.keep(replace(state.own, weak=dice[0])),
    dart=wound,
    darts=lambda state: 1 + state.round % 3,
    # Whoever brought more than 200 rests; the last of all is played to its end by nobody.
    rests=lambda state, side: state.scores[side] > 200,
    end_round=lambda state: (
        state.is_won(kit.HOUSE) if state.round == state.options.rounds else state.keep(replace(state.own, weak=0))
    ),
    show=lambda state, viewer: Show(house={"score": state.own.left}),
)


@pytest.mark.parametrize(
    ("game", "options"),
    [(DUEL, {}), (DUEL, {"numbers": "deck"}), (BLIND, {"rounds": 2}), (FIGHT, {}), (FIGHT, {"rounds": 9})],
    ids=lambda value: value.name if isinstance(value, Kit) else str(value),
)
@settings(max_examples=10, deadline=None, derandomize=True)
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_the_kit_conforms(game: Kit[Any, Any], options: dict[str, Any], seats: int, seed: int) -> None:
    assert list(check(game, NAMES[:seats], options, None, Random(seed))) == []


def played(game: Kit[Any, Any], players: tuple[str, ...], text: str, options: dict[str, Any] | None = None) -> Match:
    """After these darts; a full stop is `next`."""
    match = start(game, players, options or {})
    assert isinstance(match, Match)
    for word in text.split():
        outcome = apply(match, Next() if word == "." else Throw(SEGMENTS[word]))
        assert isinstance(outcome, Match), (word, outcome)
        match = outcome
    return match


def test_everyone_throws_for_a_number_until_they_have_one() -> None:
    match = played(DUEL, ("Ann", "Bob", "Cid"), "S20 S20 SB T5")
    assert match.turn.player == "Cid"
    match = played(DUEL, ("Ann", "Bob", "Cid"), "S20 S20 SB T5" + " MISS" * 9)
    assert match.state.own.draft.numbers == (20, 5, 1)
    assert (match.turn.player, match.turn.darts, match.turn.number) == ("Ann", (), 13)
    assert match.view()["turn"]["targets"] == [5, 1]


def test_who_throws_for_a_number_closes_no_turn() -> None:
    match = played(DUEL, ("Ann", "Bob"), "")
    outcome = apply(match, Next())
    assert isinstance(outcome, Refusal)
    assert outcome.reason == "not_awaited"


def test_the_last_one_in_wins_when_the_turn_closes() -> None:
    out = played(DUEL, ("Ann", "Bob"), "S20 S5 S5 T5")
    assert (out.turn.awaits, out.finished) == ("next", False)
    match = played(DUEL, ("Ann", "Bob"), "S20 S5 S5 T5 .")
    assert match.view()["winners"] == ["Ann"]
    assert [event.kind for event in match.events] == ["score", "score", "won"]
    assert out.events[-1].data == {"player": "Bob", "round": 1, "place": 2}


def test_a_secret_that_a_view_tells_is_found() -> None:
    leaky = replace(BLIND, show=lambda state, viewer: Show({"last": list(state.own.owners[-1:])}))
    found = [fault for seed in range(3) for fault in check(leaky, NAMES[:3], {"rounds": 2}, None, Random(seed))]
    assert any("tells a secret" in fault for fault in found)


def test_a_secret_that_advice_tells_is_found() -> None:
    leaky = replace(BLIND, worth=lambda state, bed: bed.number == state.own.owners[-1])
    found = [fault for seed in range(3) for fault in check(leaky, NAMES[:3], {"rounds": 2}, None, Random(seed))]
    assert any("the advice for" in fault for fault in found)


def test_only_its_owner_sees_a_hand() -> None:
    match = played(BLIND, ("Ann", "Bob"), "")
    dealt = apply(match, Deck(tuple(NUMBERS)))
    assert isinstance(dealt, Match)
    assert [player.get("number") for player in dealt.view("Bob")["players"]] == [None, 2]
    assert [player.get("number") for player in dealt.view()["players"]] == [None, None]


def test_the_house_wins_and_its_name_is_taken() -> None:
    match = start(FIGHT, ("Ann",), {"rounds": 1})
    assert isinstance(match, Match)
    for action in (Roll((20,)), Throw(SEGMENTS["S20"]), Next()):
        outcome = apply(match, action)
        assert isinstance(outcome, Match)
        match = outcome
    assert match.view()["winners"] == ["Ogre"]
    assert match.view()["players"][1] == {"name": "Ogre", "house": True, "score": 260}
    refused = start(FIGHT, ("Ann", "Ogre"), {})
    assert isinstance(refused, Refusal)
    assert refused.reason == "bad_players"


def test_a_bust_says_what_is_left_and_goes_back() -> None:
    match = start(FIGHT, ("Ann", "Bob"), {})
    assert isinstance(match, Match)
    for line in ({"roll": [1]}, {"throw": "T20"}, {"throw": "DB"}):
        action = action_from_json(line)
        assert not isinstance(action, Refusal)
        outcome = apply(match, action)
        assert isinstance(outcome, Match)
        match = outcome
    assert [event.kind for event in match.events] == ["dart", "bust"]
    assert (match.events[1].data, match.turn.awaits) == ({"player": "Ann", "left": 0}, "next")
    assert match.view()["turn"]["bust"] is True


def test_points_of_beds_that_do_the_same_are_not_asked_about() -> None:
    throw = action_from_json({"throw": {"points": 18, "candidates": ["T6", "D9", "S18"]}})
    assert isinstance(throw, Throw)
    drafted = played(DUEL, ("Ann", "Bob"), "S20 S5")
    same = apply(drafted, throw)
    assert isinstance(same, Match)
    assert (same.unsure, same.turn.darts) == (None, ("18",))
    asked = apply(played(DUEL, ("Ann", "Bob"), "S20 S6"), throw)
    assert isinstance(asked, Match)
    assert asked.view()["turn"]["candidates"] == ["T6", "D9", "S18"]


def test_an_aim_of_the_game_goes_before_the_worth_of_the_beds() -> None:
    easy = Aim(0.0, 0.0, "SB", 25.0, 1.0)
    game = replace(DUEL, aims=lambda state, skill_mm: easy if skill_mm > 50 else None)
    state = played(game, ("Ann", "Bob"), "S20 S5").state
    assert game.advice(state, 60).aim == easy
    assert game.advice(state, 10).aim == DUEL.advice(state, 10).aim


@given(left=st.lists(st.integers(0, 501)).map(tuple), attempt=st.integers(1, 10))
def test_what_a_game_remembers_is_replaced_as_by_the_library(left: tuple[int, ...], attempt: int) -> None:
    own = random_checkout.Own(left=(2, 40), attempt=3, target=40)
    assert kit.replaced(own, left=left, attempt=attempt) == replace(own, left=left, attempt=attempt)
    assert own == random_checkout.Own(left=(2, 40), attempt=3, target=40)


def test_a_field_that_does_not_exist_is_not_replaced() -> None:
    with pytest.raises(TypeError, match="no field lefts"):
        kit.replaced(random_checkout.Own(), lefts=(1,))  # type: ignore[call-arg]
