"""Killer: hit your own double to become a killer, then take the others' lives."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, Final

from engine import kit
from engine.games.races import _lives
from engine.games.shared_texts import LAST_WITH_LIVES, LIVES_DECIDE
from engine.kit import About, Draft, Kit, Segment, Show, State, Target, Text

WEAKEST: Final = 1.5
"""The worth of a life of the player who has the fewest; others' are worth 1."""


@dataclass(frozen=True, slots=True)
class Options:
    lives: int = kit.lives(3, 9)
    numbers: str = kit.numbers()
    bed: str = kit.one_of(
        Text("Beds that count", "Felder, die zählen", "Zones qui comptent"),
        {
            "double": Text("doubles", "Doubles", "doubles"),
            "triple": Text("triples", "Triples", "triples"),
            "any": Text("all, by their marks", "alle, nach Treffern", "toutes, selon les marques"),
        },
    )
    self_: bool = kit.flag(
        True, Text("An own hit costs a life", "Die eigene Zahl kostet ein Leben", "Son propre numéro coûte une vie")
    )
    rounds: int = kit.most_rounds(60, 300)


@dataclass(frozen=True, slots=True)
class Own:
    draft: Draft = Draft()  # noqa: RUF009
    killers: frozenset[int] = frozenset()


S = State[Options, Own]


def owner(state: S, bed: Segment) -> int | None:
    """The side in whose bed a dart is; None: it is in nobody's, or they are out."""
    numbers, option = state.own.draft.numbers, state.options.bed
    if bed.number not in numbers or not kit.hits(bed, bed.number, option):
        return None
    side = numbers.index(bed.number)
    return None if state.out[side] else side


def lives(state: S, side: int, bed: Segment) -> int:
    """How many lives a killer's dart in the bed of a side takes."""
    return min(state.scores[side], bed.multiplier if state.options.bed == "any" else 1)


def dart(state: S, bed: Segment) -> S:
    own = state.own
    if own.draft.thrower(state.sides) is not None:
        return state.keep(replace(own, draft=own.draft.after(bed)))
    side = owner(state, bed)
    if side is None:
        return state
    if state.at not in own.killers:
        return state.counts(1).keep(replace(own, killers=own.killers | {side})) if side == state.at else state
    taken = lives(state, side, bed)
    if side == state.at:
        return state.loses_life(taken) if state.options.self_ else state
    after = state.counts(taken).loses_life(taken, side)
    return after if after.others else after.ends()


def worth(state: S, bed: Segment) -> float:
    own = state.own
    if own.draft.thrower(state.sides) is not None:
        return float(0 < bed.number <= 20 and bed.number not in own.draft.numbers)
    side = owner(state, bed)
    if side is None:
        return 0.0
    if state.at not in own.killers:
        return float(side == state.at)
    taken = lives(state, side, bed)
    if side == state.at:
        return -taken if state.options.self_ else 0.0
    fewest = state.scores[side] == min(state.scores[other] for other in state.others)
    return taken * (WEAKEST if fewest else 1.0)


def matters(state: S) -> Hashable:
    own = state.own
    if own.draft.thrower(state.sides) is None and state.at not in own.killers:
        return own.draft.numbers[state.at]
    return own.draft.numbers, state.at, state.scores


def lit(state: S, *sides: int) -> list[Target]:
    beds = [kit.lit(state.own.draft.numbers[side], state.options.bed) for side in sides]
    return [target for targets in beds for target in targets]


def targets(state: S) -> list[Target]:
    if state.own.draft.thrower(state.sides) is not None:
        return [number for number in range(1, 21) if number not in state.own.draft.numbers]
    return lit(state, *(state.others if state.at in state.own.killers else (state.at,)))


def dangers(state: S) -> list[Target]:
    return lit(state, state.at) if state.at in state.own.killers and state.options.self_ else []


def show(state: S, viewer: str | None) -> Show:
    numbers = state.own.draft.numbers

    def about(side: int) -> dict[str, Any]:
        number = {"number": numbers[side]} if side < len(numbers) else {}
        return {"lives": state.scores[side], **number} | ({"killer": True} if side in state.own.killers else {})

    return Show(players=[about(side) for side in state.sides])


GAME: Final[Kit[Options, Own]] = Kit(
    name="killer",
    title="Killer",
    about=About(
        "A",
        Text(
            "Hit your own double, then hunt the others’.",
            "Triff dein eigenes Double, dann jage die der anderen.",
            "Touchez votre double, puis chassez ceux des autres.",
        ),
        aim=LAST_WITH_LIVES,
        turn=Text(
            "Everyone has a number. The double of your own makes you a killer. A killer takes a life with every double "
            "of another, and loses one with their own.",
            "Jeder hat eine Zahl. Das Double deiner eigenen macht dich zum Killer. Als Killer nimmst du mit jedem "
            "Double eines anderen ein Leben und verlierst eines mit dem eigenen.",
            "Chacun a un numéro. Le double du vôtre fait de vous un tueur. Un tueur prend une vie avec chaque double "
            "d’un autre, et en perd une avec le sien.",
        ),
        end=LIVES_DECIDE,
    ),
    seats=range(2, 17),
    rules=Options,
    own=Own,
    start=_lives.start,
    opening=lambda state: state.own.draft.thrower(state.sides) if state.options.numbers == "throw" else None,
    chance=lambda state: kit.NUMBER_DECK if state.options.numbers == "deck" and not state.own.draft.numbers else None,
    drawn=lambda state, numbers: state.keep(Own(Draft(numbers[: len(state.sides)]))),
    dart=dart,
    targets=targets,
    dangers=dangers,
    summed=False,
    show=show,
    worth=worth,
    matters=matters,
    statistics_of=kit.HITS,
)
