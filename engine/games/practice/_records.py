"""What the drills count for their players: the personal best, the mean, and the rate of hits or finishes.

`drills` are the matches with the usual options, which alone compare, and `results` their results added up.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final

from engine.games.x01_checkouts import checkout
from engine.kit import State
from engine.statistics import GameFigures, Statistics, Visit, rate

AnyState = State[Any, Any]
Result = Callable[[AnyState, int], int | None]
"""The result of a side at the end; None: it did not get there, which does not compare."""
OfVisit = Callable[[Visit[AnyState]], dict[str, int]]


def score(state: AnyState, side: int) -> int:
    """The score at the end."""
    return state.standing[side]


def records(
    of_visit: OfVisit,
    show: Callable[[GameFigures], dict[str, Any]],
    best: Callable[[Iterable[int]], int] = max,
    result: Result = score,
    name: str = "score",
) -> Statistics[AnyState]:
    """Statistics with the best and the mean result, by the name of what the result is."""
    shown = partial(_show, show, name)
    made = partial(_count, of_visit, result, f"best_{name}")
    return Statistics(made, shown, {f"best_{name}": best}, frozenset({f"best_{name}"}))


def _count(
    of_visit: OfVisit, result: Result, best: str, visits: Iterable[Visit[AnyState]], finished: bool
) -> Mapping[str, GameFigures]:
    figures: dict[str, dict[str, Any]] = {}
    last: AnyState | None = None
    for visit in visits:
        last = visit.played[-1][1] if visit.played else visit.start
        if visit.darts:
            own = figures.setdefault(visit.player, {})
            for key, value in (of_visit(visit) | {"darts": len(visit.darts)}).items():
                own[key] = max(own.get(key, 0), value) if key == "best_checkout" else own.get(key, 0) + value
    if finished and last is not None and last.options == type(last.options)():
        for side in last.sides:
            reached = result(last, side)
            if reached is not None and last.players[side] in figures:
                figures[last.players[side]] |= {"drills": 1, "results": reached, best: reached, "last_ten": [reached]}
    return figures


def _show(show: Callable[[GameFigures], dict[str, Any]], name: str, figures: Mapping[str, Any]) -> dict[str, Any]:
    if not figures.get("darts"):
        return {}
    if not figures.get("drills"):
        return show(figures)
    mean = rate(figures["results"], figures["drills"])
    results = {f"best_{name}": figures[f"best_{name}"], f"mean_{name}": mean, "drills": figures["drills"]}
    return results | {"last_ten": figures["last_ten"]} | show(figures)


def _hits(visit: Visit[AnyState]) -> dict[str, int]:
    return {"hits": sum(bool(points) for points in visit.last.points)}


def _show_hits(figures: Mapping[str, Any]) -> dict[str, Any]:
    return {"hit_rate": rate(100 * figures["hits"], figures["darts"])}


def _finishes(visit: Visit[AnyState]) -> dict[str, int]:
    """A chance is a turn that three darts could finish."""
    start = visit.darts[0][0]
    left = start.own.left[start.at]
    done = visit.last.ended == "checkout"
    chance = int(bool(checkout(left, 3, "double", False)))
    return {"checkouts": int(done), "chances": chance, "best_checkout": left if done else 0}


def _show_finishes(figures: Mapping[str, Any]) -> dict[str, Any]:
    shown = {"checkouts": figures["checkouts"]}
    if figures["chances"]:
        shown["checkout_rate"] = rate(100 * figures["checkouts"], figures["chances"])
    return shown | ({"best_checkout": figures["best_checkout"]} if figures["best_checkout"] else {})


hit_records = partial(records, _hits, _show_hits)
"""With the darts in a hundred that hit."""

HITS: Final = hit_records()


def _checkout_records() -> Statistics[AnyState]:
    made = records(_finishes, _show_finishes)
    return Statistics(made.count, made.show, {**made.best, "best_checkout": max}, made.zeros)


CHECKOUTS: Final = _checkout_records()
"""With the checkouts, the highest of them, and how many of a hundred turns that could finish did."""
