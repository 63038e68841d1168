"""The results of a season from matches that were played: who belongs to a team, what an evening counts, which meeting
it was."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from engine.refusals import Refusal
from league.fixtures import check_score
from league.seasons import Score, Scores, Season, meetings

Pair = tuple[str, str]
NIGHT: Final = timedelta(hours=6)
"""So long after midnight a match still belongs to the evening before."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match between two sides. `day` is that of the evening, `won` the side that won, `None` for none."""

    day: date
    sides: tuple[tuple[str, ...], tuple[str, ...]]
    won: int | None
    legs: tuple[int, int]
    maximums: tuple[int, int] = (0, 0)

    def to_json(self) -> dict[str, Any]:
        """The match as one line of a list of matches."""
        lists = {"sides": [list(side) for side in self.sides], "legs": list(self.legs), "maximums": list(self.maximums)}
        return {"day": self.day.isoformat(), "won": self.won} | lists


def evening_of(started: str) -> date:
    """The day of a match that began at a time as a journal has it, in the time zone of this machine."""
    return (datetime.fromisoformat(started).astimezone() - NIGHT).date()


def played_from_view(day: date, view: Mapping[str, Any]) -> PlayedMatch | None:
    """The match in the public state at its end, or in figures like it: `players` with `name`, `won`, and `team`, `legs`
    and `awards` if they have them. `None` unless two sides have played."""
    sides: dict[object, list[Mapping[str, Any]]] = {}
    for player in view["players"]:
        sides.setdefault(player.get("team", (player["name"],)), []).append(player)
    if len(sides) != 2:
        return None
    home, away = sides.values()
    winners = [side for side, players in enumerate((home, away)) if any(player.get("won") for player in players)]
    legs = tuple(max((_count(player.get("legs")) for player in side), default=0) for side in (home, away))
    maximums = tuple(sum(_maximums(player.get("awards")) for player in side) for side in (home, away))
    won = winners[0] if len(winners) == 1 else None
    if not any(legs):
        # A match of one leg, or of a game without legs.
        legs = (int(won == 0), int(won == 1))
    names = tuple(tuple(str(player["name"]) for player in side) for side in (home, away))
    return PlayedMatch(day, (names[0], names[1]), won, (legs[0], legs[1]), (maximums[0], maximums[1]))


def played_from_json(value: object) -> PlayedMatch | Refusal:
    """The match in a parsed line that `to_json` has made."""
    match value:
        case {
            "day": str() as day,
            "sides": [[*home], [*away]],
            "won": None | 0 | 1 as won,
            "legs": [int() as one, int() as other],
            "maximums": [int() as first, int() as second],
        } if all(isinstance(name, str) for name in (*home, *away)):
            try:
                of_day = date.fromisoformat(day)
            except ValueError:
                return Refusal("bad_value", f"{day[:20]!r} is not a day.")
            return PlayedMatch(of_day, (tuple(home), tuple(away)), won, (one, other), (first, second))
    return Refusal("bad_value", "This is not a match: it has day, sides, won, legs and maximums.")


def results_of(season: Season, played: Iterable[PlayedMatch], scores: Scores) -> tuple[Scores, tuple[str, ...]]:
    """The scores with those of matches that were played, and what does not count yet, a sentence each.

    All matches between two teams on a day are one meeting. A team with players has a game for each match that its
    players have won; a team without is a single player, and its games are the legs. The days of two teams are their
    meetings in order. A score that is there stays: it belongs to its day, or to the earliest day that no score names.
    """
    evenings = _evenings(season, played)
    planned: dict[frozenset[str], list[Pair]] = {}
    for meeting in meetings(season):
        planned.setdefault(frozenset((meeting.home, meeting.away)), []).append((meeting.home, meeting.away))
    found = {pair: list(of_pair) for pair, of_pair in scores.items()}
    said = []
    for pair, days in sorted(evenings.items(), key=lambda evening: sorted(evening[0])):
        one, other = sorted(pair)
        known = [score for sides in ((one, other), (other, one)) for score in found.get(sides, ())]
        named = {score.day for score in known}
        undated = sum(score.day is None for score in known)
        whole = []
        for day in sorted(days):
            if day in named:
                continue
            of_day = days[day]
            if check_score((of_day[one], of_day[other]), season.games, in_group=True) is None:
                whole.append(day)
            else:
                said.append(
                    f"{one} against {other} on {day}: {of_day[one]}:{of_day[other]} does not end a match of"
                    f" {season.games} games; it does not count."
                )
        for day in whole[undated:]:
            sides = _next_meeting(planned[pair], found)
            if sides is None:
                said.append(f"{one} against {other} on {day}: the season has no more matches of these two.")
                continue
            of_day = days[day]
            home, away = sides
            score = Score(of_day[home], of_day[away], of_day[home, "180"], of_day[away, "180"], day)
            found.setdefault(sides, []).append(score)
    return found, tuple(said)


class _Evening(dict[str | tuple[str, str], int]):
    """What two teams have of a day: games by team, and 180s by team and `"180"`."""

    def __missing__(self, _key: object) -> int:
        return 0


def _evenings(season: Season, played: Iterable[PlayedMatch]) -> dict[frozenset[str], dict[date, _Evening]]:
    team_of = {player: team for team, players in season.players.items() for player in players}
    teams = {team: division.name for division in season.divisions for team in division.teams}
    team_of |= {team: team for team in teams if team not in season.players}
    found: dict[frozenset[str], dict[date, _Evening]] = {}
    for match in played:
        sides = [{team_of.get(player) for player in side} for side in match.sides]
        if any(len(side) != 1 or None in side for side in sides):
            continue
        (one,), (other,) = sides
        if one is None or other is None or one == other or teams[one] != teams[other]:
            continue
        evening = found.setdefault(frozenset((one, other)), {}).setdefault(match.day, _Evening())
        for index, team in enumerate((one, other)):
            evening[team] += int(match.won == index) if team in season.players else match.legs[index]
            evening[team, "180"] += match.maximums[index]
    return found


def _next_meeting(planned: Sequence[Pair], found: Mapping[Pair, Sequence[Score]]) -> Pair | None:
    """The first meeting of two teams that has no score yet."""
    left = {sides: len(scores) for sides, scores in found.items()}
    for sides in planned:
        if left.get(sides, 0) == 0:
            return sides
        left[sides] -= 1
    return None


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _maximums(awards: object) -> int:
    return _count(awards.get("ton_80")) if isinstance(awards, Mapping) else 0
