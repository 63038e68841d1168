"""Nine Lives: round the clock, and a turn without a hit costs a life."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.races import _course
from engine.games.races._course import Own
from engine.kit import About, Goal, Kit, Segment, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    lives: int = kit.lives(3, 9)
    last: str = kit.one_of(
        Text("After the 20", "Nach der 20", "Après le 20"),
        {"none": Text("nothing", "nichts", "rien"), "bull": Text("the bull", "das Bull", "le bull")},
    )
    rounds: int = kit.most_rounds(60)


S = State[Options, Own]


def course(state: S) -> tuple[Goal, ...]:
    return (*range(1, 21), *(["bull"] if state.options.last == "bull" else []))


def hits(state: S, bed: Segment) -> bool:
    return kit.hits(bed, course(state)[state.score])


def dart(state: S, bed: Segment) -> S:
    return _course.moved(state, len(course(state))) if hits(state, bed) else state


GAME: Final[Kit[Options, Own]] = Kit(
    name="nine_lives",
    title="Nine Lives",
    about=About(
        "A",
        Text(
            "Round the clock, and a turn without a hit costs a life.",
            "Rund um die Uhr; eine Aufnahme ohne Treffer kostet ein Leben.",
            "Le tour de l’horloge ; une volée sans touche coûte une vie.",
        ),
        aim=Text(
            "Hit 1 to 20 in order before the others, or be the last one with lives.",
            "Triff 1 bis 20 der Reihe nach vor den anderen, oder hab als Letzter noch Leben.",
            "Touchez 1 à 20 dans l’ordre avant les autres, ou soyez le dernier à avoir des vies.",
        ),
        turn=Text(
            "Any bed of your next number counts, and takes you on to the number after it. A turn without a hit costs a "
            "life.",
            "Jedes Feld deiner nächsten Zahl zählt und bringt dich eine weiter. Eine Aufnahme ohne Treffer kostet ein "
            "Leben.",
            "Toute zone de votre prochain numéro compte et vous fait avancer d’un numéro. Une volée sans touche coûte "
            "une vie.",
        ),
        end=_course.END,
    ),
    seats=range(2, 17),
    head_start=19,
    rules=Options,
    own=Own,
    start=_course.start,
    dart=dart,
    close=_course.close,
    rank=_course.rank,
    targets=lambda state: [course(state)[state.score]],
    show=lambda state, viewer: _course.shown(state, course(state)),
    worth=hits,
    matters=lambda state: state.score,
    statistics_of=kit.HITS,
)
