"""What Cricket counts for a player: marks that closed or scored, rounds, and the best marks per round of a match."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeVar, cast

from engine.statistics import GameFigures, Statistics, Visit, rate

S = TypeVar("S")


def _count(marked: Callable[[S], int], visits: Iterable[Visit[S]], finished: bool) -> Mapping[str, GameFigures]:
    marks: dict[str, list[int]] = {}
    for visit in visits:
        # As the game counts rounds: those with a dart, and those that `next` closed without one.
        if visit.darts or visit.closed:
            marks.setdefault(visit.player, []).append(marked(visit.last))
    return {name: _with_best({"marks": sum(some), "rounds": len(some)}, finished) for name, some in marks.items()}


def _with_best(figures: GameFigures, finished: bool) -> GameFigures:
    """The figures of a match with its marks per round, which are the best if it was played to its end."""
    marks, rounds = cast(int, figures["marks"]), cast(int, figures["rounds"])
    return {**figures, "best": rate(marks, rounds) if finished else 0.0}


def _show(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Marks per round, over all matches and in the best one."""
    if not figures["rounds"]:
        return {}
    shown = {"mpr": rate(figures["marks"], figures["rounds"]), "rounds": figures["rounds"]}
    return shown | ({"best_mpr": figures["best"]} if figures["best"] else {})


def marks_statistics(marked: Callable[[S], int]) -> Statistics[S]:
    """The statistics of a game of Cricket; `marked` are the marks of the turn that closed or scored."""
    return Statistics(partial(_count, marked), _show, {"best": max}, whole=_with_best)
