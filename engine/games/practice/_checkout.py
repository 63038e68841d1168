"""What checkout drills share: what is left, out by a double, busts, the route, and the advice of X01."""

from dataclasses import dataclass
from typing import Any, Final, TypeVar

from engine import kit
from engine.game import Aim
from engine.games.seats import with_seat
from engine.games.x01_advice import aim_to_finish
from engine.games.x01_checkouts import checkout
from engine.kit import Segment, State, Target, Text

DARTS: Final = 3
HIGHEST: Final = 170
"""The highest checkout of three darts."""


@dataclass(frozen=True, slots=True)
class Left:
    left: tuple[int, ...] = ()
    """What each side has left."""


S = TypeVar("S", bound=State[Any, Any])


def left(state: State[Any, Any]) -> int:
    """What the thrower has left."""
    points: int = state.own.left[state.at]
    return points


def leaves(state: S, points: int) -> S:
    """The state in which the thrower has `points` left."""
    if points == left(state):
        return state
    return state.keep(kit.replaced(state.own, left=with_seat(state.own.left, state.at, points)))


def before(state: State[Any, Any]) -> int:
    """What the thrower had left at the start of the turn."""
    return left(state) + state.scored


def thrown(state: S, bed: Segment) -> S:
    """After a dart: it may finish, or bust."""
    then = left(state) - bed.points
    after = state.counts(bed.points)
    if then == 0 and bed.multiplier == 2:
        return leaves(after, 0).ends("checkout")
    if then < 2:
        return leaves(after, before(state)).ends("bust")
    return leaves(after, then) if bed.points else after


def done(state: State[Any, Any]) -> bool:
    """Whether the turn finished."""
    return state.ended == "checkout"


def finished_scores(state: S, bed: Segment) -> S:
    """After a dart: a finish scores one."""
    after = thrown(state, bed)
    return after.gains(1) if done(after) else after


def turns() -> Any:
    """The option `turns`: how many turns an attempt has."""
    return kit.number(3, 1, 5, Text("Turns for each target", "Aufnahmen je Ziel", "Volées par cible"))


def rounds(state: State[Any, Any]) -> int:
    """The rounds of a match in which every attempt takes all its turns."""
    number: int = state.options.attempts * state.options.turns
    return number


def route(state: State[Any, Any]) -> tuple[Segment, ...]:
    """The darts that would finish now; empty if none can."""
    darts = DARTS - len(state.darts)
    return checkout(left(state), darts, "double", False) if darts and not state.ended else ()


def targets(state: State[Any, Any]) -> list[Target]:
    return [bed.text for bed in route(state)[:1]]


def shown(state: State[Any, Any]) -> dict[str, Any]:
    """The route, for `turn`."""
    beds = route(state)
    return {"checkout": [bed.text for bed in beds]} if beds else {}


def lefts(state: State[Any, Any]) -> list[dict[str, int]]:
    return [{"left": points} for points in state.own.left]


def aims(state: State[Any, Any], skill_mm: float) -> Aim:
    return aim_to_finish(skill_mm, "double", False, left(state), before(state), DARTS - len(state.darts))
