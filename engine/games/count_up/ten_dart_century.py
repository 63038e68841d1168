"""Ten-Dart Century: ten darts to come as near to 100 as you can; off the board wipes you out."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.kit import FOUL, About, Kit, Next, Segment, Show, State, Text

DARTS = (3, 3, 3, 1)
"""The darts of each round."""

NEAR = 60
"""From this distance on a dart can hit the target."""


@dataclass(frozen=True, slots=True)
class Options:
    target: int = kit.number(100, 20, 500, Text("Target", "Ziel", "But"))


S = State[Options, None]


def distance(state: S, score: int) -> int:
    return abs(state.options.target - score)


def points(state: S, bed: Segment) -> int:
    return bed.points if bed.number or bed is FOUL else -state.score


def darts_left(state: S, side: int) -> int:
    later = sum(DARTS[state.round :])
    if side == state.at:
        return later + (0 if state.finished else DARTS[state.round - 1] - len(state.darts))
    return later + (DARTS[state.round - 1] if side > state.at else 0)


def worth(state: S, bed: Segment) -> float:
    if state.score + NEAR < state.options.target:
        return points(state, bed)
    after = distance(state, state.score + points(state, bed))
    return 1.0 if not after else -after / NEAR


def decides(state: S, skill_mm: float) -> Next | None:
    """Stops where the next dart would on average end farther away."""
    now = distance(state, state.score)
    if now > NEAR:
        return None
    value = GAME.best_aim(state, skill_mm).value
    return Next() if not now or value < -now / NEAR else None


def show(state: S, viewer: str | None) -> Show:
    return Show(
        players=[
            {"distance": distance(state, state.scores[side]), "darts_left": darts_left(state, side)}
            for side in state.sides
        ]
    )


GAME: Final[Kit[Options, None]] = Kit(
    name="ten_dart_century",
    title="Ten-Dart Century",
    about=About(
        "P",
        Text(
            "Ten darts to come as near to 100 as you can.",
            "Zehn Darts, um 100 so nah wie möglich zu kommen.",
            "Dix fléchettes pour approcher de 100.",
        ),
        aim=Text(
            "End nearer to 100 than the others, above or below.",
            "Sei am Ende näher an 100 als die anderen, darüber oder darunter.",
            "Finissez plus près de 100 que les autres, au-dessus ou au-dessous.",
        ),
        turn=Text(
            "Each dart adds its points, but a miss sets you back to 0. You may stop early; those darts are gone.",
            "Jeder Dart zählt seine Punkte, ein Fehlwurf aber setzt dich auf 0. Du darfst früher aufhören; diese Darts "
            "sind verloren.",
            "Chaque fléchette ajoute ses points, mais un raté remet à 0. On peut s’arrêter avant ; ces fléchettes sont "
            "perdues.",
        ),
        end=Text(
            "Three rounds of three darts and one of a single dart; then the smallest distance wins.",
            "Drei Runden mit drei Darts und eine mit einem; dann gewinnt der kleinste Abstand.",
            "Trois tours de trois fléchettes et un d’une seule ; puis le plus petit écart gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    dart=lambda state, bed: state.brings(points(state, bed)),
    rounds=lambda state: len(DARTS),
    darts=lambda state: DARTS[state.round - 1],
    rank=lambda state, side: (-distance(state, state.scores[side]),),
    targets=lambda state: ["T20"] if state.score + NEAR < state.options.target else [],
    show=show,
    worth=worth,
    matters=lambda state: state.score,
    decides=decides,
    counted_of=kit.points_counted,
)
