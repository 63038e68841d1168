"""Who may correct which dart: players correct only their own darts, as the game decides."""

from dataclasses import replace
from random import Random
from typing import Final, cast

import pytest

from daemon.session.commands import Command, allowed
from engine.actions import Action, Combat, Correct, Done, Foul, GameAction, Move, Next, Throw
from engine.conformance import random_match, start
from engine.conformance_darts import check_whose_darts
from engine.darts import Points, Zone
from engine.game import Game, Turn
from engine.games import GAMES
from engine.games.dart_wars import GAME as DART_WARS
from engine.games.dart_wars_state import State
from engine.match import Match, begin
from engine.play import apply, replayed
from engine.refusals import Refusal
from engine.segments import MISS, SEGMENTS
from tests.games.setups import FACES, face_of

PLAYERS: Final = ("Ann", "Bob", "Cid")
UNSURE: Final = Points(18, (SEGMENTS["T6"], SEGMENTS["D9"], SEGMENTS["S18"]))


def begun(*actions: GameAction) -> Match:
    """Ann and Bob in Dart Wars, at home in Gaul and Italy."""
    match = start(DART_WARS, ("Ann", "Bob"), {"order": "listed"}, FACES["dart_wars"])
    assert isinstance(match, Match)
    return played(match, *(Throw(Zone((zone,))) for zone in ("gaul", "italy")), *actions)


def played(match: Match, *actions: Action) -> Match:
    done = replayed(match, actions)
    assert isinstance(done, Match), done
    return done


def two_attacks() -> Match:
    """Ann attacks Italy twice; Bob throws first in the second combat, a dart of which three beds are possible."""
    italy = Throw(Zone(("italy",)))
    match = begun(italy, italy, Next(), Move(1, "gaul"), Move(2, "gaul"), Done())
    return played(match, Combat("italy"), Throw(MISS), Throw(SEGMENTS["DB"]), Combat("italy"), Throw(UNSURE))


def as_user(match: Match, user: str | None, dart: int) -> Refusal | None:
    return allowed(Command(Correct(dart, None)), user, 1, match)


def test_a_defender_cannot_correct_the_attackers_darts() -> None:
    italy = Throw(Zone(("italy",)))
    match = begun(italy, Next(), Move(1, "gaul"), Done(), Combat("italy"), Throw(MISS))
    assert (match.turn.player, match.turn.actor, match.turn.darts) == ("Ann", "Bob", ("italy",))
    refused = as_user(match, "bob", 1)
    assert refused is not None
    assert refused.reason == "not_allowed"
    assert as_user(match, "ann", 1) is None
    assert as_user(match, None, 1) is None


def test_a_correction_never_hits_a_dart_of_an_earlier_combat() -> None:
    match = two_attacks()
    assert match.turn.darts == ("italy", "italy", "18")
    outcome = apply(match, Correct(3, None))
    assert isinstance(outcome, Refusal)
    assert outcome.reason == "undo_only"


def test_conformance_finds_a_combat_whose_darts_are_not_apart() -> None:
    class Lumps:
        """Dart Wars, except that the darts of a combat are not `apart`."""

        def __getattr__(self, name: str) -> object:
            return getattr(DART_WARS, name)

        def turn(self, state: State) -> Turn:
            return DART_WARS.turn(state)._replace(apart=False)

    match, lumps = two_attacks(), cast(Game[State], Lumps())
    assert list(check_whose_darts(match)) == []
    assert list(check_whose_darts(replace(match, game=lumps, of_game=lumps.turn(match.state)))) == [
        "dart 3 is shown as 18, and a correction of it corrects MISS"
    ]


@pytest.mark.parametrize("name", ["dards", "dart_wars"])
def test_a_dart_for_the_bull_whose_bed_is_asked_for_is_not_corrected(name: str) -> None:
    game = GAMES[name]
    match = start(game, ("Ann", "Bob"), {}, face_of(game, {}))
    assert isinstance(match, Match)
    outcome = apply(played(match, Throw(UNSURE)), Correct(1, SEGMENTS["DB"]))
    assert isinstance(outcome, Refusal)
    assert outcome.reason == "undo_only"


def test_a_dart_whose_bed_is_asked_for_is_corrected_as_it_is_shown() -> None:
    match = start(GAMES["x01"], ("Ann", "Bob"), {"start": 101})
    assert isinstance(match, Match)
    twenty = Points(20, (SEGMENTS["S20"], SEGMENTS["D10"]))
    match = played(match, Throw(SEGMENTS["T20"]), Throw(SEGMENTS["S1"]), Throw(SEGMENTS["S20"]), Next(), Next())
    match = played(match, Throw(twenty))
    assert (match.turn.darts, match.turn.awaits) == (("20",), "choose")
    outcome = apply(match, Correct(1, SEGMENTS["S5"]))
    assert isinstance(outcome, Match)
    assert (outcome.turn.darts, outcome.turn.awaits) == (("S5",), "throw")


@pytest.mark.parametrize("name", GAMES)
def test_players_correct_their_own_darts_and_no_others(name: str) -> None:
    """In a random match only the player who threw the dart of a number may correct it."""
    game = GAMES[name]
    record = random_match(game, PLAYERS, {}, face_of(game, {}), Random(3))
    match = begin(record.header, game, record.begun)
    threw: list[str] = []
    corrected = 0
    for action in record.actions[:400]:
        actor, number, shown = match.turn.actor, match.turns[-1].number, len(match.turn.darts)
        match = played(match, action)
        if match.turns[-1].number != number:
            threw = []
        elif isinstance(action, Throw | Foul) and len(match.turn.darts) > shown:
            threw.append(actor)
        for dart in range(1, 6):
            taken = isinstance(apply(match, Correct(dart, None)), Match)
            for player in PLAYERS:
                if taken and as_user(match, player.lower(), dart) is None:
                    assert threw[dart - 1] == player
                    corrected += 1
    assert corrected > 0
