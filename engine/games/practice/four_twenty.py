"""420: take it down by one round of doubles, clockwise."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.practice import _doubles, _records
from engine.kit import About, Kit, Segment, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    bull: bool = _doubles.bull()


S = State[Options, None]
START: Final = 420


def goals(state: S) -> tuple[str, ...]:
    return _doubles.doubles(1, state.options.bull, clockwise=True)


def goal(state: S) -> str:
    return goals(state)[state.round - 1]


def dart(state: S, bed: Segment) -> S:
    return state.counts(bed.points).gains(-bed.points) if bed.text == goal(state) else state


GAME: Final[Kit[Options, None]] = Kit(
    name="four_twenty",
    title="420",
    about=About(
        "A",
        Text(
            "Bring 420 down by one round of doubles.",
            "Bring 420 mit einer Runde Doubles herunter.",
            "Faites descendre 420 en un tour de doubles.",
        ),
        aim=Text(
            "Get as low as you can; below 0 is even better.",
            "Komm so tief wie möglich; unter 0 ist noch besser.",
            "Descendez le plus bas possible ; sous 0, c’est encore mieux.",
        ),
        turn=Text(
            "Three darts at one double: D1 first, then clockwise round the board to D20, the inner bull last. Each hit "
            "takes its points off.",
            "Drei Darts auf ein Double: zuerst D1, dann im Uhrzeigersinn bis D20, zuletzt das Bullseye. Jeder Treffer "
            "zieht seine Punkte ab.",
            "Trois fléchettes sur un double : D1, puis dans le sens horaire jusqu’à D20, le bull en dernier. Chaque "
            "touche retire ses points.",
        ),
        end=Text(
            "After the last double the lowest score wins. One hit on each of the twenty is just 0.",
            "Nach dem letzten Double gewinnt der niedrigste Stand. Ein Treffer auf jedem der zwanzig ist genau 0.",
            "Après le dernier double, le plus bas score gagne. Une touche sur chacun des vingt fait juste 0.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    start=lambda state: state.with_scores(START),
    dart=dart,
    rounds=lambda state: len(goals(state)),
    rank=kit.by_fewest,
    targets=lambda state: [goal(state)],
    show=lambda state, viewer: _doubles.shown(goal(state)),
    worth=lambda state, bed: bed.text == goal(state),
    matters=goal,
    statistics_of=_records.hit_records(min),
)
