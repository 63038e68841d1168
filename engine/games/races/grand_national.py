"""Grand National: anticlockwise over every fence; a turn without a jump is a fall, and costs a life."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.races import _course
from engine.games.races._course import Own
from engine.kit import About, Kit, Segment, State, Target, Text

LAP: Final = kit.in_ring_order(20, clockwise=False)


@dataclass(frozen=True, slots=True)
class Options:
    lives: int = kit.lives(3, 9)
    laps: int = kit.number(1, 1, 2, Text("Laps", "Runden um das Board", "Tours de piste"))
    strict: bool = kit.flag(
        False,
        Text(
            "After a lap only doubles and triples",
            "Nach einem Umlauf nur Doubles und Triples",
            "Puis doubles et triples",
        ),
    )
    rounds: int = kit.most_rounds(60)


S = State[Options, Own]


def course(state: S) -> tuple[int, ...]:
    return (*LAP * state.options.laps, LAP[0])


def narrow(state: S) -> bool:
    """Whether only doubles and triples count for the next fence."""
    return state.options.strict and state.score >= len(LAP)


def jumps(state: S, bed: Segment) -> bool:
    return bed.number == course(state)[state.score] and (bed.multiplier > 1 or not narrow(state))


def dart(state: S, bed: Segment) -> S:
    return _course.moved(state, len(course(state))) if jumps(state, bed) else state


def targets(state: S) -> list[Target]:
    fence = course(state)[state.score]
    return [f"D{fence}", f"T{fence}"] if narrow(state) else [fence]


GAME: Final[Kit[Options, Own]] = Kit(
    name="grand_national",
    title="Grand National",
    about=About(
        "A",
        Text(
            "Anticlockwise over every fence, without a fall.",
            "Gegen den Uhrzeigersinn über jede Hürde, ohne Sturz.",
            "En sens inverse par-dessus chaque haie, sans chute.",
        ),
        aim=Text(
            "Be the first over the last fence, the second time at the 20, or the last one with lives.",
            "Sei vor den anderen über der letzten Hürde, wieder der 20, oder hab als Letzter noch Leben.",
            "Passez la dernière haie, à nouveau le 20, avant les autres, ou soyez le dernier à avoir des vies.",
        ),
        turn=Text(
            "The fences are the numbers anticlockwise from the 20. Any bed of the next one takes you over it. A turn "
            "without a jump is a fall, and costs a life.",
            "Die Hürden sind die Zahlen gegen den Uhrzeigersinn ab der 20. Jedes Feld der nächsten trägt dich darüber. "
            "Eine Aufnahme ohne Sprung ist ein Sturz und kostet ein Leben.",
            "Les haies sont les numéros en sens inverse depuis le 20. Toute zone du prochain la franchit. Une volée "
            "sans saut est une chute et coûte une vie.",
        ),
        end=_course.END,
    ),
    seats=range(1, 17),
    head_start=len(LAP),
    rules=Options,
    own=Own,
    start=_course.start,
    dart=dart,
    close=_course.close,
    rank=_course.rank,
    targets=targets,
    show=lambda state, viewer: _course.shown(state, course(state)),
    worth=jumps,
    matters=lambda state: state.score,
    statistics_of=kit.HITS,
)
