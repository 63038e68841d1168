"""The state has everything that a display draws: displays contain no rules."""

import json

import pytest

from daemon.system.catalogue import faces
from daemon.web import geometry_api
from engine.actions import Bounce, Done, Move, action_to_json
from engine.circles import OUT, Circles
from engine.darts import Position
from engine.games import GAMES
from engine.kit import Kit
from engine.segments import CLOCKWISE
from engine.worldmap import WorldMap
from tests.rehearsal import moment, rehearse


def test_dards_says_where_the_card_came_from_what_it_led_to_and_what_the_darts_scored() -> None:
    paces = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13}
    for scene in rehearse("dards", ("Ann", "Bob", "Cid"), {"order": "listed"}, 1):
        turn = scene.view["turn"]
        if "card" not in turn:
            assert not turn.keys() & {"from", "target", "points", "scored"}
            continue
        stack, (rank, suit) = scene.view["stack"], turn["card"]
        steps = paces.get(rank) or int(rank)
        came = (CLOCKWISE.index(turn["target"]) - CLOCKWISE.index(turn["from"])) % 20
        assert came == (steps if suit in "HD" else -steps) % 20
        assert len(turn["points"]) == len(turn["darts"])
        assert turn["scored"] == sum(turn["points"])
        assert stack["height"] == len(stack["cards"]) == turn["multiplier"]
        assert stack["cards"][-1] == turn["card"]


def test_only_the_owner_of_a_hand_is_told_what_its_cards_would_lead_to() -> None:
    scene = moment(
        rehearse("dards", ("Ann", "Bob", "Cid"), {"order": "listed"}, 1),
        lambda view: view["turn"]["awaits"] == "choose",
    )
    match, actor = scene.match, scene.view["turn"]["actor"]
    assert all("plays" not in player for player in scene.view["players"])
    for name in ("Ann", "Bob", "Cid"):
        own = next(player for player in match.view(name)["players"] if player["name"] == name)
        assert ("plays" in own) == (name == actor)
        if name == actor:
            assert list(own["plays"]) == own["hand"]
            assert all(play["target"] in CLOCKWISE and play["multiplier"] >= 1 for play in own["plays"].values())


def test_x01_says_what_each_dart_took_off() -> None:
    for scene in rehearse("x01", ("Ann", "Bob"), {"start": 201}, 2):
        turn = scene.view["turn"]
        assert len(turn["points"]) == len(turn["darts"])
        assert turn.get("bust") or turn["scored"] == sum(turn["points"])


def test_a_game_says_that_the_darts_of_a_turn_have_no_sum() -> None:
    unsummed = set()
    for name, game in GAMES.items():
        if isinstance(game, Kit) and not game.summed:
            unsummed.add(name)
            assert not any("scored" in scene.view["turn"] for scene in rehearse(name, ("Ann", "Bob", "Cid"), {}, 2))
    assert unsummed == {"big_six", "blind_killer", "follow_the_leader", "killer"}
    assert all("scored" in scene.view["turn"] for scene in rehearse("halve_it", ("Ann", "Bob", "Cid"), {}, 2))


@pytest.mark.parametrize("face", ["dart_wars", "dart_wars_82"])
def test_dart_wars_lists_all_choices(face: str) -> None:
    phases = set()
    for scene in rehearse("dart_wars", ("Ann", "Bob", "Cid"), {"order": "listed", "face": face}, 3):
        turn = scene.view["turn"]
        match = scene.match
        said = [a for a in match.legal().actions if not isinstance(a, Move | Done | Bounce)]
        said = [a for a in said if action_to_json(a) != {"next": True}]
        assert turn["choices"] == [action_to_json(a) for a in said]
        assert len(turn["targets"]) == len(turn["darts"])
        assert set(turn["used"]) <= set(range(1, len(turn["darts"]) + 1))
        phases.add(turn["phase"])
        if len(phases) == 6 or len(scene.past) > 150:
            break
    assert phases >= {"homelands", "throws", "moves"}


def test_a_page_gets_every_zone_of_every_face() -> None:
    known = faces()
    told = json.loads(json.dumps(geometry_api.faces(known)))
    for name, face in known.items():
        if isinstance(face, WorldMap):
            beds = [bed for place in told[name]["places"].values() for bed in place["beds"]]
            assert len(beds) == len(set(beds)) == 80
            for place, about in told[name]["places"].items():
                assert tuple(about["ways"]) == face.geography.ways[place]
                assert {face.geography.zone_of[bed] for bed in about["beds"]} == {place}
        if isinstance(face, Circles):
            assert told[name]["zones"].keys() == face.worth.keys() - {OUT}
            for zone, about in told[name]["zones"].items():
                assert face.zone_at(Position(*about["at"])) == zone
            assert told[name]["overlay"] == dict(face.overlay)


@pytest.mark.parametrize("game", ["killer", "castle"])
def test_a_dart_for_a_number_of_ones_own_is_told_apart(game: str) -> None:
    opening = [scene.view["turn"].get("opening") for scene in rehearse(game, ("Ann", "Bob", "Cid"), {}, 1)]
    darts = opening.index(None)
    assert darts >= 3
    assert opening[:darts] == [True] * darts
    assert not any(opening[darts:])
