"""Chase the Dragon: triples from 10 to 20, then the outer and the inner bull."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.seats import with_seat
from engine.kit import About, Kit, Segment, Show, State, Text
from engine.refusals import Refusal

BEDS: Final = (*(f"T{number}" for number in range(10, 21)), "SB", "DB")


@dataclass(frozen=True, slots=True)
class Options:
    heads: int = kit.number(1, 1, 3, Text("Heads", "Köpfe", "Têtes"))
    restart: bool = kit.flag(
        False,
        Text(
            "A turn without a hit restarts the head",
            "Ohne Treffer beginnt der Kopf neu",
            "Sans toucher, la tête recommence",
        ),
    )
    rounds: int = kit.most_rounds(100, 500)
    finish: str = kit.finish()


@dataclass(frozen=True, slots=True)
class Own:
    darts: tuple[int, ...] = ()
    """The darts that each side has thrown."""


S = State[Options, Own]


def refuses_head_start(state: S) -> Refusal | None:
    if state.options.restart:
        return Refusal("bad_option", "With restart a head start is lost; leave out restart or handicap.")
    return None


def total(state: S) -> int:
    return len(BEDS) * state.options.heads


def hit(state: S, bed: Segment) -> bool:
    return bed.text == BEDS[state.score % len(BEDS)]


def dart(state: S, bed: Segment) -> S:
    darts = with_seat(state.own.darts, state.at, state.own.darts[state.at] + 1)
    after = state.keep(Own(darts)).brings(int(hit(state, bed)))
    return after.gets_there() if after.score == total(state) else after


def close(state: S) -> S:
    slain = state.score % len(BEDS)
    return state if state.scored or not state.options.restart else state.with_score(state.score - slain)


def show(state: S, viewer: str | None) -> Show:
    upcoming = [{"next": BEDS[done % len(BEDS)]} if done < total(state) else {} for done in state.scores]
    return Show(
        {"track": total(state)},
        players=[{"darts": darts} | to for darts, to in zip(state.own.darts, upcoming, strict=True)],
    )


GAME: Final[Kit[Options, Own]] = Kit(
    name="chase_the_dragon",
    title="Chase the Dragon",
    about=About(
        "A",
        Text(
            "Eleven triples and two bulls slay the dragon.",
            "Elf Triples und zwei Bulls besiegen den Drachen.",
            "Onze triples et deux bulls terrassent le dragon.",
        ),
        aim=Text(
            "Be the first to hit triple 10 to triple 20, then the outer and the inner bull.",
            "Triff vor den anderen Triple 10 bis Triple 20, dann Single Bull und Bullseye.",
            "Touchez le premier les triples 10 à 20, puis le demi-bull et le bull.",
        ),
        turn=Text(
            "Only the very next bed moves you on.",
            "Nur das jeweils nächste Feld bringt dich weiter.",
            "Seule la zone suivante vous fait avancer.",
        ),
        end=Text(
            "The match ends when somebody is through. At the limit of rounds the most beds win.",
            "Das Spiel endet, wenn jemand durch ist. An der Rundengrenze gewinnen die meisten Felder.",
            "La partie finit quand quelqu’un a tout touché. À la limite de tours, le plus de zones gagne.",
        ),
    ),
    seats=range(1, 17),
    head_start=len(BEDS) - 1,
    refuses_head_start=refuses_head_start,
    rules=Options,
    own=Own,
    start=lambda state: state.keep(Own((0,) * len(state.sides))),
    dart=dart,
    close=close,
    rank=lambda state, side: (
        state.scores[side],
        -state.own.darts[side] if state.scores[side] == total(state) else 0,
    ),
    targets=lambda state: [BEDS[state.score % len(BEDS)]],
    show=show,
    worth=hit,
    matters=lambda state: state.score,
    statistics_of=kit.HITS,
    counted_of=kit.hits_counted,
)
