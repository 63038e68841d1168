"""Reads and writes seasons: a TOML file with divisions and rules, and a CSV list of the matches with their results."""

import csv
import io
import json
import tomllib
from datetime import date
from typing import Any, Final

from engine.refusals import Refusal
from league.csv_cells import guarded, head_of, rows_of, unguarded
from league.fixtures import check_score
from league.seasons import Division, Score, Scores, Season, check_scores, division_table, meetings
from league.setup import MOST_LEGS, is_name
from league.tables import STANDARD, TABLES, WORTH, rules_from_json

MOST_TEAMS: Final = 64
"""Teams of all divisions together; more are refused."""
HEAD: Final = ("division", "day", "home", "away", "home_games", "away_games", "home_180s", "away_180s", "date")
_SCORE: Final = HEAD[4:8]
_NEEDED: Final = ("home", "away", "home_games", "away_games")
_KEYS: Final = {"season", "name", "times", "games", "moving", "table", "division", "players"}


def season_from_toml(text: str) -> Season | Refusal:
    """The season in a file. Refusal `bad_value` names the first thing that is wrong."""
    try:
        value = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return _bad(f"This is not TOML: {error}.")
    if unknown := sorted(value.keys() - _KEYS):
        return _bad(f"{unknown[0][:30]!r} is not a key of a season; there are: {', '.join(sorted(_KEYS))}.")
    if value.get("season") != 1 or type(value["season"]) is not int or not is_name(value.get("name")):
        return _bad('A season begins with season = 1 and name = "2026".')
    numbers: dict[str, int] = {}
    for key, least, most in (("times", 1, 8), ("games", 1, MOST_LEGS), ("moving", 0, 8)):
        if key in value:
            if type(value[key]) is not int or not least <= value[key] <= most:
                return _bad(f"`{key}` is a number from {least} to {most}.")
            numbers[key] = value[key]
    divisions = _divisions(value.get("division"))
    if isinstance(divisions, Refusal):
        return divisions
    players = _players(value.get("players", {}), divisions)
    if isinstance(players, Refusal):
        return players
    rules = rules_from_json(value.get("table", STANDARD.name))
    if isinstance(rules, Refusal):
        return rules
    return Season(value["name"], divisions, **numbers, rules=rules, players=players)


def season_to_toml(season: Season) -> str:
    """The file of a season."""
    rules = season.rules
    known = next((name for name, of in TABLES.items() if of == rules), None)
    lines = ["season = 1", f"name = {_text(season.name)}", f"times = {season.times}", f"games = {season.games}"]
    lines.append(f"moving = {season.moving}")
    if known is not None:
        lines.append(f"table = {_text(known)}")
    else:
        order = ", ".join(map(_text, rules.order))
        lines += ["[table]", *(f"{key} = {getattr(rules, key)}" for key in WORTH), f"order = [{order}]"]
    for division in season.divisions:
        teams = ", ".join(map(_text, division.teams))
        lines += ["[[division]]", f"name = {_text(division.name)}", f"teams = [{teams}]"]
    if season.players:
        lines.append("[players]")
        lines += [f"{_text(team)} = [{', '.join(map(_text, players))}]" for team, players in season.players.items()]
    return "\n".join(lines) + "\n"


