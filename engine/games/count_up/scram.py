"""Scram (Scam): one player closes the board while the other scores on what is open; then they change places."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.count_up import _halves
from engine.games.count_up._halves import Own
from engine.kit import About, Kit, Segment, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    bull: bool = kit.flag(True, Text("The bull counts", "Das Bull zählt", "Le bull compte"))
    stop: str = kit.one_of(
        Text("A number is closed by", "Eine Zahl schließt", "Un numéro se ferme par"),
        {"any": Text("any bed", "jedes Feld", "toute zone"), "single": Text("a single", "ein Single", "un simple")},
    )
    rounds: int = kit.number(20, 1, 100, Text("Rounds in each half", "Runden je Halbzeit", "Tours par mi-temps"))
    teams: int | None = kit.teams()


S = State[Options, Own]


def start(state: S) -> S:
    goals = (*range(20, 0, -1), *(["bull"] if state.options.bull else []))
    return state.keep(Own(goals, 1, (0,) * len(goals)))


def closes(state: S, bed: Segment) -> bool:
    return state.options.stop == "any" or bed.multiplier == 1


def dart(state: S, bed: Segment) -> S:
    goal = _halves.goal_of(state, bed)
    if goal is None:
        return state
    if not _halves.stops(state):
        return state.brings(bed.points)
    return _halves.marked(state, goal, 1) if closes(state, bed) else state


def worth(state: S, bed: Segment) -> float:
    if _halves.goal_of(state, bed) is None or (_halves.stops(state) and not closes(state, bed)):
        return 0.0
    return bed.number if _halves.stops(state) else bed.points


GAME: Final[Kit[Options, Own]] = Kit(
    name="scram",
    title="Scram",
    about=About(
        "B",
        Text(
            "One closes the board, the other scores on what is open.",
            "Einer schließt das Board, der andere punktet auf offenen Zahlen.",
            "L’un ferme la cible, l’autre marque sur ce qui est ouvert.",
        ),
        aim=_halves.AIM,
        turn=Text(
            "The stopper closes a number with every dart in it. The scorer adds the points of numbers that are open.",
            "Der Stopper schließt mit jedem Dart dessen Zahl. Der Scorer zählt die Punkte offener Zahlen.",
            "Le fermeur ferme un numéro avec chaque fléchette. Le marqueur ajoute les points des numéros ouverts.",
        ),
        end=_halves.END,
    ),
    seats=range(2, 17),
    rules=Options,
    own=Own,
    sides=2,
    start=start,
    dart=dart,
    close=_halves.close,
    order=_halves.order,
    rounds=_halves.rounds,
    targets=_halves.targets,
    show=_halves.show,
    worth=worth,
    matters=_halves.matters,
    counted_of=kit.points_counted,
)
