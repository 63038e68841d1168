"""Priestley's Trebles: three darts at each triple from 10 to 20."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.practice import _records
from engine.kit import About, Kit, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    only: str = kit.one_of(
        Text("What counts", "Was zählt", "Ce qui compte"),
        {
            "any": Text("the whole number", "die ganze Zahl", "tout le numéro"),
            "triple": Text("triples alone", "nur Triples", "les triples seuls"),
        },
    )
    goal: int = kit.number(1000, 0, 1485, Text("Points to reach", "Ziel in Punkten", "Points à atteindre"))


S = State[Options, None]
FIRST: Final = 10
ROUNDS: Final = 11


def number(state: S) -> int:
    return FIRST + state.round - 1


def value(state: S, bed: Segment) -> int:
    return bed.points if kit.hits(bed, number(state), state.options.only) else 0


def show(state: S, viewer: str | None) -> Show:
    completed = [{"completed": score >= state.options.goal} if state.finished else {} for score in state.scores]
    return Show({"need": state.options.goal}, {"target": f"T{number(state)}"}, completed)


GAME: Final[Kit[Options, None]] = Kit(
    name="priestley_trebles",
    title="Priestley’s Trebles",
    about=About(
        "A",
        Text(
            "Every triple from 10 to 20, as many points as you can.",
            "Jedes Triple von 10 bis 20, so viele Punkte wie möglich.",
            "Chaque triple de 10 à 20, le plus de points possible.",
        ),
        aim=Text(
            "Score 1000 points, or more than the others.",
            "Wirf 1000 Punkte, oder mehr als die anderen.",
            "Marquez 1000 points, ou plus que les autres.",
        ),
        turn=Text(
            "Three darts at the number of the round, 10 in the first and 20 in the last. Every dart in it scores its "
            "points, so go for the triple.",
            "Drei Darts auf die Zahl der Runde, in der ersten die 10, in der letzten die 20. Jeder Dart darin zählt "
            "seine Punkte, also ziel aufs Triple.",
            "Trois fléchettes sur le numéro du tour, 10 au premier et 20 au dernier. Chaque fléchette y marque ses "
            "points : visez donc le triple.",
        ),
        end=Text(
            "After the 20 the most points win.",
            "Nach der 20 gewinnen die meisten Punkte.",
            "Après le 20, le plus de points gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    dart=lambda state, bed: state.brings(value(state, bed)),
    rounds=lambda state: ROUNDS,
    targets=lambda state: [f"T{number(state)}"],
    show=show,
    worth=value,
    matters=number,
    statistics_of=_records.HITS,
)
