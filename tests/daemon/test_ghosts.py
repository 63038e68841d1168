"""A ghost throws the very darts of a recorded leg, then with the fitted hand; whoever is forgotten throws none."""

import asyncio
import contextlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.history.recorded_legs import chosen_legs, legs_of
from daemon.history.stored_match import last_state
from daemon.people import hand_files
from daemon.record.journal import Journal
from daemon.session import bots
from daemon.session.bot_advice import BotAdvice
from daemon.session.ghost_legs import Ghost, GhostVisit, legs_from_json, legs_to_json, next_bed
from daemon.session.ghosts import Ghosts
from daemon.session.x01_plans import X01Plans
from daemon.system.catalogue import faces, games
from daemon.system.skills import HandOf
from engine.actions import Next, Throw, Undo
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from engine.play import apply
from engine.refusals import Refusal
from engine.segments import SEGMENTS
from tests.daemon.past import Past
from tests.daemon.side_by_side import side_by_side, until
from tests.rig import LIMIT_SECONDS

RULES: Final = "101-open-double-split"
WON: Final = "S1 S20 D5 . S5 S5 S5 . T20 D5 ."
"""Ann finishes 101 with her fifth dart, and loses nothing to Bob's 15."""
LOST: Final = "S20 S20 S20 . T20 S1 D20 ."


def past(folder: Path, *words: str) -> list[Match]:
    """Matches of Ann and Bob from 101, as the history reads them, the newest first."""
    with contextlib.closing(Journal(folder)) as journal:
        ids = [Past(journal).add("x01", ("Ann", "Bob"), some, start=101) for some in words]
        found = [journal.record(match_id) for match_id in ids]
    matches = [last_state(record, games(), faces()) for record in found if record is not None]
    return [match for match in reversed(matches) if match is not None]


def test_the_last_the_best_and_the_middle_leg_are_found(tmp_path: Path) -> None:
    longer = "S1 S1 S1 . S5 S5 S5 . S20 S20 S18 . S5 S5 S5 . D20 ."
    matches = past(tmp_path, longer, "T20 S1 D20 .", WON, LOST)
    (won,) = legs_of(matches[1], "Ann")
    assert (won.key, won.finished, won.darts) == (RULES, True, 5)
    assert won.visits == (GhostVisit(31, ("S1", "S20", "D5")), GhostVisit(70, ("T20", "D5")))
    found = chosen_legs(matches, "Ann")
    assert {word: legs[RULES] for word, legs in found.items()} == {
        "last": [[60, "S20", "S20", "S20"]],
        "best": [[101, "T20", "S1", "D20"]],
        "median": [[31, "S1", "S20", "D5"], [70, "T20", "D5"]],
    }


@pytest.mark.parametrize("words", ["S20 . S20 S20 S20 . T20 D10 .", "T20 . "])
def test_a_leg_with_a_visit_that_was_cut_short_is_left_out(tmp_path: Path, words: str) -> None:
    assert [leg for match in past(tmp_path, words) for leg in legs_of(match, "Ann")] == []


def test_a_bust_is_thrown_again(tmp_path: Path) -> None:
    match = past(tmp_path, "T20 S20 T20 . S1 S1 S1 . T20 S1 D20 .")[0]
    (leg,) = legs_of(match, "Ann")
    assert leg.visits == (GhostVisit(0, ("T20", "S20", "T20")), GhostVisit(101, ("T20", "S1", "D20")))
    again = begun()
    ghost = Ghost("Ann", {RULES: leg.visits})
    for bed in ("T20", "S20", "T20"):
        assert next_bed(again, "Ghost", ghost) == SEGMENTS[bed]
        again = after(again, Throw(SEGMENTS[bed]))
    again = after(again, Next(), *[Throw(SEGMENTS["S1"])] * 3, Next())
    assert next_bed(again, "Ghost", ghost) == SEGMENTS["T20"]


def begun(**options: Any) -> Match:
    match = open_match(Header("x01", ("Ghost", "Bob"), {"start": 101} | options, NEWEST), games(), faces())
    assert isinstance(match, Match)
    return match


def after(match: Match, *actions: Any) -> Match:
    for action in actions:
        done = apply(match, action)
        assert not isinstance(done, Refusal), done
        match = done
    return match


LEG: Final = (GhostVisit(31, ("SI1", "S20", "D5")), GhostVisit(30, ("S10", "S10", "S10")))
GHOST: Final = Ghost("Ann", {RULES: LEG})


def test_a_ghost_leaves_the_record_where_it_no_longer_fits() -> None:
    match = after(begun(), Throw(SEGMENTS["S1"]))  # The board does not tell the halves of a single apart.
    assert next_bed(match, "Ghost", GHOST) == SEGMENTS["S20"]
    other = after(match, Undo(), Throw(SEGMENTS["S3"]))
    assert next_bed(other, "Ghost", GHOST) is None
    assert next_bed(after(other, Undo()), "Ghost", GHOST) == SEGMENTS["SI1"]
    assert next_bed(begun(start=301), "Ghost", GHOST) is None
    assert next_bed(begun(out="open"), "Ghost", GHOST) is None
    assert next_bed(match, "Zoe", GHOST) is None
    # The record is over.
    visit = [Throw(SEGMENTS[bed]) for bed in ("S20", "D5")]
    bobs = [Next(), *[Throw(SEGMENTS["S1"])] * 3, Next()]
    match = after(match, *visit, *bobs)
    assert next_bed(match, "Ghost", GHOST) == SEGMENTS["S10"]
    match = after(match, *[Throw(SEGMENTS["S10"])] * 3, *bobs)
    assert next_bed(match, "Ghost", GHOST) is None


