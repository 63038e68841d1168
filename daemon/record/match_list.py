"""Which matches of the journal a list shows: filters, and what there is to filter by.

SQLite reads the headers, so that no match is parsed that is not shown. A header that is not JSON passes no filter, and
is listed where nothing is filtered.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

FORMATS: Final = ("single", "legs", "medley", "teams")
"""Kinds of matches. Each match is one of the first three, and can have teams as well."""

Sides = Mapping[str, int]
"""The games for a certain number of sides, by name. More players than sides make teams."""
_HEADER: Final = "CASE WHEN typeof(header) = 'text' AND json_valid(header) THEN header ELSE '{}' END"
_GAME: Final = f"json_extract({_HEADER}, '$.game')"
_PLAYERS: Final = f"json_each({_HEADER}, '$.players')"


def _option(name: str) -> str:
    return f"json_extract({_HEADER}, '$.options.{name}')"


def _options(of: str) -> str:
    return f"CASE json_type({of}, '$.options') WHEN 'object' THEN json_extract({of}, '$.options') ELSE '{{}}' END"


_MEDLEY: Final = f"ifnull({_GAME}, '') = 'medley'"
_LEGS: Final = (
    f"NOT {_MEDLEY} AND (ifnull({_option('best_of')}, 1) <> 1 OR "
    f"ifnull({_option('legs')}, 1) <> 1 OR ifnull({_option('sets')}, 1) <> 1)"
)
_PLAYED: Final = (
    f"SELECT {_GAME} AS game, {_options(_HEADER)} AS options UNION ALL "  # noqa: S608
    f"SELECT json_extract(leg, '$.game'), {_options('leg')} FROM ("
    "SELECT CASE type WHEN 'object' THEN value ELSE '{}' END AS leg "
    f"FROM json_each({_HEADER}, '$.options.legs'))"
)
"""The game and the options of the match, and of each leg of a medley."""
_OF_FORMAT: Final = {
    "single": f"NOT {_MEDLEY} AND NOT ({_LEGS})",
    "legs": f"({_LEGS})",
    "medley": f"{_MEDLEY}",
    "teams": (
        f"EXISTS (SELECT 1 FROM ({_PLAYED}) WHERE json_extract(options, '$.teams') IS NOT NULL"  # noqa: S608
        " OR json_extract(options, '$.freeze') = 1"
        " OR EXISTS (SELECT 1 FROM json_each(?) AS sides"
        f" WHERE sides.key = game AND sides.value < json_array_length({_HEADER}, '$.players')))"
    ),
}
_TIME: Final = "ifnull(started, '')"
"""A damaged start is still listed."""
_RESULTS: Final = {"finished": "result = 'finished'", "stopped": "result = 'stopped'", "going": "ended IS NULL"}


@dataclass(frozen=True, slots=True)
class Filter:
    """What a match must be to pass. `since` is the first time of its start, `until` the first that is too late: UTC,
    ISO 8601, up to the second."""

    player: str | None = None
    board: str | None = None
    game: str | None = None
    format: str | None = None
    result: str | None = None
    since: str | None = None
    until: str | None = None

    def sql(self, sides: Sides) -> tuple[str, list[Any]]:
        """A condition on a row of the table `match`, and its values."""
        tests, values = ["1"], list[Any]()
        for test, value in (
            (f"? IN (SELECT value FROM {_PLAYERS})", self.player),  # noqa: S608
            ("board = ?", self.board),
            (f"{_GAME} = ?", self.game),
            ("substr(started, 1, 19) >= ?", self.since),
            ("substr(started, 1, 19) < ?", self.until),
        ):
            if value is not None:
                tests.append(test)
                values.append(value)
        if self.format is not None:
            tests.append(_OF_FORMAT[self.format])
            values += _values_of(self.format, sides)
        if self.result is not None:
            tests.append(_RESULTS[self.result])
        return " AND ".join(tests), values


EVERYTHING: Final = Filter()


def _values_of(format_: str, sides: Sides) -> list[str]:
    return [json.dumps(dict(sides))] * _OF_FORMAT[format_].count("?")


def page(which: Filter, before: str | None, limit: int, sides: Sides) -> tuple[str, tuple[Any, ...]]:
    """The end of a query on `match`: the newest matches that pass, after the one with the id `before`."""
    test, values = which.sql(sides)
    if before is not None:
        test += f" AND ({_TIME}, rowid) < (SELECT {_TIME}, rowid FROM match WHERE id = ?)"  # noqa: S608
        values.append(before)
    return f"WHERE {test} ORDER BY {_TIME} DESC, rowid DESC LIMIT ?", (*values, limit)


@dataclass(frozen=True, slots=True)
class Choices:
    """How many matches pass a filter, and in how many of all matches each board, game, player and format is."""

    matches: int
    boards: dict[str, int]
    games: dict[str, int]
    players: dict[str, int]
    formats: dict[str, int]


def choices(db: sqlite3.Connection, which: Filter, sides: Sides) -> Choices:
    """What the matches can be filtered by. Each is in the order of how often it occurs."""
    test, values = which.sql(sides)
    formats: dict[str, int] = {}
    for name, condition in _OF_FORMAT.items():
        query = f"SELECT count(*) FROM match WHERE {condition}"  # noqa: S608
        count = db.execute(query, _values_of(name, sides)).fetchone()[0]
        formats |= {name: count} if count else {}
    return Choices(
        db.execute(f"SELECT count(*) FROM match WHERE {test}", values).fetchone()[0],  # noqa: S608
        dict(_counts(db, "SELECT board, count(*) FROM match GROUP BY 1")),
        dict(_counts(db, f"SELECT {_GAME}, count(*) FROM match GROUP BY 1")),  # noqa: S608
        dict(_counts(db, f"SELECT json_each.value, count(DISTINCT match.id) FROM match, {_PLAYERS} GROUP BY 1")),  # noqa: S608
        formats,
    )


def _counts(db: sqlite3.Connection, query: str) -> Iterator[tuple[str, int]]:
    for name, count in db.execute(f"{query} ORDER BY 2 DESC, 1"):
        if isinstance(name, str) and name:
            yield name, count
