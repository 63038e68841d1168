"""JDC Challenge: nineteen visits at six numbers, twenty-one doubles, and six numbers."""

from dataclasses import dataclass
from typing import Any, Final

from engine.games.practice import _doubles, _records
from engine.kit import About, Kit, Segment, Show, State, Target, Text
from engine.statistics import GameFigures, Statistics


@dataclass(frozen=True, slots=True)
class Options:
    pass


S = State[Options, None]
ROUNDS: Final = 19
NUMBERS: Final = dict(zip((*range(1, 7), *range(14, 20)), (*range(10, 16), *range(15, 21)), strict=True))
"""The number of each round that is not at doubles."""
DOUBLES: Final = _doubles.doubles(1, True, clockwise=False)
FIRST: Final = 7
"""The first round at doubles."""
ALL_THREE: Final = 100
"""What single, double and triple in one turn add."""
CLASSES: Final = ((150, "white"), (300, "purple"), (450, "yellow"), (600, "green"), (700, "blue"), (850, "red"))
"""The classes, each below its score; from the last on it is black."""


def goal(state: S) -> int | str:
    """The number of the round, or the double of the next dart."""
    number = NUMBERS.get(state.round)
    return number or DOUBLES[3 * (state.round - FIRST) + min(len(state.darts), 2)]


def class_of(score: int) -> str:
    return next((name for below, name in CLASSES if score < below), "black")


def dart(state: S, bed: Segment) -> S:
    aimed = goal(state)
    if isinstance(aimed, int):
        return state.brings(bed.points if bed.number == aimed else 0)
    return state.brings((100 if aimed == "DB" else 50) if bed.text == aimed else 0)


def marks(state: S) -> tuple[int, ...]:
    """The marks of the darts that hit the number of the round; none at doubles."""
    number = NUMBERS.get(state.round)
    return tuple(points // number for points in state.points if points) if number else ()


def close(state: S) -> S:
    return state.gains(ALL_THREE) if len(set(marks(state))) == 3 else state


def worth(state: S, bed: Segment) -> float:
    aimed = goal(state)
    if not isinstance(aimed, int):
        return bed.text == aimed
    if bed.number != aimed:
        return 0.0
    return bed.points + (ALL_THREE if len(set(marks(state))) == 2 and bed.multiplier not in marks(state) else 0)


def targets(state: S) -> list[Target]:
    return [goal(state)]


def show(state: S, viewer: str | None) -> Show:
    return Show(turn={"target": goal(state)}, players=[{"class": class_of(score)} for score in state.scores])


def statistics() -> Statistics[State[Any, Any]]:
    """The records, with the class of the best score."""
    records = _records.HITS

    def shown(figures: GameFigures) -> dict[str, Any]:
        found = dict(records.show(figures))
        return found | ({"class": class_of(found["best_score"])} if "best_score" in found else {})

    return Statistics(records.count, shown, records.best, records.zeros)


GAME: Final[Kit[Options, None]] = Kit(
    name="jdc_challenge",
    title="JDC Challenge",
    about=About(
        "A",
        Text(
            "Nineteen visits, and a class from white to black.",
            "Neunzehn Aufnahmen und eine Klasse von Weiß bis Schwarz.",
            "Dix-neuf volées et une classe, de blanc à noir.",
        ),
        aim=Text(
            "Score as many points as you can; they make your class.",
            "Wirf möglichst viele Punkte; sie ergeben deine Klasse.",
            "Marquez le plus de points possible ; ils font votre classe.",
        ),
        turn=Text(
            "Rounds 1 to 6: the numbers 10 to 15; 14 to 19: 15 to 20. Hits score their points, single, double and "
            "triple in one turn 100 more. Between: all doubles from D1, one dart each, 50 points, the inner bull 100.",
            "Runden 1 bis 6: die Zahlen 10 bis 15; 14 bis 19: 15 bis 20. Treffer zählen ihre Punkte, Single, "
            "Double und Triple in einer Aufnahme 100 extra. Dazwischen: alle Doubles ab D1, je ein Dart, 50 "
            "Punkte, Bullseye 100.",
            "Tours 1 à 6 : les numéros 10 à 15 ; 14 à 19 : 15 à 20. Chaque touche marque ses points ; simple, "
            "double et triple en une volée, 100 de plus. Entre-temps : les doubles dès D1, une fléchette chacun, "
            "50 points, bull 100.",
        ),
        end=Text(
            "After round 19 the most points win. From 150 purple, 300 yellow, 450 green, 600 blue, 700 red, 850 black.",
            "Nach Runde 19 gewinnen die meisten Punkte. Ab 150 Lila, 300 Gelb, 450 Grün, 600 Blau, 700 Rot, 850 "
            "Schwarz.",
            "Après le tour 19, le plus de points gagne. Dès 150 violet, 300 jaune, 450 vert, 600 bleu, 700 rouge, 850 "
            "noir.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    dart=dart,
    close=close,
    rounds=lambda state: ROUNDS,
    targets=targets,
    show=show,
    worth=worth,
    matters=lambda state: (goal(state), marks(state)),
    statistics_of=statistics(),
)
