"""Baseball: nine innings, each on its own number; runs are marks."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.seats import with_seat
from engine.kit import About, Goal, Kit, Segment, Show, State, Text

SEVENTH: Final = 7


@dataclass(frozen=True, slots=True)
class Options:
    innings: int = kit.number(9, 1, 9, Text("Innings", "Innings", "Manches"))
    extra: str = kit.one_of(
        Text("Extra innings", "Extra-Innings", "Manches en plus"),
        {
            "numbers": Text("on the next numbers", "auf die nächsten Zahlen", "sur les numéros suivants"),
            "bull": Text("on the bull", "auf das Bull", "sur le bull"),
            "none": Text("none: equals share", "keine: Gleiche teilen", "aucune : victoire partagée"),
        },
    )
    stretch: bool = kit.flag(
        False,
        Text("No run in the seventh halves", "Kein Run im siebten halbiert", "Rien à la septième divise par deux"),
    )
    teams: int | None = kit.teams()


@dataclass(frozen=True, slots=True)
class Own:
    innings: tuple[tuple[int, ...], ...] = ()
    """The runs of each side in each inning."""


S = State[Options, Own]


def goal(state: S) -> Goal:
    return "bull" if state.in_extra and state.options.extra == "bull" else state.round


def runs(state: S, bed: Segment) -> int:
    return bed.multiplier if kit.hits(bed, goal(state)) else 0


def close(state: S) -> S:
    if state.in_extra:
        return state
    innings = with_seat(state.own.innings, state.at, (*state.own.innings[state.at], state.scored))
    after = state.keep(Own(innings))
    stretched = state.options.stretch and state.round == SEVENTH and not state.scored
    return after.with_score(state.score // 2) if stretched else after


GAME: Final[Kit[Options, Own]] = Kit(
    name="baseball",
    title="Baseball",
    about=About(
        "A",
        Text(
            "Nine innings, one number each.",
            "Neun Innings, jedes auf seine Zahl.",
            "Neuf reprises, chacune sur son numéro.",
        ),
        aim=Text(
            "Score more runs than the others.",
            "Hol mehr Runs als die anderen.",
            "Marquez plus de points que les autres.",
        ),
        turn=Text(
            "In the first inning the 1 counts, in the second the 2, and so on. A single is one run, a double two, a "
            "triple three.",
            "Im ersten Inning zählt die 1, im zweiten die 2 und so weiter. Ein Single ist ein Run, ein Double "
            "zwei, ein Triple drei.",
            "À la première manche on vise le 1, à la deuxième le 2, et ainsi de suite. Un simple vaut un point, un "
            "double deux, un triple trois.",
        ),
        end=Text(
            "After nine innings the most runs win. Those who are equal play extra innings.",
            "Nach neun Innings gewinnen die meisten Runs. Bei Gleichstand gibt es Extra-Innings.",
            "Après neuf reprises, le plus de points gagne. À égalité, on joue des reprises en plus.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    start=lambda state: state.keep(Own(((),) * len(state.sides))),
    dart=lambda state, bed: state.brings(runs(state, bed)),
    close=close,
    rounds=lambda state: state.options.innings,
    plays_on=lambda state: state.options.extra != "none",
    points_to_begin=81,
    targets=lambda state: [goal(state)],
    show=lambda state, viewer: Show(
        turn={"inning": state.round}, players=[{"innings": list(innings)} for innings in state.own.innings]
    ),
    worth=runs,
    matters=goal,
    statistics_of=kit.POINTS_AND_HITS,
)
