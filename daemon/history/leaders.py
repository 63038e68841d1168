"""Leaderboards: who leads in the rating, in wins, and in what each game counts; tonight, in a month, or of all time."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from daemon.history.answers import LeaderBoard, LeaderLine, Leaders
from daemon.history.statistics import Figures, declared, shown
from engine.matchfile import Games
from engine.refusals import Refusal
from league.ratings import NEW, Rating

LINES: Final = 10
"""How many players a leaderboard has at most."""
FEWEST: Final = {"tonight": 1, "month": 3, "all": 5}
"""From how many matches of the period on a player is listed with an average or another rate, which a few lucky darts
would lead. Bests and counts have no such bound."""
TURN_OF_DAY: Final = time(12)
"""An evening lasts beyond midnight, so a day of matches begins at noon."""


@dataclass(frozen=True, slots=True)
class Period:
    """A time from `since` up to `until`, in UTC as the journal writes times; None: without a bound."""

    name: str
    since: str | None = None
    until: str | None = None

    @property
    def fewest(self) -> int:
        """From how many matches on a player is listed with a rate."""
        return FEWEST.get(self.name, FEWEST["month"])


def period_of(text: str, now: datetime) -> Period | Refusal:
    """The period of a word (`tonight`, `month`, `all`) or a month like `2026-11`, in the zone of this machine."""
    if text == "all":
        return Period(text)
    if text == "tonight":
        day = now.date() - timedelta(days=now.time() < TURN_OF_DAY)
        return Period(text, _utc(datetime.combine(day, TURN_OF_DAY)))
    try:
        month = now.date() if text == "month" else date.fromisoformat(f"{text}-01")
        begin = datetime.combine(month.replace(day=1), time())
        end = datetime.combine((begin + timedelta(days=31)).date().replace(day=1), time())
        return Period(text, _utc(begin), _utc(end))
    except (ValueError, OverflowError):
        return Refusal("bad_value", "`period` is `tonight`, `month`, `all`, or a month like 2026-11.")


def leaders(
    period: Period,
    players: Mapping[str, Figures],
    now: Mapping[str, Rating],
    before: Mapping[str, Rating],
    games: Games,
) -> Leaders:
    """The leaderboards over `players`, the figures of a period; `now` and `before` are the ratings after and before."""
    played = {name: figures for name, figures in players.items() if figures.matches}
    boards = [
        _board(
            None, "rating", [_rated(name, now[name], before, period) for name in played if name in now], fewest=False
        ),
        _board(None, "won", [_line(name, of.won, of) for name, of in played.items() if of.won], fewest=False),
    ]
    for game in games:
        boards += _of_game(game, played, period, games)
    about: Leaders = {
        "period": period.name,
        "players": len(played),
        "boards": [one for one in boards if one["players"]],
    }
    if period.since is not None:
        about["since"] = f"{period.since}Z"
    if period.until is not None:
        about["until"] = f"{period.until}Z"
    return about


def _of_game(game: str, played: Mapping[str, Figures], period: Period, games: Games) -> Iterable[LeaderBoard]:
    """A leaderboard for each figure of a game that its table of all players has, and for its bests."""
    counts = declared(game, games)
    own = {name: shown(game, of.by_game[game], games) for name, of in played.items() if game in of.by_game}
    for figure in dict.fromkeys((*counts.columns, *counts.best)):
        rate = figure not in counts.best and "." not in figure
        lines = []
        for name, figures in own.items():
            value = _value(figures, figure)
            if value is not None and (not rate or played[name].matches >= period.fewest):
                lines.append(_line(name, value, played[name]))
        yield _board(game, figure, lines, fewest=counts.best.get(figure) is min)


def _value(figures: Mapping[str, object], figure: str) -> int | float | None:
    at: object = figures
    for part in figure.split("."):
        at = at.get(part) if isinstance(at, Mapping) else None
    return at if isinstance(at, int | float) and not isinstance(at, bool) else None


def _line(name: str, value: int | float, figures: Figures) -> LeaderLine:
    return {"name": name, "value": value, "matches": figures.matches}


def _rated(name: str, rating: Rating, before: Mapping[str, Rating], period: Period) -> LeaderLine:
    line: LeaderLine = {"name": name, "value": rating.points, "matches": rating.matches}
    line |= {"error": rating.error, "least": rating.least}
    if period.since is not None:
        line["gain"] = rating.points - before.get(name, NEW).points
    return line


def _board(game: str | None, figure: str, lines: Iterable[LeaderLine], *, fewest: bool) -> LeaderBoard:
    """The best lines, the best first; those who are level are in the order of their names."""

    def rank(line: LeaderLine) -> tuple[float, str]:
        value = line.get("least", line["value"])
        return (value if fewest else -value), line["name"]

    board: LeaderBoard = {"figure": figure, "players": sorted(lines, key=rank)[:LINES]}
    return board if game is None else {"game": game, **board}


def id_at(when: str) -> str:
    """The first id that a match can have which began at this time, in UTC as the journal writes times."""
    return when.replace("-", "").replace(":", "").replace("T", "-")


def _utc(local: datetime) -> str:
    # Not by the offset of now: on the first of the month it may still be summer.
    return local.astimezone(UTC).isoformat()[:19]
