"""Low Ball: the fewest points win, and missing the board is dear."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.kit import About, Kit, Segment, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    rounds: int = kit.rounds(8)
    miss: int = kit.number(50, 0, 180, Text("Points for a miss", "Punkte für einen Fehlwurf", "Points d’un raté"))
    bull: str = kit.one_of(
        Text("The bull", "Das Bull", "Le bull"),
        {
            "minus": Text("takes its points off", "zieht seine Punkte ab", "retire ses points"),
            "plain": Text("adds its points", "zählt seine Punkte", "ajoute ses points"),
        },
    )
    tie: str = kit.tie()
    teams: int | None = kit.teams()


S = State[Options, None]


def points(state: S, bed: Segment) -> int:
    if not bed.number:
        return state.options.miss
    return -bed.points if bed.is_bull and state.options.bull == "minus" else bed.points


GAME: Final[Kit[Options, None]] = Kit(
    name="low_ball",
    title="Low Ball",
    about=About(
        "P",
        Text(
            "The fewest points win, but hit the board.",
            "Die wenigsten Punkte gewinnen, aber triff das Board.",
            "Le moins de points gagne, mais touchez la cible.",
        ),
        aim=Text(
            "Score fewer points than the others.",
            "Wirf weniger Punkte als die anderen.",
            "Marquez moins de points que les autres.",
        ),
        turn=Text(
            "Each dart adds its points, a miss 50, and so does a dart you do not throw. The bull takes 25 or 50 off.",
            "Jeder Dart zählt seine Punkte, ein Fehlwurf oder nicht geworfener Dart 50. Das Bull zieht 25 oder 50 ab.",
            "Chaque fléchette ajoute ses points, une ratée ou non lancée 50. Le bull en retire 25 ou 50.",
        ),
        end=Text(
            "After the last round, 8 as a rule, the fewest points win.",
            "Nach der letzten Runde, meist der achten, gewinnen die wenigsten Punkte.",
            "Après le dernier tour, en général le huitième, le moins de points gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    dart=lambda state, bed: state.brings(points(state, bed)),
    unthrown=lambda state: True,
    rank=kit.by_fewest,
    targets=lambda state: ["bull"] if state.options.bull == "minus" else ["S1"],
    worth=lambda state, bed: -points(state, bed),
    matters=lambda _state: (),
    statistics_of=kit.FEWEST_POINTS,
    counted_of=kit.points_counted,
)
