"""The list of matches: filters, pages, how each match ended, and what there is to filter by."""

import contextlib
import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from daemon.history.archive import PAGE, Archive
from daemon.record.match_list import Filter
from daemon.web.history_query import filter_in, limit_in
from engine.refusals import Refusal
from tests.daemon.past import LEG, Past


def test_each_filter_finds_its_matches(past: Past, archive: Archive) -> None:
    one = past.add("x01", ("Ann", "Bob"), LEG, start=101)
    two = past.add("x01", ("Ann", "Cid"), f"{LEG} S1 . {LEG}", "bar", start=101, best_of=3)
    three = past.add("cricket", ("Bob", "Cid"), "T20 .")
    four = past.add(
        "medley", ("Ann", "Bob"), LEG, legs=[{"game": "x01", "options": {"start": 101}}, {"game": "cricket"}]
    )
    five = past.add("x01", ("Ann", "Bob", "Cid", "Dee"), LEG, start=101, teams=2)
    six = past.add("x01", ("Ann", "Bob"), f"{LEG} S1 . {LEG}", start=101, legs=2)

    def found(**which: str) -> list[str]:
        return [match["id"] for match in archive.matches(Filter(**which))]

    assert found() == [six, five, four, three, two, one]
    assert found(player="Cid") == [five, three, two]
    assert found(player="Ci") == []
    assert found(board="bar") == [two]
    assert found(game="cricket") == [three]
    assert found(format="legs") == [six, two]
    assert found(format="medley") == [four]
    assert found(format="teams") == [five]
    assert found(format="single") == [five, three, one]
    assert found(result="finished") == [six, five, two, one]
    assert found(result="stopped") == [four, three]
    assert found(result="going") == []
    assert found(since="2026-03-03T20:00:00", until="2026-03-05T20:00:00") == [four, three]
    assert found(player="Cid", game="x01", since="2026-03-04T00:00:00") == [five]
    choices = archive.choices(Filter(player="Cid"))
    assert choices["matches"] == 3
    assert choices["boards"] == [{"name": "lounge", "matches": 5}, {"name": "bar", "matches": 1}]
    assert [(one["name"], one["matches"]) for one in choices["games"]] == [("x01", 4), ("cricket", 1), ("medley", 1)]
    assert choices["players"][0] == {"name": "Ann", "matches": 5}
    assert {one["name"]: one["matches"] for one in choices["formats"]} == {
        "single": 3, "legs": 2, "medley": 1, "teams": 1,
    }  # fmt: skip


def test_every_kind_of_team_is_found(past: Past, archive: Archive) -> None:
    four, leg = ("Ann", "Bob", "Cid", "Dee"), {"game": "x01", "options": {"start": 101}}
    with_teams = [
        past.add("x01", four, LEG, start=101, teams=2),
        past.add("x01", four, LEG, start=101, freeze=True),
        past.add("x01", four, LEG, start=101, freeze=True, best_of=3),
        # A game for two sides, with two players each.
        past.add("tic_tac_toe", four, "T20 ."),
        past.add("medley", four, LEG, legs=[{"game": "x01", "options": {"start": 101, "teams": 2}}, {"game": "scram"}]),
        past.add("medley", four, LEG, legs=[{"game": "x01", "options": {"start": 101, "freeze": True}}]),
        past.add("medley", four, "T20", legs=[{"game": "tic_tac_toe"}]),
    ]
    past.add("x01", four, LEG, start=101)
    past.add("x01", four[:2], LEG, start=101, legs=2)
    past.add("tic_tac_toe", four[:2], "T20 .")
    past.add("medley", four[:2], LEG, legs=[leg, {"game": "tic_tac_toe"}, "choice"])
    assert [match["id"] for match in archive.matches(Filter(format="teams"))][::-1] == with_teams
    assert {"name": "teams", "matches": len(with_teams)} in archive.choices(Filter())["formats"]


def test_pages_are_bounded_and_together_have_each_match_once(past: Past, archive: Archive) -> None:
    matches = [past.add("x01", ("Ann", "Bob"), "S1", start=101) for _ in range(7)][::-1]
    seen: list[str] = []
    before = None
    while found := archive.matches(Filter(player="Ann"), before, 3):
        assert len(found) <= 3
        seen += [match["id"] for match in found]
        before = seen[-1]
    assert seen == matches
    assert archive.matches(before="20200101-000000-000000") == []
    assert limit_in({}) == PAGE
    assert limit_in({"limit": "7"}) == 7
    for wrong in ("0", str(PAGE + 1), "9" * 40, "-1", "x", "²"):
        assert isinstance(limit_in({"limit": wrong}), Refusal)


