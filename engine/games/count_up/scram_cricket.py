"""Scram Cricket: Scram on the Cricket numbers; three marks close one."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.count_up import _halves
from engine.games.count_up._halves import Own
from engine.kit import About, Kit, Segment, Show, State, Text

GOALS: tuple[kit.Target, ...] = (20, 19, 18, 17, 16, 15, "bull")


@dataclass(frozen=True, slots=True)
class Options:
    rounds: int = kit.number(20, 1, 100, Text("Rounds in each half", "Runden je Halbzeit", "Tours par mi-temps"))
    teams: int | None = kit.teams()


S = State[Options, Own]


def dart(state: S, bed: Segment) -> S:
    goal = _halves.goal_of(state, bed)
    if goal is None:
        return state
    return _halves.marked(state, goal, bed.multiplier) if _halves.stops(state) else state.brings(bed.points)


def worth(state: S, bed: Segment) -> float:
    if _halves.goal_of(state, bed) is None:
        return 0.0
    return bed.multiplier * bed.number if _halves.stops(state) else bed.points


def show(state: S, viewer: str | None) -> Show:
    own, shown = state.own, _halves.show(state, viewer)
    marks = {str(goal): count for goal, count in zip(own.goals, own.marks, strict=True)}
    stopper = [{"marks": marks} if side == _halves.order(state)[0] else {} for side in state.sides]
    return Show(shown.match, shown.turn, stopper)


GAME: Final[Kit[Options, Own]] = Kit(
    name="scram_cricket",
    title="Scram Cricket",
    about=About(
        "B",
        Text(
            "Scram on the Cricket numbers.",
            "Scram auf den Cricket-Zahlen.",
            "Scram sur les numéros de Cricket.",
        ),
        aim=_halves.AIM,
        turn=Text(
            "The stopper closes 20 to 15 and the bull with three marks each. The scorer adds the points of those that "
            "are open.",
            "Der Stopper schließt 20 bis 15 und Bull mit je drei Treffern. Der Scorer zählt die Punkte der offenen.",
            "Le fermeur ferme 20 à 15 et le bull, trois marques chacun. Le marqueur ajoute les points des numéros "
            "ouverts.",
        ),
        end=_halves.END,
    ),
    seats=range(2, 17),
    rules=Options,
    own=Own,
    sides=2,
    start=lambda state: state.keep(Own(GOALS, 3, (0,) * len(GOALS))),
    dart=dart,
    close=_halves.close,
    order=_halves.order,
    rounds=_halves.rounds,
    points_to_begin=1000,
    targets=_halves.targets,
    show=show,
    worth=worth,
    matters=_halves.matters,
    counted_of=kit.marks_counted,
)
