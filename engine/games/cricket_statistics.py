"""What Cricket counts for a player: marks that closed or scored, rounds, and the best marks per round of a match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from engine.statistics import GameFigures, Statistics, Visit, rate

if TYPE_CHECKING:
    from engine.games.cricket import State


def _count(visits: Iterable[Visit[State]], finished: bool) -> Mapping[str, GameFigures]:
    marks: dict[str, list[int]] = {}
    for visit in visits:
        # As the game counts rounds: those with a dart, and those that `next` closed without one.
        if visit.last.darts or visit.closed:
            marks.setdefault(visit.player, []).append(visit.last.marked)
    return {
        name: {
            "marks": sum(some),
            "rounds": len(some),
            # The best is of a match that was played to its end.
            "best": rate(sum(some), len(some)) if finished else 0.0,
        }
        for name, some in marks.items()
    }


def _show(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Marks per round, over all matches and in the best one."""
    if not figures["rounds"]:
        return {}
    shown = {"mpr": rate(figures["marks"], figures["rounds"]), "rounds": figures["rounds"]}
    return shown | ({"best_mpr": figures["best"]} if figures["best"] else {})


STATISTICS: Final[Statistics[State]] = Statistics(_count, _show, {"best": max})
