"""Cricket Count-Up: eight rounds at the Cricket numbers, one a round; marks count."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.kit import About, Kit, Segment, Show, State, Target, Text

NUMBERS: tuple[Target, ...] = (20, 19, 18, 17, 16, 15, "bull")


@dataclass(frozen=True, slots=True)
class Options:
    count: str = kit.one_of(
        Text("What counts", "Was zählt", "Ce qui compte"),
        {"marks": Text("marks", "Marks", "marques"), "points": Text("points", "Punkte", "points")},
    )
    final: bool = kit.flag(True, Text("A last round of all numbers", "Letzte Runde auf alle", "Dernier tour sur tout"))
    tie: str = kit.tie()
    teams: int | None = kit.teams()


S = State[Options, None]


def goals(state: S) -> tuple[Target, ...]:
    return NUMBERS[state.round - 1 : state.round] or NUMBERS


def points(state: S, bed: Segment) -> int:
    if not any(kit.hits(bed, goal) for goal in goals(state)):
        return 0
    return bed.multiplier if state.options.count == "marks" else bed.points


GAME: Final[Kit[Options, None]] = Kit(
    name="cricket_count_up",
    title="Cricket Count-Up",
    about=About(
        "A",
        Text(
            "One Cricket number a round: how many marks?",
            "Jede Runde eine Cricket-Zahl: wie viele Marks?",
            "Un numéro de Cricket par tour : combien de marques ?",
        ),
        aim=Text(
            "Score more marks than the others.",
            "Wirf mehr Marks als die anderen.",
            "Faites plus de marques que les autres.",
        ),
        turn=Text(
            "Only the number of the round counts: 20, 19, 18, 17, 16, 15, then the bull. Single 1, double 2, triple 3; "
            "outer bull 1, inner bull 2.",
            "Nur die Zahl der Runde zählt: 20, 19, 18, 17, 16, 15, dann das Bull. Single 1, Double 2, Triple 3; Single "
            "Bull 1, Bullseye 2.",
            "Seul le numéro du tour compte : 20, 19, 18, 17, 16, 15, puis le bull. Simple 1, double 2, triple 3 ; "
            "demi-bull 1, bull 2.",
        ),
        end=Text(
            "In the eighth and last round all seven count. The most marks win.",
            "In der achten und letzten Runde zählen alle sieben. Die meisten Marks gewinnen.",
            "Au huitième et dernier tour, les sept comptent. Le plus de marques gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    dart=lambda state, bed: state.brings(points(state, bed)),
    rounds=lambda state: len(NUMBERS) + state.options.final,
    points_to_begin=500,
    targets=goals,
    show=lambda state, viewer: Show(turn={"target": goals(state)[0]} if len(goals(state)) == 1 else {}),
    worth=points,
    matters=goals,
    counted_of=kit.marks_counted,
)
