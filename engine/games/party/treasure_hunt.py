"""Treasure Hunt: gold, silver, coins and traps lie under the numbers."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine import kit
from engine.games.seats import with_seat
from engine.kit import About, Chooser, Kit, Segment, Show, State, Text

GOLD: Final = 3
SILVER: Final = 5
NUMBERS: Final = 20
VALUES: Final = {"gold": 50, "silver": 20, "coin": 5, "trap": -25}
DISARMS: Final = 0.3
"""The worth of the inner bull, where that of a closed number is 1."""


@dataclass(frozen=True, slots=True)
class Options:
    traps: int = kit.number(5, 0, 9, Text("Traps", "Fallen", "Pièges"))
    rounds: int = kit.most_rounds(8, 50)


@dataclass(frozen=True, slots=True)
class Own:
    lies: tuple[str, ...] = ()
    """What lies under each number, from 1; empty before it is hidden."""
    open: frozenset[int] = frozenset()


S = State[Options, Own]


def hidden(state: S, cards: tuple[int, ...]) -> S:
    traps = state.options.traps
    kinds = ("gold",) * GOLD + ("silver",) * SILVER + ("trap",) * traps + ("coin",) * (NUMBERS - GOLD - SILVER - traps)
    lies = dict(zip(cards, kinds, strict=True))
    return state.keep(Own(tuple(lies[number] for number in range(1, NUMBERS + 1))))


def closed(own: Own) -> list[int]:
    return [number for number in range(1, NUMBERS + 1) if number not in own.open]


def left(own: Own, kind: str) -> int:
    """How many of a kind are under closed numbers; everybody can count that."""
    return sum(own.lies[number - 1] == kind for number in closed(own))


def opened(state: S, number: int) -> S:
    return state.keep(Own(state.own.lies, state.own.open | {number}))


def dart(state: S, bed: Segment) -> S:
    own = state.own
    if bed.text == "DB":
        traps = [number for number in closed(own) if own.lies[number - 1] == "trap"]
        return opened(state, traps[0]) if traps else state
    if not bed.number or bed.is_bull or bed.number in own.open:
        return state
    lies = own.lies[bed.number - 1]
    after = opened(state.brings(VALUES[lies]), bed.number)
    if lies != "gold" or left(after.own, "gold"):
        return after
    return after.is_won(*(side for side in after.sides if after.scores[side] == max(after.scores)))


@lru_cache(64)
def mean(own: Own) -> float:
    """What a closed number is worth on average."""
    return sum(points * left(own, kind) for kind, points in VALUES.items()) / max(1, len(closed(own)))


def worth(state: S, bed: Segment) -> float:
    own, value = state.own, mean(state.own)
    if bed.text == "DB":
        return DISARMS * abs(value) if left(own, "trap") else 0.0
    return value if bed.number and not bed.is_bull and bed.number not in own.open else 0.0


def matters(state: S) -> Hashable:
    own = state.own
    return own.open, mean(own), left(own, "trap") > 0


def show(state: S, viewer: str | None) -> Show:
    own = state.own
    if not own.lies:
        return Show()
    shown = {str(n): own.lies[n - 1] for n in range(1, NUMBERS + 1) if state.finished or n in own.open}
    return Show({"open": shown, "gold_left": left(own, "gold")})


def disguise(state: S, viewer: str | None, choose: Chooser) -> S:
    """What lies under the closed numbers in another order."""
    own = state.own
    if not own.lies or state.finished:
        return state
    numbers, lies = closed(own), own.lies
    for number, other in zip(numbers, choose.sample(numbers, len(numbers)), strict=True):
        lies = with_seat(lies, number - 1, own.lies[other - 1])
    return state.keep(Own(lies, own.open))


GAME: Final[Kit[Options, Own]] = Kit(
    name="treasure_hunt",
    title="Treasure Hunt",
    about=About(
        "B",
        Text(
            "Gold, silver, coins and traps lie under the numbers.",
            "Unter den Zahlen liegen Gold, Silber, Münzen und Fallen.",
            "Or, argent, pièces et pièges se cachent sous les numéros.",
        ),
        aim=Text(
            "Find the most. Nobody knows what lies where.",
            "Finde am meisten. Niemand weiß, was wo liegt.",
            "Trouvez le plus possible. Personne ne sait ce qui est où.",
        ),
        turn=Text(
            "A dart in a closed number opens it: gold 50, silver 20, a coin 5, a trap costs 25. The inner bull opens "
            "the lowest trap without harm.",
            "Ein Dart in eine verdeckte Zahl öffnet sie: Gold 50, Silber 20, eine Münze 5, eine Falle kostet 25. Das "
            "Bullseye öffnet die niedrigste Falle ohne Schaden.",
            "Une fléchette dans un numéro fermé l’ouvre : or 50, argent 20, pièce 5, un piège coûte 25. Le bull "
            "central ouvre sans dommage le piège le plus bas.",
        ),
        end=Text(
            "The match ends when all three gold are found, or after the last round. The most points win.",
            "Das Spiel endet, wenn alle drei Gold gefunden sind, oder nach der letzten Runde. Die meisten Punkte "
            "gewinnen.",
            "La partie finit quand les trois ors sont trouvés, ou après le dernier tour. Le plus de points gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    chance=lambda state: None if state.own.lies else kit.NUMBER_DECK,
    drawn=hidden,
    dart=dart,
    points_to_begin=200,
    targets=lambda state: closed(state.own),
    show=show,
    disguise=disguise,
    worth=worth,
    matters=matters,
    statistics_of=kit.POINTS,
)
