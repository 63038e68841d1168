"""A bot throws with the hand of a player: a friend who is not there, or somebody's own of an earlier month."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.people import hand_files
from daemon.session.commands import Command, Start, read_command
from daemon.system.skills import HandOf
from engine import jsontext
from engine.refusals import Refusal
from tests.daemon.side_by_side import side_by_side
from tests.rig import LIMIT_SECONDS

NOW: Final = datetime.now(UTC).strftime("%Y-%m")
MONTHS: Final = [
    {"month": "2019-11", "darts": 90, "skill_mm": 31.0, "error": 2.0},
    {"month": "2020-02", "darts": 90, "skill_mm": 27.5, "error": 2.0},
    # This month, or a later one where the clock was wrong.
    {"month": NOW, "darts": 90, "skill_mm": 20.0, "error": 2.0},
    {"month": "9999-01", "darts": 90, "skill_mm": 19.0, "error": 2.0},
]
HAND: Final = {"state": "ready", "hand": {"skill_mm": 21.25}, "months": MONTHS}


def start(bots: object, number: int = 1) -> dict[str, Any]:
    return {"id": number, "start": {"game": "count_up", "players": ["Bob", "Ghost"], "bots": bots}}


@pytest.mark.parametrize(
    ("hand", "spread"),
    [
        ({"hand": "Ann"}, 21.25),
        ({"hand": "Ann", "month": "2019-11"}, 31.0),
        ({"hand": "Ann", "month": "last"}, 27.5),
        ({"hand": "Ann", "month": "2019-12"}, None),
        ({"hand": "Eve"}, None),
        ({"hand": "Eve", "month": "last"}, None),
        # Better and worse than any bot may be.
        ({"hand": "Max"}, 1.0),
        ({"hand": "Kid"}, 120.0),
    ],
)
def test_a_match_begins_with_the_hand_of_a_player(tmp_path: Path, hand: dict[str, str], spread: float | None) -> None:
    async def run() -> tuple[dict[str, Any], dict[str, Any] | None]:
        async with asyncio.timeout(LIMIT_SECONDS), side_by_side(tmp_path, "lounge") as boards:
            data = boards.journal.path.parent
            hand_files.write(data, "Ann", HAND)
            hand_files.write(data, "Max", {"hand": {"skill_mm": 0.5}})
            hand_files.write(data, "Kid", {"hand": {"skill_mm": 300}})
            await boards.command("lounge", start({"Ghost": hand}))
            return boards.bus.replies[-1], boards.shown("lounge")

    reply, shown = asyncio.run(run())
    if spread is None:
        assert (reply["ok"], reply["reason"], shown) == (False, "no_hand", None)
        assert hand["hand"] in reply["message"]
    else:
        assert reply["ok"], reply
        assert shown is not None
        assert shown["bots"] == {"Ghost": spread}


def test_a_player_may_not_ask_for_a_hand_that_a_match_would_begin_with(tmp_path: Path) -> None:
    """What is told of a hand, and whether there is one, is for those who may start."""

    async def run() -> dict[str, Any]:
        async with asyncio.timeout(LIMIT_SECONDS), side_by_side(tmp_path, "lounge") as boards:
            await boards.command("lounge", start({"Ghost": {"hand": "Eve"}}), user="bob")
            return boards.bus.replies[-1]

    assert asyncio.run(run())["reason"] == "not_allowed"


@pytest.mark.parametrize(
    "skill",
    [
        *({}, {"hand": 3}, {"hand": "Ann", "month": 3}, {"hand": "Ann", "of": "2026-10"}, {"month": "last"}, [], None),
        *({"hand": "Ann", "leg": "worst"}, {"hand": "Ann", "leg": 1}, {"leg": "best"}, {"hand": "Ann", "leg": None}),
    ],
)
def test_what_is_no_hand_is_refused(skill: object) -> None:
    _, read = read_command(jsontext.dump(start({"Ghost": skill})).encode())
    assert isinstance(read, Refusal)
    assert read.reason == "bad_players"


def test_bots_by_number_word_and_hand_play_in_one_match() -> None:
    bots = {"Rex": 25, "Max": "pub", "Ghost": {"hand": "Ann", "month": "last"}}
    ask = {"start": {"game": "count_up", "players": ["Bob", *bots], "bots": bots}}
    _, read = read_command(jsontext.dump(ask).encode())
    assert isinstance(read, Command)
    assert isinstance(read.ask, Start)
    assert (read.ask.bots, read.ask.hands) == ({"Rex": 25, "Max": 15.7}, {"Ghost": HandOf("Ann", "last")})


@pytest.mark.parametrize("months", [None, 3, [3, None, {}, {"month": 3, "skill_mm": 4}, {"month": "2020-01"}]])
def test_a_damaged_file_has_no_month(tmp_path: Path, months: object) -> None:
    hand_files.write(tmp_path, "Ann", {"hand": {"skill_mm": 20}, "months": months})
    assert hand_files.spread_of(tmp_path, "Ann", "last") is None
    assert hand_files.spread_of(tmp_path, "Ann", "2020-01") is None
    assert hand_files.spread_of(tmp_path, "Ann") == 20
