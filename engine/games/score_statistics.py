"""What games count whose turns change a score: points in a turn, the best turn, the best match."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeVar

from engine.statistics import GameFigures, Statistics, Visit, rate

S = TypeVar("S")


def score_statistics(score: Callable[[S, str], int]) -> Statistics[S]:
    """Statistics of a game in which `score` is the score of a player in a state."""
    return Statistics(partial(_count, score), _show, {"best_turn": max, "best_score": max})


def _count(score: Callable[[S, str], int], visits: Iterable[Visit[S]], finished: bool) -> Mapping[str, GameFigures]:
    turns: dict[str, list[tuple[int, int]]] = {}
    first: S | None = None
    last: S | None = None
    for visit in visits:
        first = visit.start if first is None else first
        last = visit.played[-1][1] if visit.played else visit.start
        if visit.darts:
            points = score(last, visit.player) - score(visit.start, visit.player)
            turns.setdefault(visit.player, []).append((len(visit.darts), points))
    return {
        name: {
            "turns": len(some),
            "darts": sum(darts for darts, _ in some),
            "points": sum(points for _, points in some),
            "best_turn": max(points for _, points in some),
            # Without the points of a handicap.
            "best_score": max(0, score(last, name) - score(first, name)) if finished and first and last else 0,
        }
        for name, some in turns.items()
    }


def _show(figures: Mapping[str, Any]) -> dict[str, Any]:
    if not figures.get("turns"):
        return {}
    # A rate of whole numbers cannot be below 0: whoever loses points on average has none.
    shown = {"points_per_turn": rate(max(0, figures["points"]), figures["turns"]), "best_turn": figures["best_turn"]}
    return shown | ({"best_score": figures["best_score"]} if figures["best_score"] else {})
