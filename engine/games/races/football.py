"""Football: win the ball at the bull, then every double is a goal."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.kit import DOUBLES, About, Kit, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    goals: int = kit.number(10, 1, 20, Text("Goals", "Tore", "Buts"))
    kick: str = kit.one_of(
        Text("The ball is won by", "Den Ball gewinnt", "Le ballon se gagne par"),
        {
            "any": Text("either bull", "jedes Bull", "tout le bull"),
            "inner": Text("the inner bull", "das Bullseye", "le bull central"),
        },
    )
    rounds: int = kit.most_rounds(50)
    teams: int | None = kit.teams()


@dataclass(frozen=True, slots=True)
class Own:
    ball: int | None = None
    """Who has the ball."""


S = State[Options, Own]


def wins_ball(state: S, bed: Segment) -> bool:
    return bed.is_bull and (state.options.kick == "any" or bed.multiplier == 2)


def scores(bed: Segment) -> bool:
    return bed.multiplier == 2 and not bed.is_bull


def dart(state: S, bed: Segment) -> S:
    if state.own.ball != state.at:
        return state.keep(Own(state.at)) if wins_ball(state, bed) else state
    if not scores(bed):
        return state
    after = state.brings(1)
    return after if after.score < state.options.goals else after.gets_there()


def targets(state: S) -> list[kit.Target]:
    if state.own.ball == state.at:
        return [*DOUBLES[:-1]]
    return ["bull" if state.options.kick == "any" else "DB"]


def show(state: S, viewer: str | None) -> Show:
    return Show({} if state.own.ball is None else {"ball": state.names(state.own.ball)[0]})


GAME: Final[Kit[Options, Own]] = Kit(
    name="football",
    title="Football",
    about=About(
        "A",
        Text(
            "Win the ball at the bull, then every double is a goal.",
            "Hol dir am Bull den Ball, dann ist jedes Double ein Tor.",
            "Gagnez le ballon au bull ; chaque double est alors un but.",
        ),
        aim=Text(
            "Score ten goals before the others.",
            "Schieß vor den anderen zehn Tore.",
            "Marquez dix buts avant les autres.",
        ),
        turn=Text(
            "A bull gives you the ball, also from another. While you have it every double of a number is a goal.",
            "Ein Bull bringt dir den Ball, auch von einem anderen. Solange du ihn hast, ist jedes Double einer Zahl "
            "ein Tor.",
            "Un bull vous donne le ballon, même pris à un autre. Tant que vous l’avez, chaque double d’un numéro est "
            "un but.",
        ),
        end=Text(
            "The match ends when somebody has all goals. At the limit the most goals win.",
            "Das Spiel endet, sobald jemand alle Tore hat. An der Rundengrenze gewinnen die meisten Tore.",
            "La partie finit quand quelqu’un a tous ses buts. À la limite de tours, le plus de buts gagne.",
        ),
    ),
    seats=range(2, 9),
    rules=Options,
    own=Own,
    dart=dart,
    points_to_begin=19,
    refuses_head_start=kit.below(lambda state: state.options.goals),
    targets=targets,
    show=show,
    worth=lambda state, bed: scores(bed) if state.own.ball == state.at else wins_ball(state, bed),
    matters=lambda state: state.own.ball == state.at,
    statistics_of=kit.HITS,
)
