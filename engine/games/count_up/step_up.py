"""Step Up (Bâtard): the first dart sets the step; later darts below it are taken off."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.shared_texts import HAVE_MOST_POINTS, MOST_POINTS_AFTER_10
from engine.kit import About, Kit, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    rounds: int = kit.rounds(10)
    miss: int = kit.number(10, 0, 180, Text("A miss takes off", "Ein Fehlwurf zieht ab", "Un raté retire"))
    bull: str = kit.bull()
    tie: str = kit.tie()
    teams: int | None = kit.teams()


S = State[Options, None]


def step(state: S) -> int:
    """The points of the first dart; 0 if it missed."""
    return max(0, state.points[0])


def points(state: S, bed: Segment) -> int:
    if not bed.number:
        return -state.options.miss
    points = kit.points(bed, state.options.bull)
    return points if not state.darts or points >= step(state) else -points


def worth(state: S, bed: Segment) -> float:
    """The step is not worth more than what the next darts can repeat: about a single 20."""
    return points(state, bed) if state.darts else min(points(state, bed), 20)


GAME: Final[Kit[Options, None]] = Kit(
    name="step_up",
    title="Step Up",
    about=About(
        "P",
        Text(
            "Your first dart sets the step; never fall below it.",
            "Dein erster Dart setzt die Stufe; bleib nie darunter.",
            "La première fléchette fixe la marche ; ne tombez jamais dessous.",
        ),
        aim=HAVE_MOST_POINTS,
        turn=Text(
            "The first dart adds its points; they are the step. The others add theirs if these are at least the step, "
            "else they are taken off. A miss takes off 10.",
            "Der erste Dart zählt; seine Punkte sind die Stufe. Die anderen zählen, wenn sie diese erreichen, sonst "
            "werden sie abgezogen. Ein Fehlwurf zieht 10 ab.",
            "La première fléchette ajoute ses points : c’est la marche. Les autres ajoutent les leurs s’ils "
            "l’atteignent, sinon les retirent. Un raté retire 10.",
        ),
        end=MOST_POINTS_AFTER_10,
    ),
    seats=range(1, 17),
    rules=Options,
    dart=lambda state, bed: state.brings(points(state, bed)),
    targets=lambda state: ["T20"],
    show=lambda state, viewer: Show(turn={"step": step(state)} if state.darts else {}),
    worth=worth,
    matters=lambda state: step(state) if state.darts else -1,
    counted_of=kit.points_counted,
)
