"""Slider: climb from 10 to 20; a turn without a hit slides you down one."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.kit import About, Goal, Kit, Refusal, Segment, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    start: int = kit.number(10, 1, 19, Text("Start at", "Beginn bei", "Départ à"))
    beds: str = kit.beds()
    last: str = kit.one_of(
        Text("After the 20", "Nach der 20", "Après le 20"),
        {"none": Text("nothing", "nichts", "rien"), "bull": Text("the bull", "Bull", "le bull")},
    )
    rounds: int = kit.most_rounds(30)
    finish: str = kit.finish()


S = State[Options, None]


def top(state: S) -> int:
    """The last step; the bull is 21."""
    return 20 if state.options.last == "none" else 21


def refuses_head_start(state: S) -> Refusal | None:
    if max(state.scores) <= top(state):
        return None
    most = top(state) - state.options.start
    return Refusal("bad_option", f"From the number {state.options.start} a head start is {most} at most.")


def goal(state: S) -> Goal:
    return state.score if state.score <= 20 else "bull"


def hit(state: S, bed: Segment) -> bool:
    return kit.hits(bed, goal(state), state.options.beds)


def dart(state: S, bed: Segment) -> S:
    after = state.brings(int(hit(state, bed)))
    return after.gets_there() if after.score > top(state) else after


GAME: Final[Kit[Options, None]] = Kit(
    name="slider",
    title="Slider",
    about=About(
        "A",
        Text(
            "Climb to the 20, and do not slide back.",
            "Klettere bis zur 20 und rutsch nicht zurück.",
            "Grimpez jusqu’au 20 sans glisser.",
        ),
        aim=Text(
            "Be the first to climb from 10 to 20 and hit it.",
            "Klettere vor den anderen von 10 bis 20 und triff sie.",
            "Grimpez le premier de 10 à 20 et touchez-le.",
        ),
        turn=Text(
            "A dart in your number moves you up one. A turn without a hit slides you down one.",
            "Ein Dart in deiner Zahl bringt dich eine höher. Eine Aufnahme ohne Treffer rutscht eine zurück.",
            "Une fléchette dans votre numéro vous monte d’un. Une volée sans toucher vous descend d’un.",
        ),
        end=Text(
            "The match ends when somebody hits the 20. At the limit of rounds the highest number wins.",
            "Das Spiel endet, wenn jemand die 20 trifft. An der Rundengrenze gewinnt die höchste Zahl.",
            "La partie finit quand quelqu’un touche le 20. À la limite de tours, le plus haut numéro gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    start=lambda state: state.with_scores(state.options.start),
    dart=dart,
    close=lambda state: state if state.scored else state.with_score(max(1, state.score - 1)),
    head_start=11,
    refuses_head_start=refuses_head_start,
    targets=lambda state: kit.lit(goal(state), state.options.beds),
    worth=hit,
    matters=lambda state: state.score,
    statistics_of=kit.HITS,
)
