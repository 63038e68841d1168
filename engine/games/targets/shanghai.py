"""Shanghai: one number a round; its single, double and triple in one turn win at once."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.kit import About, AnyRoll, Kit, Segment, Show, State, Target, Text


@dataclass(frozen=True, slots=True)
class Options:
    rounds: int = kit.rounds(7, 1, 20)
    first: int = kit.number(1, 1, 20, Text("First number", "Erste Zahl", "Premier numéro"))
    rolled: bool = kit.flag(False, Text("A die names the number", "Ein Würfel nennt die Zahl", "Un dé donne le numéro"))
    strict: bool = kit.flag(
        False, Text("Shanghai in order only", "Shanghai nur der Reihe nach", "Shanghai dans l’ordre seulement")
    )
    tie: str = kit.tie()
    teams: int | None = kit.teams()


@dataclass(frozen=True, slots=True)
class Own:
    rolled: int = 0
    """The number that the die named."""
    round: int = 0
    """The round for which it did."""


S = State[Options, Own]
DIE: Final = AnyRoll(1, 20)
SHANGHAI: Final = (1, 2, 3)
WINS: Final = 100
"""The worth in points of winning at once."""


def goal(state: S) -> int:
    return state.own.rolled if state.options.rolled else (state.options.first + state.round - 2) % 20 + 1


def hit(state: S) -> tuple[int, ...]:
    """The marks of each dart of the turn."""
    return tuple(points // goal(state) for points in state.points)


def is_shanghai(state: S) -> bool:
    return (hit(state) if state.options.strict else tuple(sorted(hit(state)))) == SHANGHAI


def missing(state: S) -> int:
    """The multiplier that makes a Shanghai with the last dart; 0 if none does."""
    done = hit(state)
    if len(done) != 2 or len({0, *done}) != 3 or (state.options.strict and done != SHANGHAI[:2]):
        return 0
    return sum(SHANGHAI) - sum(done)


def dart(state: S, bed: Segment) -> S:
    after = state.brings(bed.points if bed.number == goal(state) else 0)
    return after.is_won() if is_shanghai(after) else after


def worth(state: S, bed: Segment) -> float:
    if bed.number != goal(state):
        return 0.0
    return bed.points + (WINS if bed.multiplier == missing(state) else 0)


def targets(state: S) -> list[Target]:
    return [f"{' SDT'[missing(state)]}{goal(state)}"] if missing(state) else [goal(state)]


def show(state: S, viewer: str | None) -> Show:
    rolled = not state.options.rolled or state.own.round == state.round
    turn = {"goal": goal(state)} if rolled else {}
    return Show(turn=turn | ({"shanghai": True} if rolled and is_shanghai(state) else {}))


GAME: Final[Kit[Options, Own]] = Kit(
    name="shanghai",
    title="Shanghai",
    about=About(
        "A",
        Text(
            "One number a round, and a hit that wins at once.",
            "Jede Runde eine Zahl, und ein Wurf, der sofort gewinnt.",
            "Un numéro par tour, et un coup qui gagne d’emblée.",
        ),
        aim=Text(
            "Score the most points, or hit a Shanghai.",
            "Wirf die meisten Punkte oder ein Shanghai.",
            "Marquez le plus de points, ou réussissez un Shanghai.",
        ),
        turn=Text(
            "Only the number of the round counts: 1 in the first, 2 in the second. Its single, double and triple "
            "in one turn are a Shanghai.",
            "Nur die Zahl der Runde zählt: in der ersten die 1, in der zweiten die 2. Ihr Single, Double und Triple in "
            "einer Aufnahme sind ein Shanghai.",
            "Seul le numéro du tour compte : 1 au premier, 2 au deuxième. Son simple, son double et son triple en une "
            "volée font un Shanghai.",
        ),
        end=Text(
            "A Shanghai wins at once. Else the most points after the last round, 7 as a rule.",
            "Ein Shanghai gewinnt sofort. Sonst gewinnen die meisten Punkte nach der letzten Runde, meist der siebten.",
            "Un Shanghai gagne aussitôt. Sinon, le plus de points après le dernier tour, en général le septième.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    dart=dart,
    chance=lambda state: DIE if state.options.rolled and state.own.round != state.round else None,
    drawn=lambda state, dice: state.keep(Own(dice[0], state.round)),
    points_to_begin=500,
    targets=targets,
    show=show,
    worth=worth,
    matters=lambda state: (goal(state), missing(state)),
    statistics_of=kit.POINTS_AND_HITS,
)
