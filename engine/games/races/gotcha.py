"""Gotcha: count up to exactly the target; land on someone's score, and they start again."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.kit import About, Kit, Segment, Show, State, Text
from engine.segments import PLAYABLE

FINISHES: Final = 5.0
RESETS: Final = 2.0
TOO_FAR: Final = -1.0
"""The worth of the finish, of all the target that another loses, and of a dart that goes too far."""

FARTHEST: Final = 60
"""How far a dart goes at most, also back from the target."""


@dataclass(frozen=True, slots=True)
class Options:
    target: int = kit.number(301, 51, 1001, Text("Target", "Ziel", "But"))
    over: str = kit.one_of(
        Text("Above the target", "Über dem Ziel", "Au-dessus du but"),
        {
            "bust": Text("the turn is lost", "zählt die Aufnahme nicht", "la volée est perdue"),
            "bounce": Text("the rest counts back", "wird zurückgezählt", "on recompte en arrière"),
        },
    )
    out: str = kit.one_of(
        Text("Out", "Out", "Sortie"),
        {
            "open": Text("any bed", "jedes Feld", "toute zone"),
            "double": Text("a double", "ein Double", "un double"),
            "master": Text("a double or triple", "ein Double oder Triple", "un double ou triple"),
        },
    )
    rounds: int = kit.most_rounds(40)


S = State[Options, None]


def finishes(options: Options, bed: Segment) -> bool:
    """Whether a bed may be the one that reaches the target."""
    match options.out:
        case "double":
            return bed.multiplier == 2
        case "master":
            return bed.multiplier > 1
        case _:
            return True


def lands(state: S, bed: Segment) -> int | None:
    """The score after a dart; None: it goes too far, or reaches the target by a bed that may not."""
    target, score = state.options.target, state.score + bed.points
    if score < target or (score == target and finishes(state.options, bed)):
        return score
    if state.options.over == "bust":
        return None
    return state.score if score == target else max(0, 2 * target - score)


def hit(state: S, score: int) -> tuple[int, ...]:
    """Whom a score sends back to 0."""
    return tuple(side for side in state.others if score and state.scores[side] == score)


def dart(state: S, bed: Segment) -> S:
    score = lands(state, bed)
    if score is None:
        # What the others have lost in this turn stays lost.
        return state.counts(-state.scored).with_score(state.before[state.at]).ends("bust")
    after = state.brings(score - state.score)
    for side in hit(state, score):
        after = after.with_score(0, side)
    if score == state.options.target:
        return after.gets_there()
    return after.ends() if state.score + bed.points >= state.options.target else after


def worth(state: S, bed: Segment) -> float:
    score, target = lands(state, bed), state.options.target
    if score is None:
        return TOO_FAR
    if score == target:
        return FINISHES
    resets = RESETS * sum(state.scores[side] for side in hit(state, score)) / target
    too_far = TOO_FAR if state.score + bed.points >= target else 0.0
    return resets + too_far + (score - state.score) / 60


def matters(state: S) -> Hashable:
    """The scores if another is in reach; else what is left, as far as a dart can reach."""
    near = sorted(score for side in state.others if abs((score := state.scores[side]) - state.score) <= FARTHEST)
    return (state.score, tuple(near)) if near else min(FARTHEST + 1, state.options.target - state.score)


def targets(state: S) -> list[kit.Target]:
    """The beds that finish or send somebody back."""

    def counts(bed: Segment) -> bool:
        score = lands(state, bed)
        return score is not None and (score == state.options.target or bool(hit(state, score)))

    return [bed.text for bed in PLAYABLE if counts(bed)]


GAME: Final[Kit[Options, None]] = Kit(
    name="gotcha",
    title="Gotcha",
    about=About(
        "P",
        Text(
            "Land on someone’s score, and they start again.",
            "Triff den Punktestand eines anderen, und er fängt von vorn an.",
            "Tombez sur le score d’un autre, et il repart de zéro.",
        ),
        aim=Text(
            "Be the first to have exactly the target, 301 as a rule.",
            "Erreiche vor den anderen genau das Ziel, meist 301.",
            "Atteignez exactement le but avant les autres, 301 en général.",
        ),
        turn=Text(
            "Every dart adds its points. If you then have just as many as somebody else, they go back to 0. Above the "
            "target the turn is bust.",
            "Jeder Dart zählt seine Punkte. Hast du danach genauso viele wie ein anderer, fällt dieser auf 0. Über dem "
            "Ziel ist die Aufnahme überworfen.",
            "Chaque fléchette ajoute ses points. Si vous en avez alors autant qu’un autre, il retombe à 0. Au-dessus "
            "du but, la volée est perdue.",
        ),
        end=Text(
            "The match ends when somebody stands on the target. At the limit the highest score wins.",
            "Das Spiel endet, sobald jemand genau auf dem Ziel steht. An der Rundengrenze gewinnt der höchste Stand.",
            "La partie finit quand quelqu’un est sur le but. À la limite de tours, le plus haut score gagne.",
        ),
    ),
    seats=range(2, 17),
    rules=Options,
    dart=dart,
    left=lambda state: state.options.target - state.score,
    points_to_begin=1000,
    refuses_head_start=kit.below(lambda state: state.options.target),
    targets=targets,
    show=lambda state, viewer: Show(players=[{"to_go": state.options.target - score} for score in state.scores]),
    worth=worth,
    matters=matters,
)
