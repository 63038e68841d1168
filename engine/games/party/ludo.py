"""Ludo: run once round the ring and send home whom you land on."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from engine import kit
from engine.kit import About, Kit, Segment, Show, State, Text

HOME: Final = 20
"""The place that is home, off the ring. Place k of a side is the number k steps clockwise from its start."""


@dataclass(frozen=True, slots=True)
class Options:
    jump: bool = kit.flag(
        True, Text("Doubles and triples jump", "Double und Triple springen", "Double et triple sautent")
    )
    rounds: int = kit.most_rounds(40)


S = State[Options, None]


@cache
def rings(sides: int) -> tuple[tuple[int, ...], ...]:
    """The numbers of each side's places, from its start on."""
    starts = (20, 3) if sides <= 2 else (20, 6, 3, 11)
    return tuple(kit.in_ring_order(start) for start in starts)


def number(state: S, side: int, place: int) -> int:
    """The number of a place on the ring; 0 at home."""
    return rings(len(state.scores))[side][place] if place < HOME else 0


def steps(state: S, bed: Segment) -> int:
    """How many places a bed moves the thrower's token."""
    place = state.score
    if place == HOME or bed.number != number(state, state.at, (place + 1) % HOME):
        return 0
    return min(HOME - place, bed.multiplier if state.options.jump else 1)


def sent_home(state: S, moved: int) -> list[int]:
    """The sides whose tokens stand where the thrower arrives."""
    at = number(state, state.at, state.score + moved)
    return [side for side in state.others if at and number(state, side, state.scores[side]) == at]


def dart(state: S, bed: Segment) -> S:
    moved = steps(state, bed)
    if not moved:
        return state
    sent = sent_home(state, moved)
    after = state.brings(moved)
    for side in sent:
        after = after.with_score(0, side)
    return after if after.score < HOME else after.is_won()


def worth(state: S, bed: Segment) -> float:
    moved = steps(state, bed)
    return moved + sum(state.scores[side] for side in sent_home(state, moved)) if moved else 0.0


def show(state: S, viewer: str | None) -> Show:
    def about(side: int) -> dict[str, Any]:
        stands = number(state, side, state.scores[side])
        return {"number": stands} if stands else {}

    return Show({"track": HOME}, players=[about(side) for side in state.sides])


GAME: Final[Kit[Options, None]] = Kit(
    name="ludo",
    title="Ludo",
    about=About(
        "A",
        Text(
            "Run once round the board and send home whom you land on.",
            "Lauf einmal um das Board und wirf jeden raus, auf dem du landest.",
            "Faites le tour de la cible et renvoyez au départ ceux que vous rattrapez.",
        ),
        aim=Text(
            "Bring your token once round the ring of numbers before the others.",
            "Bring deine Figur vor den anderen einmal rund um den Zahlenring.",
            "Faites faire à votre pion le tour des numéros avant les autres.",
        ),
        turn=Text(
            "Hit the number clockwise after your token: a single moves it one place, a double two, a triple three. "
            "A token that stands where you arrive goes back to its start.",
            "Triff die Zahl, die im Uhrzeigersinn nach deiner Figur kommt: ein Single zieht ein Feld, ein Double zwei, "
            "ein Triple drei. Steht dort, wo du ankommst, eine andere Figur, muss sie zurück auf Start.",
            "Touchez le numéro qui suit votre pion dans le sens horaire : simple une case, double deux, triple trois. "
            "Un pion qui se trouve sur votre case d’arrivée retourne au départ.",
        ),
        end=Text(
            "The first one home, after 20 places, wins. At the limit the player who is farthest wins.",
            "Wer nach 20 Feldern als Erster im Ziel ist, gewinnt. An der Rundengrenze gewinnt, wer am weitesten ist.",
            "Le premier arrivé, après 20 cases, gagne. À la limite de tours, le plus avancé gagne.",
        ),
    ),
    seats=range(2, 5),
    rules=Options,
    dart=dart,
    head_start=HOME - 1,
    targets=lambda state: [number(state, state.at, (state.score + 1) % HOME)],
    show=show,
    worth=worth,
    matters=lambda state: (state.at, state.scores),
    statistics_of=kit.HITS,
)
