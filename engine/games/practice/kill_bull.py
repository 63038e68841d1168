"""Kill Bull: only bulls count, and a turn without one goes back to the start."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.practice import _records
from engine.kit import About, Kit, Segment, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    start: int = kit.number(200, 50, 1000, Text("Points at the start", "Punkte zu Beginn", "Points au départ"))
    rounds: int = kit.most_rounds(50)
    finish: str = kit.finish()


S = State[Options, None]


def dart(state: S, bed: Segment) -> S:
    if not bed.is_bull:
        return state
    after = state.counts(bed.points).gains(-bed.points)
    return after.gets_there() if after.score <= 0 else after


GAME: Final[Kit[Options, None]] = Kit(
    name="kill_bull",
    title="Kill Bull",
    about=About(
        "P",
        Text(
            "Down from 200 by bulls alone, without an empty turn.",
            "Von 200 herunter, nur mit Bulls, ohne leere Aufnahme.",
            "De 200 à zéro par les seuls bulls, sans volée vide.",
        ),
        aim=Text(
            "Bring 200 to 0 before the others, by bulls alone.",
            "Bring 200 vor den anderen auf 0, nur mit Bulls.",
            "Ramenez 200 à 0 avant les autres, par les seuls bulls.",
        ),
        turn=Text(
            "The outer bull takes 25 off, the inner bull 50. A turn without a bull brings you back to 200.",
            "Das Single Bull zieht 25 ab, das Bullseye 50. Eine Aufnahme ohne Bull bringt dich zurück auf 200.",
            "Le demi-bull retire 25, le bull 50. Une volée sans bull vous ramène à 200.",
        ),
        end=Text(
            "The match ends when somebody is at 0 or below. At the limit of rounds the lowest score wins.",
            "Das Spiel endet, wenn jemand bei 0 oder darunter ist. An der Rundengrenze gewinnt der niedrigste Stand.",
            "La partie finit quand quelqu’un est à 0 ou moins. À la limite de tours, le plus bas score gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    start=lambda state: state.with_scores(state.options.start),
    dart=dart,
    close=lambda state: state if state.scored else state.with_score(state.options.start),
    rank=kit.by_fewest,
    targets=lambda state: ["bull"],
    worth=lambda state, bed: bed.points if bed.is_bull else 0,
    matters=lambda _state: (),
    statistics_of=_records.hit_records(
        min, lambda state, side: state.round if state.scores[side] <= 0 else None, "rounds"
    ),
)
