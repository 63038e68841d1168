"""Risk It: bank after any dart, or risk the pot on a smaller target for more."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.shared_texts import MOST_POINTS_AFTER_8
from engine.kit import About, Kit, Next, Segment, Show, State, Text
from engine.segments import MISS, SEGMENTS


@dataclass(frozen=True, slots=True)
class Options:
    rounds: int = kit.rounds(8)
    tie: str = kit.tie()


S = State[Options, None]


def fits(state: S, bed: Segment) -> bool:
    match len(state.darts):
        case 0:
            return bed.number > 0
        case 1:
            return bed.number > 10
        case _:
            return bed.multiplier > 1 or bed.is_bull


def pot(state: S, bed: Segment) -> int:
    """The pot after a dart in this bed."""
    return state.scored + bed.points * (len(state.darts) + 1) if fits(state, bed) else 0


def dart(state: S, bed: Segment) -> S:
    after = state.counts(pot(state, bed) - state.scored)
    return after if fits(state, bed) else after.ends()


def decides(state: S, skill_mm: float) -> Next | None:
    """Banks where the next dart would on average leave less."""
    value = GAME.best_aim(state, skill_mm).value
    return Next() if state.darts and value < state.scored else None


def targets(state: S) -> list[kit.Target]:
    match len(state.darts):
        case 0:
            return ["T20"]
        case 1:
            return [*range(11, 21), "bull"]
        case _:
            return [*kit.DOUBLES[:-1], *kit.TRIPLES, "bull"]


def counted(begun: S, state: S) -> kit.Counted:
    """The points of the beds; a pot that is lost counts nothing."""
    points = (kit.points(SEGMENTS.get(dart, MISS), "split") if state.scored else 0 for dart in state.darts)
    return kit.Counted("points", tuple(points), state.scored)


GAME: Final[Kit[Options, None]] = Kit(
    name="risk_it",
    title="Risk It",
    about=About(
        "A",
        Text(
            "Bank the pot, or risk it for more.",
            "Sichere den Topf oder riskiere ihn für mehr.",
            "Encaissez le pot, ou risquez-le pour davantage.",
        ),
        aim=Text(
            "Bank more points than the others.",
            "Sichere mehr Punkte als die anderen.",
            "Encaissez plus de points que les autres.",
        ),
        turn=Text(
            "The first dart may hit any bed, the second 11 to 20 or the bull for double points, the third a double, a "
            "triple or the bull for triple points. A dart that fails empties the pot. Close the turn to bank it.",
            "Der erste Dart darf überall treffen, der zweite 11 bis 20 oder Bull für doppelte Punkte, der dritte ein "
            "Double, Triple oder Bull für dreifache. Ein verfehlter Dart leert den Topf. Weiter sichert ihn.",
            "La première fléchette touche n’importe où, la deuxième 11 à 20 ou le bull pour le double des points, la "
            "troisième un double, un triple ou le bull pour le triple. Un échec vide le pot. Terminez pour encaisser.",
        ),
        end=MOST_POINTS_AFTER_8,
    ),
    seats=range(1, 17),
    rules=Options,
    dart=dart,
    close=lambda state: state.gains(state.scored),
    points_to_begin=1000,
    targets=targets,
    show=lambda state, viewer: Show(turn={"pot": state.scored, "factor": min(3, len(state.darts) + 1)}),
    worth=pot,
    matters=lambda state: (len(state.darts), state.scored),
    decides=decides,
    counted_of=counted,
)
