"""Dart Wars: invariants of every match, and rules that apply rarely."""

from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Choose, Combat, Correct, Defend, Done, Foul, GameAction, Move, Next, Throw
from engine.darts import Position, Zone
from engine.game import Event, Step
from engine.games.dart_wars import GAME
from engine.games.dart_wars_conquest import consequences
from engine.games.dart_wars_moves import moves, owed
from engine.games.dart_wars_state import HOMELAND_LIMIT, State, begin_turn, enemies, head, on_map, troops_of
from engine.match import Match
from engine.play import apply, replayed
from engine.random_play import random_match, start
from engine.refusals import Refusal
from engine.segments import MISS
from engine.worldmap import WorldMap
from tests.games.setups import FACES, played

NAMES: Final = ("Ann", "Bob", "Cid", "Dot", "Eve")
WORLD: Final = FACES["dart_wars"]
assert isinstance(WORLD, WorldMap)

play = partial(played, GAME)


def begin(*homes: str, supply: int = 15, handicap: dict[str, int] | None = None) -> State:
    """A match with these homelands, at the first player's turn."""
    options = {"order": "listed", "supply": supply, "face": "dart_wars", "handicap": handicap or {}}
    state = GAME.new(NAMES[: len(homes)], options, WORLD)
    assert isinstance(state, State)
    return play(state, *(Throw(Zone((home,))) for home in homes))


def events(state: State, action: GameAction) -> tuple[Event, ...]:
    step = GAME.apply(state, action)
    assert isinstance(step, Step)
    return step.events


def standing(state: State, **troops: tuple[int, ...]) -> State:
    """The same match with other troops on the map, at the start of the same turn."""
    return begin_turn(replace(state, troops=troops), state.seat).state


def darts(state: State, *zones: str) -> State:
    thrown = play(state, *(Throw(Zone(tuple(zone.split("|")))) for zone in zones))
    return play(thrown, Next()) if len(zones) < 3 else thrown


def states(seats: int, options: dict[str, Any], seed: int) -> list[tuple[GameAction, State]]:
    """A random match: each action with the state after it."""
    record = random_match(GAME, NAMES[:seats], options, WORLD, Random(seed))
    found = start(GAME, NAMES[:seats], options, WORLD)
    assert isinstance(found, Match)
    state, passed = found.state, []
    for action in record.actions:
        if isinstance(action, Choose) and action.key == "segment":
            continue
        step = GAME.apply(state, action)  # type: ignore[arg-type]
        if isinstance(step, Step):
            state = step.state
            passed.append((action, state))
    return passed  # type: ignore[return-value]


some_matches = settings(max_examples=12, deadline=None, derandomize=True)


@some_matches
@given(seats=st.integers(2, 5), supply=st.sampled_from([3, 6, 15]), seed=st.integers(0, 2**32))
def test_invariants(seats: int, supply: int, seed: int) -> None:
    before: State | None = None
    for action, state in states(seats, {"supply": supply}, seed):
        for seat in range(seats):
            assert on_map(state, seat) <= supply
            master = state.masters[seat]
            # A master is free: no vassal is a master, and nobody is their own.
            assert master is None or (master != seat and state.masters[master] is None)
        assert all(min(here) >= 0 and max(here) > 0 for here in state.troops.values())
        for zone, ready in state.ready.items():
            assert 0 < ready <= troops_of(state, state.seat, zone) or state.phase not in ("throws", "moves")
        for zone, attacks in state.attacks.items():
            assert attacks > 0
            assert enemies(state, state.seat, zone)
            spent = troops_of(state, state.seat, zone) - state.ready.get(zone, 0)
            assert attacks <= spent
        assert {home for home in state.homelands if home} <= set(state.visited)
        assert len(set(state.visited)) == len(state.visited)
        if before is not None:
            check_step(before, action, state)
        before = state


def check_step(before: State, action: GameAction, after: State) -> None:
    """The changes of troops that one action may make."""
    gained = [on_map(after, seat) - on_map(before, seat) for seat in range(len(before.players))]
    pardons = sum(on_map(before, seat) == 0 for seat in range(len(before.players)))
    if isinstance(action, Move):
        new = len(after.visited) - len(before.visited)
        assert 0 <= new <= 1
        assert 0 <= sum(gained) <= new + pardons
        home = before.homelands[before.seat]
        if (
            home is not None
            and action.start != home
            and troops_of(after, before.seat, home) > troops_of(before, before.seat, home)
        ):
            assert troops_of(after, before.seat, home) <= HOMELAND_LIMIT
    elif isinstance(action, Throw | Foul) and before.phase == "combat" and after.phase != "combat":
        # One troop changes sides or is removed; a homeland that falls may add one.
        assert -1 <= sum(gained) <= 1 and min(gained) >= -1
    elif before.phase not in ("homelands", "border"):
        assert not any(gained)


