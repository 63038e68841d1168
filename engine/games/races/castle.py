"""Castle: build fifteen bricks on your own number, or knock down the others'."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final

from engine import kit
from engine.kit import About, Draft, Kit, Segment, Show, State, Target, Text

ATTACK: Final = 1.2
"""The worth of a mark on the number of a leader who is dangerous; one of the own is worth 1."""
NEAR: Final = 3
"""A leader is dangerous who needs at most this many bricks: matches in which every leader is attacked never end."""


@dataclass(frozen=True, slots=True)
class Options:
    bricks: int = kit.number(15, 5, 50, Text("Bricks", "Steine", "Briques"))
    numbers: str = kit.numbers()
    bull: str = kit.one_of(
        Text("The bull", "Das Bull", "Le bull"),
        {
            "none": Text("does nothing", "zählt nicht", "ne fait rien"),
            "storm": Text(
                "builds, and takes from all others", "baut und nimmt allen anderen", "construit et prend à tous"
            ),
        },
    )
    rounds: int = kit.most_rounds(40)


@dataclass(frozen=True, slots=True)
class Own:
    draft: Draft = Draft()  # noqa: RUF009


S = State[Options, Own]


def built(state: S, marks: int) -> S:
    after = state.brings(min(marks, state.options.bricks - state.score))
    return after if after.score < state.options.bricks else after.gets_there()


def falls(state: S, side: int, marks: int) -> S:
    """After a side has lost bricks, which count for the dart but not for the thrower's score."""
    fallen = min(marks, state.scores[side])
    return state.counts(fallen).gains(-fallen, side)


def dart(state: S, bed: Segment) -> S:
    draft = state.own.draft
    if draft.thrower(state.sides) is not None:
        return state.keep(Own(draft.after(bed)))
    if bed.is_bull and state.options.bull == "storm":
        for side in state.others:
            state = falls(state, side, bed.multiplier)
        return built(state, bed.multiplier)
    if bed.number not in draft.numbers:
        return state
    side = draft.numbers.index(bed.number)
    return built(state, bed.multiplier) if side == state.at else falls(state, side, bed.multiplier)


def dangerous(state: S) -> int | None:
    """The leader of the others, if they are dangerous."""
    leader = max(state.others, key=lambda side: state.scores[side])
    return leader if state.score < state.scores[leader] >= state.options.bricks - NEAR else None


def worth(state: S, bed: Segment) -> float:
    numbers = state.own.draft.numbers
    if state.own.draft.thrower(state.sides) is not None:
        return float(0 < bed.number <= 20 and bed.number not in numbers)
    leader = dangerous(state)
    attack = 0.0 if leader is None else ATTACK
    if bed.is_bull and state.options.bull == "storm":
        return bed.multiplier * (1.0 + attack)
    if bed.number == numbers[state.at]:
        return bed.multiplier
    if leader is None or bed.number != numbers[leader]:
        return 0.0
    return min(bed.multiplier, state.scores[leader]) * attack


def matters(state: S) -> Hashable:
    numbers = state.own.draft.numbers
    if state.own.draft.thrower(state.sides) is not None:
        return (numbers,)
    leader = dangerous(state)
    return numbers[state.at], leader is not None and (numbers[leader], min(3, state.scores[leader]))


def targets(state: S) -> list[Target]:
    numbers = state.own.draft.numbers
    if state.own.draft.thrower(state.sides) is not None:
        return [number for number in range(1, 21) if number not in numbers]
    return [numbers[state.at], *(["bull"] if state.options.bull == "storm" else [])]


def show(state: S, viewer: str | None) -> Show:
    numbers = state.own.draft.numbers
    about: list[dict[str, Any]] = [{"number": numbers[side]} if side < len(numbers) else {} for side in state.sides]
    return Show({"target": state.options.bricks}, players=about)


GAME: Final[Kit[Options, Own]] = Kit(
    name="castle",
    title="Castle",
    about=About(
        "B",
        Text(
            "Build on your own number, knock down the others’.",
            "Bau auf deiner Zahl, reiß die Burgen der anderen ein.",
            "Construisez sur votre numéro, démolissez chez les autres.",
        ),
        aim=Text(
            "Be the first with a castle of fifteen bricks.",
            "Hab vor den anderen eine Burg aus fünfzehn Steinen.",
            "Ayez avant les autres un château de quinze briques.",
        ),
        turn=Text(
            "Everyone has a number. A single of your own builds one brick, a double two, a triple three. In the number "
            "of another it knocks down as many.",
            "Jeder hat eine Zahl. Ein Single der eigenen baut einen Stein, ein Double zwei, ein Triple drei. In der "
            "Zahl eines anderen reißt es so viele ein.",
            "Chacun a un numéro. Un simple du vôtre pose une brique, un double deux, un triple trois. Dans le numéro "
            "d’un autre, il en démolit autant.",
        ),
        end=Text(
            "The match ends when a castle is complete. At the limit the most bricks win.",
            "Das Spiel endet, sobald eine Burg fertig ist. An der Rundengrenze gewinnen die meisten Steine.",
            "La partie finit quand un château est achevé. À la limite de tours, le plus de briques gagne.",
        ),
    ),
    seats=range(2, 17),
    rules=Options,
    own=Own,
    opening=lambda state: state.own.draft.thrower(state.sides) if state.options.numbers == "throw" else None,
    chance=lambda state: kit.NUMBER_DECK if state.options.numbers == "deck" and not state.own.draft.numbers else None,
    drawn=lambda state, numbers: state.keep(Own(Draft(numbers[: len(state.sides)]))),
    dart=dart,
    points_to_begin=49,
    refuses_head_start=kit.below(lambda state: state.options.bricks),
    targets=targets,
    show=show,
    worth=worth,
    matters=matters,
    statistics_of=kit.HITS,
)
