"""`oche hall matches` with the real PostgreSQL: which matches of a hall a season gets, and of which day each is."""

import asyncio
import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest

from tests.hall.centre import Centre, run
from tests.hall.evening import finished, header, node, player_id, running, won_by_first
from tests.hall.programs import oche

TON: Final = ["T20", "T20", "T20", "next"]
NOTHING: Final = ["MISS", "MISS", "MISS", "next"]
OUT: Final = ["T20", "T11", "D14", "next"]
ZONE: Final = ZoneInfo("Pacific/Kiritimati")
"""Fourteen hours before UTC: most of its days begin on the day before there."""


def file(players: int, options: dict[str, Any], *visits: list[str]) -> str:
    """A match file."""
    beds = [bed for visit in visits for bed in visit]
    lines = ['{"next":true}' if bed == "next" else json.dumps({"throw": bed}) for bed in beds]
    return "\n".join((header("x01", players, options), *lines, ""))


def at(hour: int, day: int = 4) -> datetime:
    """A time in September, as the journals of the nodes have it."""
    return datetime(2026, 9, day, hour, 30, tzinfo=ZONE).astimezone(UTC)


def test_a_season_gets_the_finished_matches_of_two_named_sides_and_fills_its_list(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", str(ZONE))
    single = {"start": 301, "best_of": 3}
    legs = file(2, single, TON, NOTHING, OUT, NOTHING, TON, NOTHING, OUT)
    pair = file(4, {"start": 301, "teams": 2}, NOTHING, TON, NOTHING, OUT)
    singles = tmp_path / "singles.toml"
    singles.write_text('season = 1\nname = "2026"\ngames = 3\n[[division]]\nname = "First"\nteams = ["Ann", "Bob"]\n')

    async def test(hall: Centre) -> None:
        db = hall.db
        for name in ("crown", "anchor"):
            await node(db, name)
        await finished(db, "crown", "m1", legs, ["Ann", "Bob"], at(8))
        # After midnight it is still that evening; on another node it counts as well.
        await finished(db, "anchor", "m2", pair, ["Ann", "Cem", "Bob", "Dora"], at(1, 5))
        # The evening before, somebody forgotten, three players, one that goes on, and one that nobody has won.
        await finished(db, "crown", "m3", won_by_first(), ["Ann", "Bob"], at(5))
        await finished(db, "crown", "m4", won_by_first(), ["Ann", "Zoe"], at(9))
        await db.execute("INSERT INTO forgotten VALUES ('crown', $1)", player_id("Zoe"))
        await finished(db, "crown", "m5", file(3, {"start": 301}, TON, NOTHING, NOTHING, OUT), ["A", "B", "C"], at(9))
        await running(db, "crown", "lounge", "m6", [], ["Ann", "Bob"], header("x01", 2, {}))
        await finished(db, "crown", "m7", file(2, single, TON), ["Ann", "Bob"], at(9))
        code, out, err = await oche("hall", "matches", "--db", url, "--since", "2026-09-04")
        assert (code, err) == (0, "")
        found = [json.loads(line) for line in out.splitlines()]
        assert found == [
            {"day": "2026-09-04", "won": 0, "sides": [["Ann"], ["Bob"]], "legs": [2, 0], "maximums": [2, 0]},
            {"day": "2026-09-04", "won": 1, "sides": [["Ann", "Bob"], ["Cem", "Dora"]], "legs": [0, 1]}
            | {"maximums": [0, 1]},
        ]
        everything = (await oche("hall", "matches", "--db", url))[1]
        assert len(everything.splitlines()) == 3
        played = tmp_path / "played.jsonl"
        played.write_text(out)
        words = ("season", "results", str(singles), "--matches", str(played))
        filled = await oche(*words)
        assert (filled[0], filled[2]) == (0, "")
        (row,) = [row for row in csv.DictReader(io.StringIO(filled[1])) if row["date"]]
        ann, bob = ("home", "away") if row["home"] == "Ann" else ("away", "home")
        assert row["date"] == "2026-09-04"
        assert [row[f"{side}_{what}"] for side in (ann, bob) for what in ("games", "180s")] == ["2", "2", "0", "0"]

    run(url, test)


def test_a_database_that_is_not_a_hall_is_named(url: str) -> None:
    code, out, err = asyncio.run(oche("hall", "matches", "--db", f"{url}-none"))
    assert (code, out) == (1, "")
    assert err.count("\n") == 1
