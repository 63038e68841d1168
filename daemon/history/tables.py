"""The history as tables of text: what is in a CSV file. `docs/history.md` lists the columns.

RFC 4180 with a byte order mark, without which Excel takes UTF-8 for another encoding. A text that a spreadsheet would
take for a formula gets an apostrophe in front, as OWASP advises ("CSV Injection"); numbers are written as they are.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from daemon.history.answers import MatchInfo, PlayerFigures, PlayerPage, PlayerResult
from daemon.history.statistics import declared
from engine import jsontext
from engine.matchfile import Games

BYTE_ORDER_MARK: Final = "\ufeff"
_FORMULA: Final = re.compile(r"(^|[;\t])(?=[=+\-@\t\r\n])")
"""A spreadsheet takes a cell that begins so for a formula, or drops the character and then does. Some take a semicolon
or a tab for the end of a cell."""

_OF_MATCH: Final = ("match", "started", "ended", "board", "game", "options", "result")
_OF_PLAYER: Final = ("player", "bot", "team", "won", "score", "sets", "legs")
PLAYER_COLUMNS: Final = ("part", "game", "name", "figure", "value", "match", "started")
"""One line for each figure of one player."""

Cell = str | int | float | bool | None
Row = Sequence[Cell]


def text_of(rows: Iterable[Row]) -> str:
    """Lines of a CSV file."""
    out = io.StringIO()
    writer = csv.writer(out)
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    return out.getvalue()


def history_columns(games: Games) -> tuple[str, ...]:
    """The heading of `history_rows`."""
    return (*_OF_MATCH, *_of_player(games))


def _of_player(games: Games) -> tuple[str, ...]:
    results = (key for name in games for key in declared(name, games).results)
    return tuple(dict.fromkeys((*_OF_PLAYER, *results)))


def history_rows(matches: Iterable[tuple[MatchInfo, Sequence[PlayerResult]]], games: Games) -> Iterable[Row]:
    """A line for each player of each match. While a match is not over, or not counted, only the names are known."""
    columns = _of_player(games)
    for about, results in matches:
        options = jsontext.dump(about["options"])
        match = (
            about["id"], about["started"], about.get("ended"), about["board"], about["game"], options,
            about.get("result", "going"),
        )  # fmt: skip
        by_name: dict[str, Mapping[str, Any]] = {result["name"]: result for result in results}
        for name in about["players"]:
            result = {**by_name.get(name, {}), "player": name, "bot": name in about.get("bots", {})}
            yield (*match, *(result.get(column) for column in columns))


def players_columns(games: Games) -> tuple[str, ...]:
    """The heading of `players_rows`."""
    return ("player", "matches", "won", *(heading for heading, _, _ in _columns(games)))


def players_rows(players: Iterable[PlayerFigures], games: Games) -> Iterable[Row]:
    """A line for each player."""
    columns = _columns(games)
    for player in players:
        of_game: Mapping[str, Any] = player
        yield (
            player["name"], player["matches"], player["won"],
            *(_value(of_game.get(game, {}), key) for _, game, key in columns),
        )  # fmt: skip


def _columns(games: Games) -> list[tuple[str, str, str]]:
    """What the games put into the table of all players: heading, game and key. The first game has the plain heading."""
    found: dict[str, tuple[str, str]] = {}
    for name in games:
        for key in declared(name, games).columns:
            heading = key.rpartition(".")[2]
            found[f"{name} {heading}" if heading in found else heading] = (name, key)
    return [(heading, name, key) for heading, (name, key) in found.items()]


def _value(figures: Any, key: str) -> Any:
    for part in key.split("."):
        figures = figures.get(part, {}) if isinstance(figures, Mapping) else {}
    return None if isinstance(figures, Mapping) else figures


def player_rows(player: PlayerPage, games: Iterable[str]) -> Iterable[Row]:
    """Everything about one player; `games` are the keys that are games."""
    yield ("total", None, None, "matches", player["matches"], None, None)
    yield ("total", None, None, "won", player["won"], None, None)
    for part in ("beds", "awards"):
        for name, count in dict(player.get(part, {})).items():  # type: ignore[call-overload]
            yield (part, None, name, "count", count, None, None)
    for game, count in player["games"].items():
        yield ("games", game, None, "matches", count, None, None)
    for game in games:
        for figure, value in dict(player.get(game, {})).items():  # type: ignore[call-overload]
            yield from _figure(game, figure, value)
    for part, key in (("months", "month"), ("opponents", "name")):
        for about in player[part]:  # type: ignore[literal-required]
            rest = ((figure, value) for figure, value in about.items() if figure != key)
            yield from ((part, None, about[key], figure, value, None, None) for figure, value in rest)
    for kind, bests in player["bests"].items():
        yield from (
            ("bests", best["game"], None, kind, best["value"], best["match"], best["started"]) for best in bests
        )
    for point in player["form"]:
        for figure, value in point.items():
            if figure not in ("name", "match", "started", "game"):
                yield ("form", point["game"], None, figure, value, point["match"], point["started"])  # type: ignore[misc]


def _figure(game: str, figure: str, value: Any) -> Iterable[Row]:
    match value:
        case Mapping():
            for name, count in value.items():
                if isinstance(count, Mapping):
                    yield from (("game", game, name, f"{figure} {key}", one, None, None) for key, one in count.items())
                else:
                    yield ("game", game, name, figure, count, None, None)
        case list() | tuple():
            yield from (("game", game, str(n), figure, one, None, None) for n, one in enumerate(value, 1))
        case _:
            yield ("game", game, None, figure, value, None, None)


def _cell(value: Cell) -> str | int | float:
    match value:
        case None:
            return ""
        case bool():
            return int(value)
        case str():
            return _FORMULA.sub(r"\1'", value)
        case _:
            return value
