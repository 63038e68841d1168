"""Hi-Lo: odd rounds add the total, even rounds take it off."""

from dataclasses import dataclass, replace
from typing import Final

from engine import kit
from engine.games.shared_texts import HAVE_MOST_POINTS, MOST_POINTS_AFTER_10
from engine.kit import About, Kit, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    rounds: int = kit.rounds(10, 2)
    first: str = kit.one_of(
        Text("The first round goes", "Die erste Runde geht", "Le premier tour va"),
        {"up": Text("up", "aufwärts", "vers le haut"), "down": Text("down", "abwärts", "vers le bas")},
    )
    miss: int = kit.number(
        50,
        0,
        180,
        Text("Points for a miss in a down round", "Punkte für einen Fehlwurf abwärts", "Points d’un raté vers le bas"),
    )
    tie: str = kit.tie()
    teams: int | None = kit.teams()


S = State[Options, None]


def is_up(state: S) -> bool:
    return state.in_extra or (state.round % 2 == 1) == (state.options.first == "up")


def points(state: S, bed: Segment) -> int:
    if is_up(state):
        return bed.points
    return -bed.points if bed.number else -state.options.miss


def counted(begun: S, state: S) -> kit.Counted:
    """On the way down points are taken off, and a high turn is as good."""
    found = kit.points_counted(begun, state.changed(points=tuple(map(abs, state.points))))
    return replace(found, points=state.scored)


GAME: Final[Kit[Options, None]] = Kit(
    name="hi_lo",
    title="Hi-Lo",
    about=About(
        "P",
        Text(
            "Up in one round, down in the next.",
            "Eine Runde aufwärts, die nächste abwärts.",
            "On monte un tour, on descend le suivant.",
        ),
        aim=HAVE_MOST_POINTS,
        turn=Text(
            "In an up round each dart adds its points. In a down round it takes them off; a miss, or a dart you do not "
            "throw, takes off 50.",
            "In einer Aufwärtsrunde zählt jeder Dart seine Punkte. In einer Abwärtsrunde zieht er sie ab, ein Fehlwurf "
            "oder nicht geworfener Dart 50.",
            "Dans un tour montant, chaque fléchette ajoute ses points. Dans un tour descendant, elle les retire ; une "
            "ratée ou non lancée retire 50.",
        ),
        end=MOST_POINTS_AFTER_10,
    ),
    seats=range(1, 17),
    rules=Options,
    dart=lambda state, bed: state.brings(points(state, bed)),
    unthrown=lambda state: not is_up(state),
    points_to_begin=1000,
    targets=lambda state: ["T20"] if is_up(state) else ["S1"],
    show=lambda state, viewer: Show(turn={"direction": "up" if is_up(state) else "down"}),
    worth=points,
    matters=is_up,
    counted_of=counted,
)
