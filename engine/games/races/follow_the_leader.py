"""Follow the Leader (Loop, Horse): hit the exact bed that was set, then set a harder one."""

from dataclasses import dataclass, replace
from typing import Any, Final

from engine import kit
from engine.games.races import _lives
from engine.games.shared_texts import LAST_WITH_LIVES, LIVES_DECIDE
from engine.kit import About, Kit, Next, Segment, Show, State, Text, plain
from engine.segments import Ring

HARD: Final[dict[Ring, float]] = {
    Ring.INNER_BULL: 1.0,
    Ring.OUTER_BULL: 0.8,
    Ring.INNER_SINGLE: 0.3,
    Ring.TRIPLE: 1.0,
    Ring.OUTER_SINGLE: 0.1,
    Ring.DOUBLE: 1.0,
    Ring.MISS: -2.0,
}
"""The worth of a bed as a target for the others. A miss may cost a life."""


@dataclass(frozen=True, slots=True)
class Options:
    lives: int = kit.lives(3, 9)
    rounds: int = kit.most_rounds(60, 300)


@dataclass(frozen=True, slots=True)
class Own:
    target: str = ""
    """The bed to hit by its text; empty before the first is set."""
    setter: int = -1
    hit: bool = False
    """Whether the thrower has hit it in this turn."""
    last: str = ""
    """What the thrower would set now, `MISS` for nothing; empty: they have thrown nothing for it."""


S = State[Options, Own]


def exact(bed: Segment) -> str:
    """The text of a bed, where a single that may be an inner or an outer one is an outer one."""
    return f"SO{bed.number}" if plain(bed) is bed and bed.multiplier == 1 and not bed.is_bull else bed.text


def free(state: S) -> bool:
    """Whether the thrower has nothing to follow."""
    return not state.own.target or state.own.setter == state.at


def sets(state: S) -> bool:
    """Whether the next dart is for the setting."""
    return free(state) or state.own.hit


def dart(state: S, bed: Segment) -> S:
    own = state.own
    if not sets(state):
        return state.counts(1).keep(replace(own, hit=True)) if exact(bed) == own.target else state
    if bed.number:
        return state.keep(replace(own, last=exact(bed)))
    return state if free(state) else state.keep(replace(own, last="MISS"))


def close(state: S) -> S:
    own = state.own
    if own.last == "MISS" or not sets(state):
        return state.loses_life()
    return state.keep(Own(own.last, state.at)) if own.last else state


def counted(begun: S, state: S) -> kit.Counted:
    """The bed that is set already changes nothing, but sets it again."""
    worth: list[bool] = []
    for dart, before, took in zip(state.darts, ("", *state.darts), state.took, strict=False):
        worth.append(took or (dart == before and worth[-1]))
    return kit.Counted("other", tuple(map(int, worth)), state.scored)


def worth(state: S, bed: Segment) -> float:
    return HARD[bed.ring] if sets(state) else float(exact(bed) == state.own.target)


def hard(bed: str) -> bool:
    """Whether a bed is left to the others as it is: all but the singles of a number."""
    return bed[0] in "DT" or bed == "SB"


def decides(state: S, skill_mm: float) -> Next | None:
    """Leaves a hard bed to the others, one that was set now or before."""
    own = state.own
    kept = own.last or (own.target if free(state) else "")
    return Next() if sets(state) and hard(kept or "MISS") else None


def show(state: S, viewer: str | None) -> Show:
    own = state.own
    target: dict[str, Any] = {"target": own.target, "setter": state.names(own.setter)[0]} if own.target else {}
    turn: dict[str, Any] = {"free": True} if free(state) else {"hit": own.hit}
    return replace(_lives.shown(state, **target), turn=turn)


GAME: Final[Kit[Options, Own]] = Kit(
    name="follow_the_leader",
    title="Follow the Leader",
    about=About(
        "R",
        Text(
            "Hit the bed that was set, then set a harder one.",
            "Triff das vorgelegte Feld, dann leg ein schwereres vor.",
            "Touchez la zone imposée, puis imposez-en une plus dure.",
        ),
        aim=LAST_WITH_LIVES,
        turn=Text(
            "Hit the exact bed that is set, or lose a life. Once you have, every further dart is for setting: the last "
            "one counts, and a miss there costs a life. If you come back to your own bed, you set freely.",
            "Triff genau das vorgelegte Feld, sonst verlierst du ein Leben. Danach legst du mit dem Rest vor: der "
            "letzte Dart zählt, am Board vorbei kostet er ein Leben. Bei deinem eigenen Feld legst du frei vor.",
            "Touchez la zone exacte, ou perdez une vie. Ensuite, vos fléchettes imposent : la dernière compte, et hors "
            "cible elle coûte une vie. Si votre propre zone vous revient, vous imposez librement.",
        ),
        end=LIVES_DECIDE,
    ),
    seats=range(2, 17),
    rules=Options,
    own=Own,
    start=_lives.start,
    begin=lambda state: state.keep(replace(state.own, hit=False, last="")),
    dart=dart,
    close=close,
    targets=lambda state: [] if sets(state) else [state.own.target],
    summed=False,
    show=show,
    worth=worth,
    matters=lambda state: "" if sets(state) else state.own.target,
    decides=decides,
    statistics_of=kit.HITS,
    counted_of=counted,
)
