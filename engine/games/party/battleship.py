"""Battleship: find the other fleet hidden round the ring."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from engine import kit
from engine.games.seats import with_seat
from engine.kit import About, Chooser, Kit, Segment, Show, State, Text
from engine.segments import BULL, CLOCKWISE

PLACES: Final = len(CLOCKWISE)
PLACE: Final = {number: at for at, number in enumerate(CLOCKWISE)}
FLEETS: Final = {"small": (3, 2, 1), "full": (4, 3, 2, 1)}
ON_A_HIT: Final = 10
"""How much more a place is worth for each hit of the ship that could lie there."""

Ship = tuple[int, ...]
"""The numbers of a ship, clockwise."""


@dataclass(frozen=True, slots=True)
class Options:
    fleet: str = kit.one_of(
        Text("Ships", "Schiffe", "Navires"),
        {"small": Text("3, 2 and 1", "3, 2 und 1", "3, 2 et 1"), "full": Text("4 to 1", "4 bis 1", "4 à 1")},
    )
    sweep: bool = kit.flag(
        False, Text("Doubles and triples open more", "Double und Triple öffnen mehr", "Double et triple ouvrent plus")
    )
    rounds: int = kit.most_rounds(30, 100)


@dataclass(frozen=True, slots=True)
class Own:
    fleets: tuple[tuple[Ship, ...], ...] = ()
    """The ships of each side that is dealt its fleet, the longest first."""
    open: tuple[frozenset[int], ...] = (frozenset(), frozenset())
    """The places of each side's sea that the other has opened."""


S = State[Options, Own]


def placed(number: int, length: int) -> Ship:
    """The places of a ship that begins on a number."""
    return tuple(CLOCKWISE[(PLACE[number] + step) % PLACES] for step in range(length))


def dealt(state: S, cards: tuple[int, ...]) -> S:
    """The fleet of the next side. A card on which the ship has no room is dropped."""
    ships, taken, drawn = list[Ship](), set[int](), iter(cards)
    for length in FLEETS[state.options.fleet]:
        ship = next(ship for card in drawn if taken.isdisjoint(ship := placed(card, length)))
        ships.append(ship)
        taken.update(ship)
    return state.keep(replace(state.own, fleets=(*state.own.fleets, tuple(ships))))


def shots(state: S, bed: Segment) -> frozenset[int]:
    """The places that a bed opens and that are closed."""
    if not 0 < bed.number < BULL:
        return frozenset()
    at, more = PLACE[bed.number], bed.multiplier - 1 if state.options.sweep else 0
    steps = (0, 1, -1)[: 1 + more]
    return frozenset(CLOCKWISE[(at + step) % PLACES] for step in steps) - state.own.open[1 - state.at]


def dart(state: S, bed: Segment) -> S:
    opened, other, own = shots(state, bed), 1 - state.at, state.own
    if not opened:
        return state
    ships = frozenset(chain.from_iterable(own.fleets[other]))
    after = state.keep(replace(own, open=with_seat(own.open, other, own.open[other] | opened)))
    after = after.brings(len(opened & ships))
    return after.gets_there() if opened & ships and ships <= after.own.open[other] else after


def sunk(own: Own, side: int) -> tuple[Ship, ...]:
    return tuple(ship for ship in own.fleets[side] if own.open[side].issuperset(ship))


def afloat(own: Own, side: int) -> list[int]:
    """The lengths of the ships that are not sunk."""
    return [len(ship) for ship in own.fleets[side] if not own.open[side].issuperset(ship)]


def sea(own: Own, side: int) -> dict[str, str]:
    """What the open places of a side's sea show."""
    gone = frozenset(chain.from_iterable(sunk(own, side)))
    ships = frozenset(chain.from_iterable(own.fleets[side]))
    return {
        str(number): "sunk" if number in gone else "hit" if number in ships else "water"
        for number in sorted(own.open[side])
    }


def possible(own: Own, side: int, length: int) -> Iterator[Ship]:
    """Where a ship that is afloat can lie, from what is open: never on water, and not all of it open."""
    shown = sea(own, side)
    for number in CLOCKWISE:
        ship = placed(number, length)
        seen = [shown[str(each)] for each in ship if str(each) in shown]
        if len(seen) < length and all(each == "hit" for each in seen):
            yield ship


@lru_cache(64)
def worths(own: Own, side: int) -> dict[int, float]:
    """What each place of a side's sea is worth: how many ships can lie there, those on a hit first."""
    found = dict.fromkeys(CLOCKWISE, 0.0)
    for length in afloat(own, side):
        for ship in possible(own, side, length):
            hits = len(own.open[side].intersection(ship))
            for number in ship:
                found[number] += 1 + ON_A_HIT * hits
    return found


