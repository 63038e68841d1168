"""Events of all games: the guide documents what the suite checks, and cases that random play rarely reaches."""

import re
from pathlib import Path
from random import Random
from typing import Any, Final

from engine.actions import Action, Choose, Next, Roll, Throw
from engine.conformance import start
from engine.conformance_events import FIELDS
from engine.darts import Points, Zone
from engine.game import Event
from engine.games import GAMES
from engine.match import Match, begin
from engine.play import apply, replayed
from engine.random_play import random_match
from engine.refusals import Refusal
from engine.segments import MISS, SEGMENTS
from tests.games.setups import FACES, face_of

GUIDE: Final = Path(__file__).parents[2] / "docs" / "bus.md"


def opened(game: str, options: dict[str, Any], *actions: Action) -> Match:
    match = start(GAMES[game], ("Ann", "Bob"), options, face_of(GAMES[game], options))
    assert isinstance(match, Match)
    played = replayed(match, actions)
    assert isinstance(played, Match), played
    return played


def events_of(match: Match, *actions: Action) -> list[tuple[str, dict[str, Any]]]:
    events: list[Event] = []
    for action in actions:
        outcome = apply(match, action)
        assert not isinstance(outcome, Refusal), outcome
        match = outcome
        events += outcome.events
    return [(event.kind, dict(event.data)) for event in events]


def throws(*texts: str) -> list[Action]:
    return [Throw(SEGMENTS[text]) for text in texts]


def test_the_guide_names_the_fields_of_every_event() -> None:
    section = GUIDE.read_text("utf-8").split("## Events")[1].split("\n## ")[0]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| `")]
    named = {kind: set(re.findall(r"`(\w+)`", row[2])) for row in rows for kind in re.findall(r"`(\w+)`", row[0])}
    assert set(named) == set(FIELDS)
    named["leg"].remove("sets")
    named["set"].remove("legs")
    named["corrected"].remove("back")
    assert named == {kind: set(fields) for kind, fields in FIELDS.items()}


def test_round_is_the_one_that_begins_and_none_begins_at_the_end() -> None:
    cricket = events_of(opened("cricket", {"rounds": 2}), Next(), Next(), Next(), Next())
    assert [data["round"] for kind, data in cricket if kind == "round"] == [2]
    roll = Roll((1, 2, 3))
    cerberus = events_of(
        opened("cerberus", {"margin": 1}), roll, Next(), roll, Next(), roll, *throws("T1"), Next(), roll, Next()
    )
    assert [kind for kind, _ in cerberus if kind in ("round", "turn", "out", "won")] == [
        "turn",
        "round",
        "turn",
        "turn",
        "out",
        "won",
    ]
    assert ("round", {"round": 2}) in cerberus


def test_dards_tells_what_was_dealt_and_what_each_turn_came_to() -> None:
    game = GAMES["dards"]
    record = random_match(game, ("Ann", "Bob", "Cid"), {"order": "listed"}, None, Random(1))
    events = events_of(begin(record.header, game, record.begun), *record.actions)
    deals = [data for kind, data in events if kind == "deal"]
    assert [deal["cards"] for deal in deals] == [6, 6, 5]
    assert all(deal.keys() == {"cards", "wild", "wild_card"} for deal in deals)
    assert [kind for kind, _ in events[:3]] == ["round", "deal", "turn"]
    scores = [data for kind, data in events if kind == "score"]
    assert len(scores) == 3 * 17
    totals = {data["player"]: data["score"] for data in scores}
    assert totals == {name: sum(data["points"] for data in scores if data["player"] == name) for name in totals}
    assert max(totals.values()) > 0


def test_a_turn_of_fifty_in_cerberus_is_awarded_when_it_closes() -> None:
    match = opened("cerberus", {}, Roll((20, 20, 5)), *throws("T20", "T5", "DB"))
    assert events_of(match, Next())[:2] == [
        ("score", {"player": "Ann", "points": 50, "score": 50}),
        ("award", {"player": "Ann", "award": "cerberus_50", "points": 50}),
    ]
    less = opened("cerberus", {}, Roll((20, 20, 5)), *throws("T20", "T5", "SB"))
    assert "award" not in [kind for kind, _ in events_of(less, Next())]


def test_the_house_is_not_awarded_its_fifty_points() -> None:
    match = opened("cerberus", {"cerberus_points": 50, "margin": 1000}, Roll((1, 2, 3)), Next(), Roll((1, 2, 3)))
    events = events_of(match, Next())
    assert ("score", {"player": "Cerberus", "points": 50, "score": 50}) in events
    assert "award" not in [kind for kind, _ in events]


def test_the_winner_of_dart_wars_is_master_of_the_world() -> None:
    game, face = GAMES["dart_wars"], FACES["dart_wars"]
    record = random_match(game, ("Ann", "Bob"), {}, face, Random(2))
    events = events_of(begin(record.header, game, record.begun), *record.actions)
    (kind, award), won = events[-2:]
    assert (kind, won[0]) == ("award", "won")
    assert award["award"] == "master_of_the_world"
    assert [award["player"]] == won[1]["winners"]
    assert award["points"] > 0
    assert [kind for kind, _ in events].count("award") == 1


def test_an_answer_about_the_bed_tells_what_the_dart_did() -> None:
    twenty = Points(20, (SEGMENTS["D10"], SEGMENTS["S20"]))
    match = opened("x01", {"start": 101}, *throws("T20", "S1", "S20"), Next(), Next())
    asked = events_of(match, Throw(twenty))
    assert asked == [("dart", {"player": "Ann", "dart": "20", "candidates": ["D10", "S20"]})]
    events = events_of(match, Throw(twenty), Choose("segment", "D10"))[1:]
    assert [kind for kind, _ in events] == ["choice", "dart", "checkout", "leg", "set"]
    assert events[0][1] == {"player": "Ann", "segment": "D10"}
    assert events[1][1] == {"player": "Ann", "dart": "D10", "points": 20, "left": 0}


def test_a_throw_for_the_bull_whose_bed_was_asked_for_goes_on_to_the_next_player() -> None:
    eighteen = Points(18, (SEGMENTS["T6"], SEGMENTS["D9"]))
    for game in ("dards", "dart_wars"):
        events = events_of(opened(game, {}), Throw(eighteen), Choose("segment", "D9"))
        assert [kind for kind, _ in events] == ["dart", "choice", "dart", "turn"]
        assert events[-1] == ("turn", {"player": "Bob"})


def test_the_second_throw_for_the_bull_begins_a_turn_in_dart_wars() -> None:
    events = events_of(opened("dart_wars", {}), Throw(MISS), Throw(SEGMENTS["DB"]), Throw(Zone(("gaul",))))
    assert [data["player"] for kind, data in events if kind == "turn"] == ["Bob", "Bob", "Ann"]
