"""What games of the kit count for their players over many matches: points or hits, the best turn, the best match."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from engine.actions import Next, Throw
from engine.kit import usual
from engine.kit.state import State
from engine.kit.turns import missed
from engine.segments import MISS
from engine.statistics import GameFigures, Statistics, Visit, rate

if TYPE_CHECKING:
    from engine.kit.game import Kit

AnyState = State[Any, Any]
Best = Callable[[Iterable[int]], int]


def _brought(state: AnyState) -> int:
    """The darts of a turn that brought something."""
    return sum(map(bool, state.points))


def _took(state: AnyState) -> int:
    """The darts of a turn that did something."""
    return sum(state.took)


def _count(
    best: Best, hits: Callable[[AnyState], int], visits: Iterable[Visit[AnyState]], finished: bool
) -> Mapping[str, GameFigures]:
    turns: dict[str, list[tuple[int, tuple[int, ...]]]] = {}
    last: AnyState | None = None
    for visit in visits:
        last = visit.played[-1][1] if visit.played else last
        if visit.darts:
            turns.setdefault(visit.player, []).append((hits(visit.last), visit.last.points))
    figures = {name: _figures(best, thrown) for name, thrown in turns.items()}
    # Scores by other options do not compare.
    if finished and last is not None and last.options == type(last.options)():
        for side, score in enumerate(last.standing):
            figures.get(last.players[side], {})["best_score"] = score
    return figures


def _figures(best: Best, turns: list[tuple[int, tuple[int, ...]]]) -> dict[str, int]:
    """The figures of turns with the hits and the points of each dart."""
    return {
        "turns": len(turns),
        "darts": sum(len(points) for _, points in turns),
        "hits": sum(hits for hits, _ in turns),
        "points": sum(sum(points) for _, points in turns),
        "best_turn": best(sum(points) for _, points in turns),
    }


def _show_points(figures: Mapping[str, Any]) -> dict[str, Any]:
    average = {"average": rate(3 * figures["points"], figures["darts"])} if figures["darts"] else {}
    return average | {name: figures[name] for name in ("best_turn", "best_score") if name in figures}


def _show_hits(figures: Mapping[str, Any]) -> dict[str, Any]:
    hits = {"hit_rate": rate(100 * figures["hits"], figures["darts"])} if figures["darts"] else {}
    return hits | _show_best(figures)


def _show_points_and_hits(figures: Mapping[str, Any]) -> dict[str, Any]:
    return _show_points(figures) | _show_hits(figures)


def _show_best(figures: Mapping[str, Any]) -> dict[str, Any]:
    return {name: figures[name] for name in ("best_score",) if name in figures}


def _statistics(
    show: Callable[[GameFigures], dict[str, Any]],
    turn: Best,
    score: Best | None = None,
    hits: Callable[[AnyState], int] = _brought,
) -> Statistics[AnyState]:
    """Statistics with the best turn and the best score, which are found in the same way unless `score` says how."""
    best = {"best_turn": turn, "best_score": score or turn}
    return Statistics(partial(_count, turn, hits), show, best, frozenset(best))


def with_missed(game: "Kit[Any, Any]", counted: Statistics[AnyState]) -> Statistics[AnyState]:
    """The same statistics, which count darts that were not thrown where they are misses by the rules."""
    if game.unthrown is usual.no:
        return counted
    return replace(
        counted,
        count=lambda visits, finished: counted.count((_with_missed(game, visit) for visit in visits), finished),
    )


def _with_missed(game: "Kit[Any, Any]", visit: Visit[AnyState]) -> Visit[AnyState]:
    end = next((at for at, (action, _) in enumerate(visit.played) if isinstance(action, Next)), None)
    if end is None:
        return visit
    last = visit.played[end - 1][1] if end else visit.start
    misses = [(Throw(MISS), after) for after in missed(game, last)]
    return replace(visit, played=(*visit.played[:end], *misses, *visit.played[end:]))


POINTS: Final = _statistics(_show_points, max)
"""The average of three darts, the best turn, and the best score of a match with the usual options."""
FEWEST_POINTS: Final = _statistics(_show_points, min)
"""The same, where the lowest is the best."""
LOWEST_TURN: Final = _statistics(_show_points, min, max)
"""The same, where the lowest turn and the highest score are the best."""
HITS: Final = _statistics(_show_hits, max)
"""How many darts in a hundred brought something, and the best score of a match with the usual options."""
POINTS_AND_HITS: Final = _statistics(_show_points_and_hits, max)
"""Both: in a game in which a dart in the target of the round brings points, and no other does."""
USEFUL: Final = _statistics(_show_hits, max, hits=_took)
"""How many darts in a hundred did something by the rules, whether or not they brought points, and the best score."""
BEST: Final = _statistics(_show_best, max)
"""The best score of a match with the usual options."""
FEWEST: Final = _statistics(_show_best, min)
"""The same, where the lowest is the best."""
