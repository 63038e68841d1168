"""What grows with a player's matches: legs, head to head, bests, months, doubles; worked out by hand."""

import asyncio
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.history import career
from daemon.history.answers import PlayerPage
from daemon.history.archive import Archive
from daemon.history.forgetting import without_player
from daemon.system.catalogue import faces, games
from engine.refusals import Refusal
from tests.daemon.past import LEG, Past

NINE = "T20 T20 T20 . S1 . T20 T20 T20 . S1 . T20 T19 D12 ."


def page(archive: Archive, name: str) -> PlayerPage:
    found = archive.player(name)
    assert found is not None and not isinstance(found, Refusal)
    return found


def test_head_to_head(past: Past, archive: Archive) -> None:
    past.add("x01", ("Ann", "Bob"), LEG, start=101)
    past.add("x01", ("Bob", "Ann"), f"S1 . {LEG}", start=101)
    past.add("x01", ("Bob", "Ann"), LEG, start=101)
    past.add("x01", ("Ann", "Bob", "Cid"), LEG, start=101)
    # Bob is a partner here, not an opponent.
    past.add("x01", ("Ann", "Cid", "Bob", "Dee"), LEG, start=101, teams=2)
    bob, cid, dee = page(archive, "Ann")["opponents"]
    assert (bob["name"], bob["matches"], bob["won"], bob["lost"]) == ("Bob", 4, 3, 1)
    # Ann: 101 three times with nine darts. Bob: 1 + 101 with four.
    assert (bob["average"], bob["their_average"]) == (101.0, 76.5)
    assert (cid["name"], cid["matches"], cid["won"], cid["lost"]) == ("Cid", 2, 2, 0)
    assert "their_average" not in dee
    others = page(archive, "Cid")["opponents"]
    assert {one["name"]: (one["won"], one["lost"]) for one in others} == {"Ann": (0, 2), "Bob": (0, 1)}


def test_bests_name_their_match_and_count_every_leg(past: Past, archive: Archive) -> None:
    first = past.add("x01", ("Ann",), NINE.replace(" S1 .", ""))
    second = past.add("x01", ("Ann", "Bob"), f"{NINE} S1 . {NINE}", best_of=3)
    bests = page(archive, "Ann")["bests"]
    assert [(one["value"], one["match"]) for one in bests["leg"]] == [(9, first), (9, second), (9, second)]
    assert [one["value"] for one in bests["checkout"]] == [141, 141, 141]
    assert bests["leg"][0]["started"].startswith("2026-03-01T20")
    for _ in range(4):
        past.add("x01", ("Ann",), LEG, start=101)
    assert len(page(archive, "Ann")["bests"]["checkout"]) == career.BEST


def test_months_and_form(past: Past, archive: Archive) -> None:
    past.add("x01", ("Ann", "Bob"), LEG, start=101)
    # 9, 6, 5 and 1 marks.
    last = past.add("cricket", ("Ann", "Bob"), "T20 T19 T18 . S1 . T17 T16 MISS . S1 . T15 MISS DB . S1 . SB .")
    ann = page(archive, "Ann")
    assert ann["months"] == [{"month": "2026-03", "matches": 2, "won": 2, "average": 101.0, "mpr": 5.25}]
    assert [(point["game"], point["won"]) for point in ann["form"]] == [("x01", True), ("cricket", True)]
    assert (ann["form"][0]["average"], ann["form"][1]["mpr"], ann["form"][1]["match"]) == (101.0, 5.25, last)


def test_doubles_by_number(past: Past, archive: Archive) -> None:
    # 40: misses twice, hits 20 for 20 left, misses D10, hits it. 50 left for Bob: a miss at the bull.
    past.add("x01", ("Ann", "Bob"), "T20 S1 MISS . T17 MISS MISS . MISS S20 MISS . MISS . D10 .", start=101)
    ann, bob = page(archive, "Ann"), page(archive, "Bob")
    assert ann["x01"]["doubles"] == {"10": {"hit": 1, "thrown": 2}, "20": {"hit": 0, "thrown": 3}}
    assert bob["x01"]["doubles"] == {"bull": {"hit": 0, "thrown": 3}}
    # With a single out, nobody knows where a dart was thrown.
    past.add("x01", ("Cid",), "T20 S1 MISS . S20 S20 .", start=101, out="open")
    assert "doubles" not in page(archive, "Cid")["x01"]


def test_legs_of_a_match(past: Past, archive: Archive) -> None:
    match = past.add("x01", ("Ann", "Bob"), f"{LEG} {LEG} S1 . {LEG}", start=101, best_of=3)
    record = archive.match(match)
    assert record is not None
    assert [(leg["winners"], leg["begins"]) for leg in record["legs"]] == [(["Ann"], 0), (["Bob"], 4), (["Bob"], 8)]
    ann, bob = record["legs"][2]["players"]
    assert (ann["average"], bob["average"], bob["best_checkout"]) == (3.0, 101.0, 101)
    own = past.add("x01", ("Ann", "Bob"), f"{LEG} S1 . {LEG}", start=101, legs=2)
    record = archive.match(own)
    assert record is not None
    assert [leg["winners"] for leg in record["legs"]] == [["Ann"], ["Ann"]]
    legs = [{"game": "x01", "options": {"start": 101}}, {"game": "cricket"}]
    record = archive.match(past.add("medley", ("Ann", "Bob"), f"{LEG} T20 .", legs=legs, play="all"))
    assert record is not None
    assert [(leg["game"], leg["winners"]) for leg in record["legs"]] == [("x01", ["Ann"]), ("cricket", [])]


def test_a_forgotten_player_is_nobodys_opponent(past: Past, archive: Archive, tmp_path: Path) -> None:
    past.add("x01", ("Ann", "Bob"), LEG, start=101)
    assert page(archive, "Bob")["opponents"][0]["name"] == "Ann"
    changes = without_player("Ann", past.journal, games(), faces())
    assert isinstance(changes, list)
    asyncio.run(past.journal.write(*changes))
    archive.refresh()
    archive.tidy()
    assert not any(b"Ann" in path.read_bytes() for path in tmp_path.glob("figures.db*"))
    assert page(archive, "Bob")["opponents"][0]["name"] == "Player 1"
    assert archive.player("Ann") is None


counts = st.dictionaries(st.sampled_from(["matches", "won", "average count", "average per"]), st.integers(0, 9))
best = st.builds(
    career.Best,
    st.integers(-180, 180),
    st.integers(1, 180),
    st.sampled_from(["2026-01-01", "2026-02-01"]),
    st.text("ab", max_size=3),
    st.sampled_from(["x01", "longshot"]),
)
careers: Any = st.builds(
    career.Career,
    st.dictionaries(st.sampled_from(["2026-01", "2026-02"]), counts),
    st.dictionaries(st.sampled_from(["Ann", "Bob"]), counts),
    st.dictionaries(st.sampled_from(["leg", "checkout"]), st.lists(best, max_size=8).map(tuple)),
)


@settings(max_examples=50)
@given(st.lists(careers, max_size=6), st.integers(0, 6))
def test_careers_add_up_in_any_grouping(parts: list[career.Career], at: int) -> None:
    whole = career.total(parts)
    assert career.total([career.total(parts[:at]), career.total(parts[at:])]) == whole
    assert career.total(parts[::-1]) == whole
    assert career.load(career.dump(whole)) == whole