@some_matches
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_each_move_is_listed_or_refused(seats: int, seed: int) -> None:
    """All possible moves at some moments of a match: exactly the listed ones are accepted."""
    choose = Random(seed)
    moments = [state for _, state in states(seats, {"order": "listed"}, seed) if state.phase == "moves"]
    for state in choose.sample(moments, min(4, len(moments))):
        listed = moves(state)
        assert len(set(listed)) == len(listed)
        around = [*state.ready, *(near for zone in state.ready for near in state.world.geography.ways[zone])]
        goals = {None, *(zone for zones in state.targets for zone in zones)}
        for dart in (1, 2, 3):
            for zone in dict.fromkeys((*around, "nowhere")):
                for to in goals:
                    for passing in (False, True):
                        move = Move(dart, zone, to, passing)
                        assert isinstance(GAME.apply(state, move), Step) == (move in listed), move
        assert isinstance(GAME.apply(state, Done()), Refusal) == bool(owed(state))


def test_a_handicap_is_more_troops_in_the_homeland() -> None:
    state = begin("gaul", "egypt", handicap={"Bob": 4})
    assert troops_of(state, 1, "egypt") == troops_of(state, 0, "gaul") + 4


def test_conqueror_is_the_player_of_the_turn() -> None:
    state = begin("gaul", "italy", "egypt", "hawaii")
    state = consequences(
        replace(standing(state, gaul=(2, 0, 0, 0), italy=(1, 0, 3, 0), hawaii=(0, 0, 0, 3)), seat=0)
    ).state
    assert state.masters == (None, 0, None, None)


def test_conqueror_has_the_most_troops() -> None:
    state = begin("gaul", "italy", "egypt", "hawaii")
    fallen = consequences(
        replace(standing(state, gaul=(2, 0, 0, 0), italy=(0, 0, 1, 2), egypt=(0, 0, 1, 0)), seat=0)
    ).state
    assert fallen.masters == (None, 3, None, None)


@pytest.mark.parametrize(("seat", "master"), [(0, 2), (1, 2), (3, 2), (2, 2)])
def test_conqueror_of_equals_is_the_next_in_turn(seat: int, master: int) -> None:
    state = begin("gaul", "italy", "egypt", "hawaii")
    troops = {"gaul": (2, 0, 0, 0), "italy": (0, 0, 2, 2), "egypt": (0, 0, 1, 0), "hawaii": (0, 0, 0, 1)}
    turn = replace(state, troops=troops, seat=seat)
    assert consequences(turn).state.masters[1] == (3 if seat == 3 else master)


def test_homelands_fall_in_turn_order_and_again() -> None:
    """When Bob falls, their vassal Cid changes masters, and Cid's troops no longer hold a homeland for Bob."""
    state = begin("gaul", "italy", "egypt", "hawaii")
    troops = {"gaul": (1, 0, 0, 0), "italy": (1, 0, 0, 0), "egypt": (0, 1, 0, 1), "hawaii": (0, 0, 1, 0)}
    state = replace(standing(state, **troops), masters=(None, None, 1, None))
    after = consequences(state)
    falls = [(event.data["owner"], event.data["master"]) for event in after.events if event.kind == "conquest"]
    # Bob falls to Ann, and their vassal Cid too; so Egypt is held for Ann, and Hawaii falls to Cid for Ann.
    assert falls == [("Bob", "Ann"), ("Dot", "Ann")]
    assert after.state.winner == 0


def four_at_war() -> State:
    """Italy, the homeland of the second player, is empty: a player who moves there conquers them."""
    troops = {"gaul": (2, 0, 0, 0), "scandinavia": (0, 2, 0, 0), "north_sea": (1, 0, 0, 0)}
    return standing(begin("gaul", "italy", "egypt", "hawaii"), **troops, egypt=(0, 0, 3, 0), hawaii=(0, 0, 0, 3))


def test_owed_dart_is_free_once_its_zone_was_conquered() -> None:
    """A free move into an empty homeland makes enemies allies: the dart among them is no longer owed."""
    state = darts(four_at_war(), "scandinavia", "italy")
    assert owed(state) == (0,)
    assert Move(2, "gaul") in moves(state)
    after = play(state, Move(2, "gaul"))
    assert after.masters[1] == 0
    assert owed(after) == ()
    assert Move(1, "north_sea") in moves(after)


