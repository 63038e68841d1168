"""League seasons: divisions, home and away, tables, and who goes up and down.

Default one up and one down, as in the rules of the DSAB (http://outlaws-dart.de/liga-bildung.php, 3.1).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from engine.refusals import Refusal
from league.fixtures import Result, check_score
from league.round_robin import match_days
from league.tables import STANDARD, Row, TableRules, table


@dataclass(frozen=True, slots=True)
class Division:
    """A division of a league; the divisions of a season are ordered from the highest."""

    name: str
    teams: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Season:
    """A season. Each pair of a division meets `times` times, at home and away in turn.

    A match has `games` single games or legs; an even number may be drawn. `moving` teams go up and down between two
    divisions. `players` are those of teams; a team without is a single player.
    """

    name: str
    divisions: tuple[Division, ...]
    times: int = 2
    games: int = 12
    moving: int = 1
    rules: TableRules = STANDARD
    players: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match of a season: two teams on a match day, from 1."""

    division: str
    day: int
    home: str
    away: str


class Score(NamedTuple):
    """How a match of a season ended: the games of both sides, their 180s where somebody counted them, and the day."""

    home: int
    away: int
    home_180s: int = 0
    away_180s: int = 0
    day: date | None = None


Scores = Mapping[tuple[str, str], Sequence[Score]]
"""The scores of each pair (home, away), in the order in which they were played."""


def meetings(season: Season) -> tuple[Meeting, ...]:
    """All matches of a season by division and match day."""
    return tuple(
        Meeting(division.name, day, division.teams[home - 1], division.teams[away - 1])
        for division in season.divisions
        for day, pairs in enumerate(match_days(range(1, len(division.teams) + 1), season.times), 1)
        for home, away in pairs
    )


def check_scores(season: Season, scores: Scores) -> Refusal | None:
    """Returns what is wrong with scores: a match that the season has not, or a score that it cannot have."""
    planned: dict[tuple[str, str], int] = {}
    for meeting in meetings(season):
        planned[meeting.home, meeting.away] = planned.get((meeting.home, meeting.away), 0) + 1
    for (home, away), found in scores.items():
        if len(found) > planned.get((home, away), 0):
            return Refusal("bad_value", f"{home} against {away} has more results than the season has matches.")
        for score in found:
            if (refusal := check_score(score[:2], season.games, in_group=True)) is not None:
                return refusal
    return None


def division_table(season: Season, division: Division, scores: Scores) -> tuple[Row, ...]:
    """The table of a division; its entrants are the teams, numbered from 1."""
    number = {team: index for index, team in enumerate(division.teams, 1)}
    results = [
        Result(f"{home}-{away}-{index}", number[home], number[away], score[:2], maximums=score[2:4])
        for (home, away), found in scores.items()
        if home in number and away in number
        for index, score in enumerate(found)
    ]
    return table(number.values(), results, season.rules, season.name)


def next_divisions(season: Season, scores: Scores) -> tuple[Division, ...]:
    """The divisions of the next season: the last of each go down, the first of the next one go up."""
    ordered = [
        [division.teams[row.entrant - 1] for row in division_table(season, division, scores)]
        for division in season.divisions
    ]
    after = [list(teams) for teams in ordered]
    for upper in range(len(ordered) - 1):
        # Never more than half of a division, so that nobody goes up and down at the same time.
        moving = min(season.moving, len(ordered[upper]) // 2, len(ordered[upper + 1]) // 2)
        if moving:
            down, up = ordered[upper][-moving:], ordered[upper + 1][:moving]
            after[upper] = [team for team in after[upper] if team not in down] + up
            after[upper + 1] = down + [team for team in after[upper + 1] if team not in up]
    return tuple(Division(division.name, tuple(teams)) for division, teams in zip(season.divisions, after, strict=True))