def scores_from_csv(season: Season, text: str) -> Scores | Refusal:
    """The results in a list of matches; lines without a score are to come. Refusal `bad_value` names the line."""
    if isinstance(lines := rows_of(text, "home"), Refusal):
        return lines
    head = head_of(lines)
    if missing := [column for column in _NEEDED if column not in head]:
        return _bad(f"The list has no column {missing[0]}; its first line names {', '.join(HEAD)}.")
    found: dict[tuple[str, str], list[Score]] = {}
    for number, line in enumerate(lines[1:], 2):
        row = {column: unguarded(cell.strip()) for column, cell in zip(head, line, strict=False)}
        cells = [row.get(column, "") for column in _SCORE]
        if not any(cells[:2]):
            continue
        if not all(
            cell.isascii() and cell.isdecimal() and len(cell) < 4 for cell in (*cells[:2], *filter(None, cells[2:]))
        ):
            return _bad(f"Line {number}: {','.join(cells)[:40]} is not a score and 180s.")
        pair = row.get("home", ""), row.get("away", "")
        try:
            day = date.fromisoformat(row["date"]) if row.get("date") else None
        except ValueError:
            return _bad(f"Line {number}: {row['date'][:20]!r} is not a date like 2026-10-02.")
        home, away, home_180s, away_180s = (int(cell or 0) for cell in cells)
        score = Score(home, away, home_180s, away_180s, day)
        if (refusal := check_score(score[:2], season.games, in_group=True)) is not None:
            return _bad(f"Line {number}: {refusal.message}")
        found.setdefault(pair, []).append(score)
    return check_scores(season, found) or found


def scores_to_csv(season: Season, scores: Scores) -> str:
    """All matches of a season by division and day, with the results that there are."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    left = {pair: list(found) for pair, found in scores.items()}
    for meeting in meetings(season):
        played = left.get((meeting.home, meeting.away))
        score: tuple[object, ...] = played.pop(0) if played else ("",) * 5
        teams = map(guarded, (meeting.home, meeting.away))
        writer.writerow([guarded(meeting.division), meeting.day, *teams, *score[:4], score[4] or ""])
    return text.getvalue()


def tables_json(season: Season, scores: Scores) -> list[dict[str, Any]]:
    """The table of each division, from the highest: its `division` and its `rows` with the name of each `team`."""
    return [
        {
            "division": division.name,
            "rows": [
                {"place": row.place, "team": division.teams[row.entrant - 1]}
                | {key: getattr(row, key) for key in ("played", "won", "drawn", "lost", "legs", "against", "points")}
                for row in division_table(season, division, scores)
            ],
        }
        for division in season.divisions
    ]


def _divisions(value: object) -> tuple[Division, ...] | Refusal:
    if not isinstance(value, list) or not value or not all(isinstance(one, dict) for one in value):
        return _bad("A season has divisions, from the highest: [[division]] with a name and its teams.")
    found: list[Division] = []
    for one in value:
        name, teams = one.get("name"), one.get("teams")
        if one.keys() != {"name", "teams"} or not is_name(name) or not isinstance(teams, list):
            return _bad("A division has a name and a list of teams.")
        if len(teams) < 2 or not all(map(is_name, teams)):
            return _bad(f"The division {name} needs two teams at least; a name has 1 to 64 printable characters.")
        found.append(Division(name, tuple(teams)))
    names = [team for division in found for team in division.teams]
    if len(set(names)) < len(names) or len({division.name for division in found}) < len(found):
        return _bad("Two teams or two divisions have the same name.")
    if len(names) > MOST_TEAMS:
        return _bad(f"A season has at most {MOST_TEAMS} teams.")
    return tuple(found)


def _players(value: object, divisions: tuple[Division, ...]) -> dict[str, tuple[str, ...]] | Refusal:
    teams = {team for division in divisions for team in division.teams}
    if not isinstance(value, dict) or not value.keys() <= teams:
        return _bad('[players] names the players of teams of this season, like Crown = ["Ann", "Bob"].')
    for team, players in value.items():
        if not isinstance(players, list) or not players or not all(map(is_name, players)):
            return _bad(f"The players of {team} are a list of names.")
    everybody = [player for players in value.values() for player in players]
    everybody += teams - value.keys()
    if len(set(everybody)) < len(everybody):
        return _bad("A player is in two teams, or has the name of a team without players.")
    return {team: tuple(players) for team, players in value.items()}


def _text(value: str) -> str:
    # Of printable text JSON and TOML make the same.
    return json.dumps(value, ensure_ascii=False)


def _bad(message: str) -> Refusal:
    return Refusal("bad_value", message)