def worth(state: S, bed: Segment) -> float:
    values = worths(state.own, 1 - state.at)
    return sum(values[number] for number in shots(state, bed))


def matters(state: S) -> Hashable:
    other = 1 - state.at
    return state.own.open[other], tuple(worths(state.own, other).values())


def show(state: S, viewer: str | None) -> Show:
    own = state.own

    def about(side: int) -> dict[str, Any]:
        """What a player has found of the other fleet, and at the end their own."""
        other = 1 - side
        if len(own.fleets) < len(state.sides):
            return {}
        fleet = {"fleet": list(chain.from_iterable(own.fleets[side]))} if state.finished else {}
        return {"sea": sea(own, other), "afloat": afloat(own, other), **fleet}

    return Show(players=[about(side) for side in state.sides])


def disguise(state: S, viewer: str | None, choose: Chooser) -> S:
    """Other fleets that show the same where they are open."""
    if state.finished:
        return state
    fleets = tuple(another(state.own, side, choose) for side in range(len(state.own.fleets)))
    return state.keep(replace(state.own, fleets=fleets))


def another(own: Own, side: int, choose: Chooser) -> tuple[Ship, ...]:
    gone = sunk(own, side)
    hits = frozenset(chain.from_iterable(own.fleets[side])) & own.open[side]

    def laid(lengths: tuple[int, ...], ships: tuple[Ship, ...]) -> tuple[Ship, ...] | None:
        taken = frozenset(chain.from_iterable((*gone, *ships)))
        if not lengths:
            return ships if hits <= taken else None
        places = [ship for ship in possible(own, side, lengths[0]) if taken.isdisjoint(ship)]
        tries = (laid(lengths[1:], (*ships, ship)) for ship in choose.sample(places, len(places)))
        return next((found for found in tries if found is not None), None)

    ships = laid(tuple(afloat(own, side)), ())
    assert ships is not None, "the fleet itself lies so"
    return tuple(sorted((*gone, *ships), key=len, reverse=True))


GAME: Final[Kit[Options, Own]] = Kit(
    name="battleship",
    title="Battleship",
    about=About(
        "B",
        Text(
            "Find the other fleet, hidden round the ring of numbers.",
            "Finde die andere Flotte, versteckt rund um den Zahlenring.",
            "Trouvez la flotte adverse, cachée autour de l’anneau des numéros.",
        ),
        aim=Text(
            "Sink the other fleet: ships of three, two and one number, side by side on the board.",
            "Versenk die andere Flotte: Schiffe aus drei, zwei und einer Zahl, nebeneinander auf dem Board.",
            "Coulez la flotte adverse : des navires de trois, deux et un numéros, côte à côte sur la cible.",
        ),
        turn=Text(
            "A dart in any bed of a number shoots at that place of the other sea: hit or water. A ship is sunk "
            "when all its places are open. The fleets are placed by cards, and nobody sees one.",
            "Ein Dart in ein Feld einer Zahl schießt auf diesen Platz des anderen Meeres: Treffer oder Wasser. Ein "
            "Schiff ist versenkt, wenn alle seine Plätze offen sind. Karten legen die Flotten, niemand sieht eine.",
            "Une fléchette dans un numéro tire sur cette case de la mer adverse : touché ou à l’eau. Un navire est "
            "coulé quand toutes ses cases sont ouvertes. Les cartes placent les flottes, personne n’en voit une.",
        ),
        end=Text(
            "Whoever sinks the whole fleet first wins; the second player still has that turn, and both can win. At "
            "the limit the most hits win.",
            "Wer zuerst die ganze Flotte versenkt, gewinnt; der zweite Spieler wirft in dieser Runde noch, und beide "
            "können gewinnen. An der Rundengrenze gewinnen die meisten Treffer.",
            "Qui coule toute la flotte en premier gagne ; le second joueur finit le tour, et les deux peuvent gagner. "
            "À la limite de tours, le plus de coups au but gagne.",
        ),
    ),
    seats=range(2, 17),
    sides=2,
    rules=Options,
    own=Own,
    chance=lambda state: None if len(state.own.fleets) == len(state.sides) else kit.NUMBER_DECK,
    drawn=dealt,
    dart=dart,
    finish="round",
    targets=lambda state: [number for number in sorted(CLOCKWISE) if number not in state.own.open[1 - state.at]],
    show=show,
    disguise=disguise,
    worth=worth,
    matters=matters,
    statistics_of=kit.HITS,
)
