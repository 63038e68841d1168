"""What X01 counts for a player: averages, checkouts, high visits and the best leg.

`points` and `darts` make the average: the darts of a bust count, its points do not. `first_points` and `first_darts`
are those of the first three visits of each leg. `chances` are the darts that could have finished the leg. `tons` are
the visits of at least 100, 140 and 180 points, each counted at its highest step alone. `best_leg` is the fewest darts
that won a leg from 501; other starts and legs of teams do not compare and are left out. `doubles_thrown` are the darts
at each double that would have finished, `doubles_hit` those that did; only with double out, where the score says which
double it is.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from engine.games.x01_state import State, side
from engine.games.x01_tally import FIRST_VISITS, can_finish
from engine.statistics import GameFigures, Ratio, Statistics, Visit, rate

TONS: Final = (100, 140, 180)
_DOUBLES: Final = {50: "bull"} | {2 * number: str(number) for number in range(1, 21)}
"""The double that finishes these points."""


def _count(visits: Iterable[Visit[State]], _finished: bool) -> Mapping[str, GameFigures]:
    legs: dict[tuple[int, str], list[dict[str, Any]]] = {}
    for visit in visits:
        leg = legs.setdefault((visit.start.leg, visit.player), [])
        leg.append(_visit(visit, leg))
    players = dict.fromkeys(name for _, name in legs)
    return {
        player: STATISTICS.total(figures for (_, name), leg in legs.items() if name == player for figures in leg)
        for player in players
    }


def _visit(visit: Visit[State], leg: list[dict[str, Any]]) -> dict[str, Any]:
    """One visit; `leg` are the player's earlier ones in the same leg."""
    start, at = visit.start, visit.start.player
    before, after = start.seats[at], visit.last.seats[at]
    points, darts = after.leg.points - before.leg.points, after.leg.darts - before.leg.darts
    ton = max((step for step in TONS if points >= step), default=None)
    first, won = len(leg) < FIRST_VISITS, points == before.left
    doubles = list(_doubles(visit))
    comparable = start.rules.starts[at] == 501 and len(start.seats) == len(start.rules.players)
    return {
        "points": points,
        "darts": darts,
        "first_points": points if first else 0,
        "first_darts": darts if first else 0,
        "legs": int(won),
        "chances": sum(_can_finish(state) for state, _ in visit.darts),
        "tons": {} if ton is None else {str(ton): 1},
        "best_visit": points,
        "best_checkout": points if won else 0,
        "best_leg": darts + sum(earlier["darts"] for earlier in leg) if won and comparable else 0,
        "doubles_thrown": dict(Counter(double for double, _ in doubles)),
        "doubles_hit": dict(Counter(double for double, hit in doubles if hit)),
    }


def _can_finish(state: State) -> bool:
    seat, rules = state.seats[state.player], state.rules
    return seat.is_in and can_finish(seat.left, rules.closing, rules.full_bull)


def _doubles(visit: Visit[State]) -> Iterator[tuple[str, bool]]:
    """The double at which each dart of a visit was due, and whether it was hit; without darts that were not at one."""
    for before, after in visit.darts:
        left = before.seats[before.player].left
        if before.rules.closing == "double" and left in _DOUBLES and _can_finish(before):
            yield _DOUBLES[left], after.end == "checkout"


def _show(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Averages are of three darts, `ppd` is of one, the checkout rate in percent; a key without a value is absent."""
    if not figures["darts"]:
        return {}
    shown = {
        "average": rate(3 * figures["points"], figures["darts"]),
        "ppd": rate(figures["points"], figures["darts"]),
        "first_nine": rate(3 * figures["first_points"], figures["first_darts"]),
        "darts": figures["darts"],
        "legs": figures["legs"],
        "tons": dict(figures["tons"]),
        "best_visit": figures["best_visit"],
    }
    if figures["chances"]:
        shown["checkout_rate"] = rate(100 * figures["legs"], figures["chances"])
    # Figures that an earlier version stored have no doubles.
    if thrown := figures.get("doubles_thrown"):
        hit = figures["doubles_hit"]
        names = (name for name in _DOUBLES.values() if name in thrown)
        shown["doubles"] = {name: {"hit": hit.get(name, 0), "thrown": thrown[name]} for name in names}
    return shown | {best: figures[best] for best in ("best_checkout", "best_leg") if figures[best]}


_RATES: Final = ("average", "first_nine", "checkout_rate")
_BESTS: Final = ("best_visit", "best_checkout", "best_leg")

STATISTICS: Final[Statistics[State]] = Statistics(
    _count,
    _show,
    {"best_visit": max, "best_checkout": max, "best_leg": min},
    results=(*_RATES, *_BESTS, "darts"),
    columns=(*_RATES, *(f"tons.{step}" for step in TONS), *_BESTS),
    rates={"average": Ratio("points", "darts", 3)},
    bests={"leg": "best_leg", "checkout": "best_checkout"},
    leg=lambda state: state.leg,
    leg_winners=lambda state: side(state) if state.end == "checkout" else (),
)
