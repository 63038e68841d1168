"""What listeners of darts-caller are told: the order of the events, and their fields, as docs/show.md lists them."""

import re
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.show.caller_words import CallerWords, commands_of, field_of
from engine.segments import SEGMENTS
from tests.show.played import Played

GUIDE: Final = Path("docs/show.md").read_text()
LAST: Final = {"fieldName", "fieldNumber", "fieldMultiplier", "type"}


def documented() -> dict[str, set[str]]:
    """The fields of `game` that the guide lists, by the event."""
    rows = re.findall(r"^\| (`[a-zB][^|]*) \|[^|]*\|([^|]*)\|$", GUIDE.split("| event | when |")[1], re.MULTILINE)
    found: dict[str, set[str]] = {}
    for names, fields in rows:
        known = set(re.findall(r"`([a-zA-Z]+)`", re.sub(r"\([^)]*\)", "", fields)))
        known |= LAST if "last dart as above" in fields else set()
        found |= dict.fromkeys(re.findall(r"`([a-zA-Z0-9 -]+)`", names), known)
    return found


def told(played: Played) -> list[dict[str, Any]]:
    words = CallerWords()
    return [message for cue in played.cues for message in words.translate(cue)]


def short(messages: list[dict[str, Any]]) -> list[str]:
    return [
        f"{m['event']} {m.get('player', m.get('data', {}).get('status', ''))} "
        f"{m.get('game', {}).get('dartValue', m.get('game', {}).get('dartsThrownValue', ''))}".strip()
        for m in messages
    ]


def test_a_match_of_two_legs() -> None:
    played = Played("x01", ["Ann", "Bob"], {"start": 101, "legs": 2})
    played.act("T20", "S1", "MISS", "next", "T20", "T20", "next", "D20", "next")
    played.act("S1", "S1", "S1", "next", "T20", "S1", "D20", "next")
    assert short(told(played)) == [
        "match-started ann",
        "game-started ann",
        "dart1-thrown ann 60",
        "dart2-thrown ann 1",
        "dart3-thrown ann 0",
        "darts-thrown ann 61",
        "Board Status Takeout Started",
        "Board Status Takeout Finished",
        "darts-pulled ann",
        "dart1-thrown bob 60",
        "dart2-thrown bob 60",
        "busted bob",
        "Board Status Takeout Started",
        "Board Status Takeout Finished",
        "darts-pulled bob",
        "dart1-thrown ann 40",
        "game-won ann 40",
        "Board Status Takeout Started",
        "Board Status Takeout Finished",
        "darts-pulled ann",
        "game-started bob",
        "dart1-thrown bob 1",
        "dart2-thrown bob 1",
        "dart3-thrown bob 1",
        "darts-thrown bob 3",
        "Board Status Takeout Started",
        "Board Status Takeout Finished",
        "darts-pulled bob",
        "dart1-thrown ann 60",
        "dart2-thrown ann 1",
        "dart3-thrown ann 40",
        "match-won ann 101",
        "Board Status Takeout Started",
    ]
    [dart] = [m for m in told(played) if m["event"] == "dart3-thrown" and m["game"]["dartValue"] == "40"]
    assert dart == {
        "event": "dart3-thrown",
        "player": "ann",
        "playerIndex": "0",
        "playerIsBot": "False",
        "game": {
            "mode": "X01",
            "pointsLeft": "0",
            "dartNumber": "3",
            "dartValue": "40",
            "fieldName": "d20",
            "fieldNumber": "20",
            "fieldMultiplier": "2",
            "type": "double",
        },
    }


def test_an_undone_leg_is_won_by_another_dart() -> None:
    played = Played("x01", ["Ann", "Bob"], {"start": 101, "legs": 1})
    played.act("T20", "S1", "D20", "undo", "S20", "next")
    words = short(told(played))
    assert words[4:] == [
        "dart3-thrown ann 40",
        "match-won ann 101",
        "Board Status Takeout Started",
        "dart3-thrown ann 20",
        "darts-thrown ann 81",
        "Board Status Takeout Started",
        "Board Status Takeout Finished",
        "darts-pulled ann",
    ]


def test_a_set_wins_the_match_only_if_it_is_the_last() -> None:
    played = Played("x01", ["Ann", "Bob"], {"start": 101, "legs": 1, "sets": 2})
    played.act("T20", "S1", "D20", "next", "MISS", "MISS", "MISS", "next", "T20", "S1", "D20")
    assert [m["event"] for m in told(played) if m["event"].endswith("-won")] == ["game-won", "match-won"]


@pytest.mark.parametrize(
    ("text", "awaits", "commands"),
    [
        ("next", "next", [{"next": True}]),
        ("undo", "throw", [{"undo": True}]),
        ("correct:1:2:t20", "throw", [{"correct": {"dart": d, "throw": "T20"}} for d in (2, 3)]),
        ("correct:0:50", "throw", [{"correct": {"dart": 1, "throw": "DB"}}]),
        ("correct:0:25", "throw", [{"correct": {"dart": 1, "throw": "SB"}}]),
        ("correct:3:t20", "throw", []),
        ("correct:t20", "throw", []),
        ("correct:0:t21", "throw", []),
        ("board-reset", "next", [{"next": True}]),
        ("board-reset", "throw", []),
        ("board-start:0.2", "next", []),
        ("board-stop", "next", []),
        ('{"start": {"game": "x01"}}', "throw", []),
        ({"start": {"game": "x01"}}, "throw", []),
        (None, "throw", []),
    ],
)
def test_what_a_listener_may_ask_for(text: object, awaits: str, commands: list[dict[str, Any]]) -> None:
    assert list(commands_of(text, awaits)) == commands


def test_every_bed_has_its_name() -> None:
    for bed in SEGMENTS.values():
        field = field_of(bed.text)
        assert int(field["fieldNumber"]) * int(field["fieldMultiplier"]) == bed.points