@given(
    st.recursive(st.none() | st.integers() | st.text(max_size=3), lambda x: st.lists(x) | st.dictionaries(st.text(), x))
)
def test_what_is_damaged_is_no_leg(value: object) -> None:
    for leg in legs_from_json({"a": value, RULES: [[31, "S1"]]}).values():
        assert all(bed in SEGMENTS for visit in leg for bed in visit.beds)


def test_a_leg_is_kept_as_it_was() -> None:
    assert legs_from_json(legs_to_json(GHOST.legs)) == GHOST.legs


def ghost_file(data: Path, legs: Sequence[Any] = legs_to_json(GHOST.legs)[RULES]) -> None:
    of = {word: {RULES: legs} for word in ("last", "best", "median")}
    about = {"hand": {"skill_mm": 5}, "legs": {hand_files.ALL: of, "2020-02": of, "9999-01": {}}}
    hand_files.write(data, "Ann", about)


def test_a_ghost_is_found_by_its_month_and_forgotten_with_its_player(tmp_path: Path) -> None:
    ghost_file(tmp_path)
    kept = Ghosts(tmp_path, "lounge")
    assert kept.find(HandOf("Ann", None, "best")) == kept.find(HandOf("Ann", "last", "median")) == GHOST
    assert kept.find(HandOf("Ann", "9999-01", "best")) is None
    assert kept.find(HandOf("Bob", None, "best")) is None
    kept.keep("m1", {"Ghost": GHOST, "Twin": replace(GHOST, legs={})})
    assert kept.kept("m1") == {"Ghost": GHOST, "Twin": Ghost("Ann", {})}
    assert kept.kept("m2") == Ghosts(tmp_path, "den").kept("m1") == {}
    assert not kept.is_forgotten(GHOST)
    assert hand_files.forget(tmp_path, "Ann") == []
    assert kept.kept("m1") == {}
    assert kept.is_forgotten(GHOST)
    assert list((tmp_path / hand_files.FOLDER).iterdir()) == []


def test_another_match_ends_the_ghosts_of_the_one_before(tmp_path: Path) -> None:
    ghost_file(tmp_path)
    kept = Ghosts(tmp_path, "lounge")
    kept.keep("m1", {"Ghost": GHOST})
    Ghosts(tmp_path, "den").keep("m2", {})
    assert kept.kept("m1")
    kept.keep("m3", {})
    assert kept.kept("m1") == {}


@pytest.mark.parametrize("forgotten", [False, True])
def test_a_bot_throws_the_record_then_with_the_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: bool
) -> None:
    monkeypatch.setattr(bots, "PACE_SECONDS", 0.0)

    async def run() -> tuple[list[str], list[Any]]:
        async with asyncio.timeout(LIMIT_SECONDS), side_by_side(tmp_path, "lounge") as boards:
            data = boards.journal.path.parent
            ghost_file(data)
            session, said = boards.sessions["lounge"], []
            session.on_change(lambda: said.append((boards.shown("lounge") or {}).get("ghosts")))
            player = bots.Bots(session, BotAdvice(boards.thinker, X01Plans(data)))
            ask: dict[str, Any] = {"game": "x01", "players": ["Ghost", "Bob"], "options": {"start": 101}}
            hand = {"hand": "Ann", "leg": "best"}
            await boards.command("lounge", {"id": 1, "start": ask | {"bots": {"Ghost": hand}}})
            assert boards.bus.replies[-1]["ok"], boards.bus.replies
            if forgotten:
                hand_files.forget(data, "Ann")

            def is_bobs() -> bool:
                assert session.recorded is not None
                return session.recorded.match.turn.player == "Bob" or session.recorded.match.finished

            for _ in range(3):
                await until(is_bobs)
                for _ in range(3):
                    await boards.command("lounge", {"throw": "S1"})
                await boards.command("lounge", {"next": True})
            player.stop()
            assert session.recorded is not None
            lines = [json.loads(line) for line in boards.journal.actions(session.recorded.row.id)]
        return [line["throw"] for line in lines if line.get("by") == "bot" and "throw" in line], said

    thrown, said = asyncio.run(run())
    recorded = ["SI1", "S20", "D5", "S10", "S10", "S10"]
    if forgotten:
        assert thrown[:6] != recorded
        assert said[-1] is None
    else:
        assert thrown[:6] == recorded
        assert said[0] == {"Ghost": "record"}
        assert said[-1] == {"Ghost": "hand"}
        assert len(thrown) > 6
