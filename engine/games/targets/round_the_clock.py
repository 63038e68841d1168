"""Round the Clock: hit every number in order; the first to finish wins."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from engine import kit
from engine.games.seats import with_seat
from engine.kit import About, Goal, Kit, Refusal, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    order: str = kit.one_of(
        Text("Order", "Reihenfolge", "Ordre"),
        {
            "numeric": Text("1 to 20", "1 bis 20", "1 à 20"),
            "down": Text("20 to 1", "20 bis 1", "20 à 1"),
            "clockwise": Text("clockwise from 20", "im Uhrzeigersinn ab 20", "sens horaire dès 20"),
        },
    )
    beds: str = kit.beds()
    last: str = kit.one_of(
        Text("After the numbers", "Nach den Zahlen", "Après les numéros"),
        {
            "bull": Text("the bull", "Bull", "le bull"),
            "none": Text("nothing", "nichts", "rien"),
            "both": Text("outer, then inner bull", "Single Bull, dann Bullseye", "demi-bull, puis bull"),
        },
    )
    jump: bool = kit.flag(
        False, Text("Doubles and triples jump", "Doubles und Triples springen", "Doubles et triples sautent")
    )
    rounds: int = kit.most_rounds(50)
    finish: str = kit.finish()
    teams: int | None = kit.teams()


@dataclass(frozen=True, slots=True)
class Own:
    darts: tuple[int, ...] = ()
    """The darts that each side has thrown."""


S = State[Options, Own]


@cache
def course(options: Options) -> tuple[Goal, ...]:
    numbers = {"numeric": range(1, 21), "down": range(20, 0, -1), "clockwise": kit.in_ring_order(20)}[options.order]
    return (*numbers, *{"none": (), "bull": ("bull",), "both": ("SB", "DB")}[options.last])


def refuses(options: Options, _players: tuple[str, ...]) -> Refusal | None:
    if options.jump and options.beds != "any":
        return Refusal("bad_option", "With jump every bed must count; leave out beds.")
    return None


def gained(state: S, bed: Segment) -> int:
    """How many targets a bed moves the thrower on, never past the last one."""
    goals, done = course(state.options), state.score
    if done == len(goals) or not kit.hits(bed, goals[done], state.options.beds):
        return 0
    return max(1, min(bed.multiplier if state.options.jump else 1, len(goals) - 1 - done))


def dart(state: S, bed: Segment) -> S:
    darts = with_seat(state.own.darts, state.at, state.own.darts[state.at] + 1)
    after = state.keep(Own(darts)).brings(gained(state, bed))
    return after if after.score < len(course(state.options)) else after.gets_there()


def rank(state: S, side: int) -> tuple[int, int]:
    done = state.scores[side]
    return done, -state.own.darts[side] if done == len(course(state.options)) else 0


def show(state: S, viewer: str | None) -> Show:
    goals = course(state.options)
    upcoming = [{"next": goals[done]} if done < len(goals) else {} for done in state.scores]
    return Show(
        {"track": len(goals)},
        players=[{"darts": darts} | to for darts, to in zip(state.own.darts, upcoming, strict=True)],
    )


GAME: Final[Kit[Options, Own]] = Kit(
    name="round_the_clock",
    title="Round the Clock",
    about=About(
        "A",
        Text(
            "Every number in order, once round the board.",
            "Jede Zahl der Reihe nach, einmal rund ums Board.",
            "Chaque numéro dans l’ordre, un tour de cible.",
        ),
        aim=Text(
            "Be the first to hit 1 to 20 in order, and the bull last.",
            "Triff vor den anderen 1 bis 20 der Reihe nach und zuletzt das Bull.",
            "Touchez avant les autres 1 à 20 dans l’ordre, puis le bull.",
        ),
        turn=Text(
            "A dart in your target moves you on to the next; everything else does nothing.",
            "Ein Dart in deinem Ziel bringt dich zum nächsten; alles andere bewirkt nichts.",
            "Une fléchette dans votre cible vous mène à la suivante ; le reste ne fait rien.",
        ),
        end=Text(
            "The match ends when somebody has hit them all. At the limit of rounds the most targets win.",
            "Das Spiel endet, wenn jemand alle getroffen hat. An der Rundengrenze gewinnen die meisten Ziele.",
            "La partie finit quand quelqu’un les a toutes. À la limite de tours, le plus de cibles gagne.",
        ),
    ),
    seats=range(1, 17),
    head_start=19,
    rules=Options,
    own=Own,
    refuses=refuses,
    start=lambda state: state.keep(Own((0,) * len(state.sides))),
    dart=dart,
    rank=rank,
    targets=lambda state: kit.lit(course(state.options)[state.score], state.options.beds),
    show=show,
    worth=gained,
    matters=lambda state: state.score,
    statistics_of=kit.HITS,
    counted_of=kit.hits_counted,
)