def test_pending_attacks_on_new_allies_lapse_in_the_actions() -> None:
    state = play(darts(four_at_war(), "scandinavia", "italy"), Move(1, "north_sea"))
    assert state.attacks == {"scandinavia": 1}
    after = play(state, Move(2, "gaul"))
    assert after.attacks == {}
    assert play(after, Done()).phase == "throws"


def test_a_pass_may_not_leave_another_dart_without_an_attack() -> None:
    state = begin("gaul", "italy", "hawaii")
    state = standing(
        state, gaul=(1, 0, 0), north_sea=(2, 0, 0), scandinavia=(0, 1, 0), britain=(0, 1, 0), italy=(0, 1, 0)
    )
    state = play(darts(state, "scandinavia", "scandinavia", "britain"), Move(1, "north_sea"))
    assert owed(state) == (1, 2)
    # The last one at sea may attack in either; passing in Scandinavia it would leave Britain alone.
    assert isinstance(GAME.apply(state, Move(2, "north_sea", passing=True)), Refusal)
    assert owed(play(state, Move(2, "north_sea"))) == ()
    assert owed(play(state, Move(3, "north_sea"))) == ()


def test_a_full_homeland_cannot_be_entered_to_attack_but_is_fought_in() -> None:
    state = standing(begin("gaul", "italy"), gaul=(4, 1), britain=(1, 0), italy=(0, 2))
    state = darts(state, "gaul")
    assert moves(state) == (Move(1, "gaul"),)
    assert owed(state) == (0,)


def test_the_last_stronghold_need_not_attack_at_home() -> None:
    state = standing(begin("gaul", "italy"), gaul=(1, 1), hawaii=(2, 0), italy=(0, 2))
    state = darts(state, "gaul")
    assert moves(state) == (Move(1, "gaul"),)
    assert owed(state) == ()
    assert play(state, Done()).seat == 1


def test_two_vassals_of_one_master_are_one_alliance() -> None:
    state = replace(begin("gaul", "italy", "egypt", "hawaii"), masters=(None, 3, 3, None))
    state = standing(
        state,
        gaul=(2, 0, 0, 0),
        north_sea=(1, 0, 0, 0),
        italy=(0, 1, 0, 0),
        scandinavia=(0, 1, 1, 0),
        egypt=(0, 0, 1, 0),
        hawaii=(0, 0, 0, 3),
    )
    state = play(darts(state, "scandinavia"), Move(1, "north_sea"), Done(), Combat("scandinavia", "Cid"))
    # The master is asked, even without a troop there.
    assert (GAME.turn(state).awaits, GAME.turn(state).actor) == ("defend", "Dot")
    assert GAME.legal(state).actions == (Defend("Bob"), Defend("Cid"))
    assert head(state, 1) == 3


def test_correction_while_a_combat_goes_on() -> None:
    """The darts of a turn are those of its throws; a correction replays the darts of the combat."""
    begun = start(GAME, ("Ann", "Bob"), {"order": "listed"}, WORLD)
    assert isinstance(begun, Match)
    actions: list[GameAction] = [Throw(Zone((zone,))) for zone in ("gaul", "italy", "italy", "north_sea")]
    match = replayed(begun, [*actions, Next(), Move(1, "gaul"), Done(), Combat("italy"), Throw(MISS)])
    assert isinstance(match, Match)
    assert match.turn.darts == ("italy", "north_sea")
    corrected = apply(match, Correct(2, Zone(("britain",))))
    assert isinstance(corrected, Match)
    assert corrected.turn.darts == ("italy", "britain")
    assert corrected.turn.actor == "Bob"
    third = apply(match, Correct(3, MISS))
    assert isinstance(third, Refusal)
    assert third.reason == "no_such_dart"


def test_events_tell_what_happened() -> None:
    state = darts(begin("gaul", "italy"), "britain", "italy")
    assert [event.kind for event in events(state, Move(1, "gaul"))] == ["zone", "visited"]
    assert [event.kind for event in events(state, Move(2, "gaul"))] == ["zone"]
    fight = play(state, Move(2, "gaul"), Done(), Combat("italy"), Throw(Position(0.0, 0.0)))
    assert [event.kind for event in events(fight, Foul())] == ["dart", "combat", "turn"]


def test_no_map_no_match() -> None:
    refused = GAME.new(("Ann", "Bob"), {"order": "listed", "supply": 15, "face": "dart_wars"}, FACES["yatzy"])
    assert isinstance(refused, Refusal)
    assert refused.reason == "no_face"
