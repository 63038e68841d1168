"""How a match ended for each player: what a row of the history shows, and a line of the CSV. And its legs."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from daemon.history import career
from daemon.history.answers import LegInfo, LegResult, PlayerResult
from daemon.history.legs import Leg
from daemon.history.statistics import Figures, beaten_by, declared, shown, with_legs
from engine.match import Match
from engine.matchfile import Games
from league.ratings import Ranking, ranking


@dataclass(frozen=True, slots=True)
class Counted:
    """One match that is over: the figures that count for each person, and how it ended for everyone."""

    figures: Mapping[str, Figures]
    started: str
    game: str
    whole: bool
    """Whether it was played to its end. If not, it counts nothing."""
    results: Sequence[PlayerResult]
    ranking: Ranking | None = None
    """What it counts for the ratings."""


def counted(match: Match, match_id: str, started: str, people: Iterable[str], games: Games, *, whole: bool) -> Counted:
    """What a match counts for these people; `whole` says whether it was played to its end."""
    people, (figures, legs) = list(people), with_legs(match)
    results = _results(match, figures, legs, games)
    if not whole:
        return Counted({name: Figures() for name in people}, started, match.header.game, whole, results)
    sides = {result["name"]: str(result.get("team", result["name"])) for result in results if result["name"] in people}
    sums = {name: figures[name].by_game for name in sides}
    grown = career.careers(match_id, started, sides, beaten_by(match), legs, sums, games)
    whole_figures = {name: replace(figures[name], career=grown[name]) for name in sides}
    return Counted(whole_figures, started, match.header.game, whole, results, _ranking(match, results, people))


def leg_infos(match: Match, games: Games, begins: Mapping[Any, int]) -> list[LegInfo]:
    """The legs of a match for its page; `begins` has the number of the state with which each leg begins."""
    return [_leg(leg, match.header.players, games, begins.get(leg.key, 0)) for leg in with_legs(match)[1]]


def _leg(leg: Leg, players: Iterable[str], games: Games, begins: int) -> LegInfo:
    info: LegInfo = {"game": leg.game, "begins": begins, "winners": list(leg.winners), "players": []}
    if leg.over and not leg.winners:
        info["shared"] = True
    for name in players:
        of_player = {game: players[name] for game, players in leg.figures.items() if name in players}
        info["players"].append(cast(LegResult, {"name": name} | _rates(of_player, games)))
    return info


def _ranking(match: Match, results: Iterable[PlayerResult], people: Collection[str]) -> Ranking | None:
    sides: dict[str, list[str]] = {}
    for result in results:
        sides.setdefault(str(result.get("team", result["name"])), []).append(result["name"])
    told = {player["name"]: player.get("place") for player in match.view()["players"]}
    return ranking(
        [tuple(side) for side in sides.values()],
        match.game.winners(match.state) or (),
        {name: place for name, place in told.items() if isinstance(place, int)},
        [name for name in match.header.players if name not in people],
        match.header.options,
    )


def _results(match: Match, figures: Mapping[str, Figures], legs: Sequence[Leg], games: Games) -> list[PlayerResult]:
    winners, view = beaten_by(match), match.view()
    by_name = {player["name"]: player for player in view["players"]}
    won = Counter(name for leg in legs for name in leg.winners)
    # X01 has one set, and one leg, where none are played.
    to_win = view.get("to_win")  # A plug-in game may mean something else by it.
    sets = to_win.get("sets") if isinstance(to_win, dict) else None
    keys = ("team", "score", "sets") if isinstance(sets, int) and sets > 1 else ("team", "score")
    results = []
    for name in match.header.players:
        player = by_name.get(name, {})
        about = {"name": name, "won": name in winners} | {key: player[key] for key in keys if key in player}
        if "legs" in player:
            # Those of the view are of the last set.
            about["legs"] = won[name] if legs else player["legs"]
        results.append(cast(PlayerResult, about | _rates(figures[name].by_game, games)))
    return results


def _rates(by_game: Mapping[str, Any], games: Games) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for game, figures in by_game.items():
        rates = shown(game, figures, games)
        found = {key: rates[key] for key in declared(game, games).results if key in rates} | found
    return found