def test_a_row_says_how_the_match_ended(past: Past, archive: Archive) -> None:
    past.add("x01", ("Ann", "Bob"), f"{LEG} S1 . {LEG}", start=101, best_of=3)
    past.add("cricket", ("Ann", "Bob"), "T20 T19 T18 . S1 .")
    cricket, x01 = archive.matches()
    ann, bob = x01["results"]
    assert (ann["won"], ann["legs"], ann["average"], ann["best_checkout"]) == (True, 2, 101.0, 101)
    # Both legs: 101 points with three darts, twice.
    assert ann["darts"] == 6
    assert (bob["won"], bob["legs"], bob["average"]) == (False, 0, 3.0)
    assert cricket["result"] == "stopped"
    assert [(result["mpr"], result["won"]) for result in cricket["results"]] == [(9.0, False), (0.0, False)]


def test_legs_are_those_of_all_sets_and_sets_are_told_where_they_are_played(past: Past, archive: Archive) -> None:
    starts_bob = f"S1 . {LEG}"
    own = past.add("x01", ("Ann", "Bob"), f"{LEG} {starts_bob} {LEG} {starts_bob}", start=101, legs=2, sets=2)
    # In a format the second set is begun by Bob.
    series = past.add(
        "x01", ("Ann", "Bob"), f"{LEG} {starts_bob} {starts_bob} {LEG}", start=101, best_of={"legs": 2, "sets": 2}
    )
    flat = past.add("x01", ("Ann", "Bob"), f"{LEG} {starts_bob}", start=101, best_of=3)
    single = past.add("x01", ("Ann", "Bob"), LEG, start=101)
    results = {match["id"]: match["results"] for match in archive.matches()}

    def found(match: str) -> list[tuple[int, int | None]]:
        return [(result["legs"], result.get("sets")) for result in results[match]]

    assert (found(own), found(series)) == ([(4, 2), (0, 0)], [(4, 2), (0, 0)])
    assert (found(flat), found(single)) == ([(2, None), (0, None)], [(1, None), (0, None)])
    assert {match["id"]: match["result"] for match in archive.matches()} == dict.fromkeys(results, "finished")


def test_a_match_that_ended_early_counts_nowhere(past: Past, archive: Archive) -> None:
    past.add("x01", ("Ann", "Bob"), LEG, start=101)
    before = archive.player("Ann")
    past.add("x01", ("Ann", "Bob"), "T20 T20", start=501)
    past.add("x01", ("Eve", "Bob"), "T20 T20", start=501)
    assert archive.player("Ann") == before
    eve = archive.player("Eve")
    # She can still be found, and forgotten.
    assert not isinstance(eve, Refusal) and eve is not None
    assert (eve["matches"], eve["beds"], eve["games"], eve["form"], eve["months"]) == (0, {}, {}, [], [])


def test_damaged_headers_are_listed_and_harm_no_filter(past: Past, archive: Archive) -> None:
    whole = past.add("x01", ("Ann", "Bob"), LEG, start=101)
    for header in ("{", "[]", '{"players": 3, "game": {}, "options": 7}', b"\xff\xfe", 7):
        broken = past.add("x01", ("Ann", "Bob"), LEG, start=101)
        with contextlib.closing(sqlite3.connect(past.journal.path)) as db:
            db.execute("UPDATE match SET header = ? WHERE id = ?", (header, broken))
            db.commit()
    assert len(archive.matches()) == 6
    assert sum("damaged" in match for match in archive.matches()) == 5
    assert [match["id"] for match in archive.matches(Filter(player="Ann"))] == [whole]
    assert archive.choices(Filter(game="x01"))["matches"] == 1
    assert archive.choices(Filter())["players"] == [{"name": "Ann", "matches": 1}, {"name": "Bob", "matches": 1}]


def test_the_query_of_an_address() -> None:
    assert filter_in({}) == Filter()
    assert filter_in({"player": "", "format": ""}) == Filter()
    assert filter_in({"from": "2026-03-01", "to": "2026-03-01"}) == Filter(
        since="2026-03-01T00:00:00", until="2026-03-02T00:00:00"
    )
    # A plus sign in an address is a space.
    assert filter_in({"from": "2026-03-01T01:00:00 02:00", "to": "2026-03-01T05:00:00.5Z"}) == Filter(
        since="2026-02-28T23:00:00", until="2026-03-01T05:00:00"
    )
    for key, wrong in (
        ("from", "yesterday"), ("to", "9999-12-31"), ("format", "x' OR 1"), ("result", "won"), ("player", "x" * 201),
    ):  # fmt: skip
        assert isinstance(filter_in({key: wrong}), Refusal), key


@given(st.dictionaries(st.sampled_from(["player", "board", "game", "from", "to", "format", "result"]), st.text()))
def test_no_query_raises(query: dict[str, str]) -> None:
    filter_in(query)
