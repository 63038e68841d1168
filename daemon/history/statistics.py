"""What recorded matches say about the players: matches, wins, beds, and what each game counts. Pure functions.

Only what counts in the end is counted: an undone dart was never thrown, and a corrected one is where it was put. The
figures of several matches add up, so each match is counted once.
"""

import logging
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from daemon.history import career
from daemon.history.career import NONE, Career
from daemon.history.legs import Leg, legs_of, totals
from engine import jsontext
from engine.actions import Throw
from engine.darts import Dart, Position
from engine.geometry import segment_at
from engine.match import Match
from engine.matchfile import Games
from engine.segments import Segment
from engine.statistics import GameFigures, Statistics, Visit, added, statistics_of, visits

log = logging.getLogger(__name__)

OWN_KEYS: Final = frozenset(
    ("name", "matches", "alone", "won", "games", "beds", "awards", "rating", "classes",
     "career", "form", "months", "opponents", "bests", "achievements")
)  # fmt: skip
"""Keys of a player's figures that are not a game. A game with such a name has no figures of its own."""


@dataclass(frozen=True, slots=True)
class Figures:
    """A player over some matches. `won` counts those in which somebody was beaten, `alone` those that had nobody to
    beat. `beds` counts the darts in each bed, as far as the boards told it."""

    matches: int = 0
    won: int = 0
    games: Mapping[str, int] = field(default_factory=dict)
    beds: Mapping[str, int] = field(default_factory=dict)
    by_game: Mapping[str, GameFigures] = field(default_factory=dict)
    """What each game counts, by the name of the game."""
    awards: Mapping[str, int] = field(default_factory=dict)
    career: Career = NONE
    alone: int = 0


def beaten_by(match: Match) -> Collection[str]:
    """Who won a match against somebody, the house included: nobody who played alone."""
    return () if is_alone(match) else match.game.winners(match.state) or ()


def is_alone(match: Match) -> bool:
    """Whether a match has one player, and no house to beat."""
    return len(match.header.players) == 1 and len(match.view()["players"]) == 1


def of_match(match: Match) -> dict[str, Figures]:
    """The figures of each player of a match, without a career: a match file does not say when it was played."""
    return with_legs(match)[0]


def with_legs(match: Match) -> tuple[dict[str, Figures], list[Leg]]:
    """The figures of each player of a match, and its legs."""
    game, players = match.game, match.header.players
    winners, alone = beaten_by(match), int(is_alone(match))
    beds: dict[str, Counter[str]] = {name: Counter() for name in players}
    by_game, legs = _count(match, _tallied(match, beds))
    figures = {
        name: Figures(
            1,
            int(name in winners),
            {game.name: 1},
            dict(beds[name]),
            {played: figures[name] for played, figures in by_game.items() if name in figures},
            match.awards.get(name, {}),
            alone=alone,
        )
        for name in players
    }
    return figures, legs


def total(parts: Iterable[Figures], games: Games) -> Figures:
    """The figures of several matches as one."""
    parts = list(parts)
    names = dict.fromkeys(name for part in parts for name in part.by_game)
    return Figures(
        sum(part.matches for part in parts),
        sum(part.won for part in parts),
        added(part.games for part in parts),
        added(part.beds for part in parts),
        {
            name: declared(name, games).total(part.by_game[name] for part in parts if name in part.by_game)
            for name in names
        },
        added(part.awards for part in parts),
        career.total(part.career for part in parts),
        sum(part.alone for part in parts),
    )


def to_json(figures: Figures, games: Games) -> dict[str, Any]:
    """What the pages get: rates instead of sums, and no key for a game without figures."""
    about: dict[str, Any] = {"matches": figures.matches, "won": figures.won, "games": dict(figures.games)}
    about["beds"] = dict(figures.beds)
    if figures.alone:
        about["alone"] = figures.alone
    if figures.awards:
        about["awards"] = dict(figures.awards)
    if classes := career.classes(figures.career):
        about["classes"] = classes
    for name, of_game in figures.by_game.items():
        if name in games and (found := shown(name, of_game, games)):
            about[name] = found
    return about


def _tallied(match: Match, beds: dict[str, Counter[str]]) -> Iterator[Visit[Any]]:
    """The visits of a match; the beds of each are counted as it is read."""
    for visit in visits(match):
        state = visit.start
        for action, after in visit.played:
            if isinstance(action, Throw) and (bed := _bed(action.dart)) is not None:
                actor = match.game.turn(state).actor
                if actor in beds:
                    beds[actor][bed] += 1
            state = after
        yield visit


def _count(match: Match, read: Iterator[Visit[Any]]) -> tuple[Mapping[str, Mapping[str, GameFigures]], list[Leg]]:
    """What each game of the match counts for each player, and the legs. A faulty plug-in game has no figures, and the
    others keep theirs."""
    found: dict[str, Mapping[str, GameFigures]] = {}
    legs: list[Leg] = []
    try:
        legs = list(legs_of(match, read))
        found = {
            game: {name: _plain(figures) for name, figures in players.items()}
            for game, players in totals(match, legs).items()
            if game not in OWN_KEYS
        }
    except Exception:
        log.exception("the statistics of %s cannot be counted", match.game.name)
        found, legs = {}, []
    for _ in read:
        pass  # The beds of visits that the game did not look at.
    return found, legs


def _plain(figures: GameFigures) -> GameFigures:
    """The same figures. TypeError if one cannot be stored and added up."""
    for name, value in figures.items():
        counts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else (value,)
        if not isinstance(name, str) or not all(isinstance(count, int | float) for count in counts):
            raise TypeError(f"{name} is neither a number nor counts by name")
    return figures


def declared(name: str, games: Games) -> Statistics[Any]:
    """What a game counts; nothing if the game raises."""
    try:
        return statistics_of(games.get(name))
    except Exception:
        log.exception("the statistics of %s cannot be read", name)
        return statistics_of(None)


def shown(name: str, of_game: GameFigures, games: Games) -> dict[str, Any]:
    """What people see of the figures of a game; nothing if the game raises."""
    try:
        found = dict(statistics_of(games.get(name)).show(of_game))
        jsontext.dump(found)
    except Exception:
        log.exception("the statistics of %s cannot be shown", name)
        return {}
    return found


def _bed(dart: Dart) -> str | None:
    match dart:
        case Segment():
            return dart.text
        case Position():
            return segment_at(dart).text
        case _:
            return None
