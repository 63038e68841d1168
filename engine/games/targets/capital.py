"""Capital: fifteen contracts, half of everything for a failed one."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

from engine import kit
from engine.aiming import BEDS
from engine.kit import About, Kit, Next, Segment, Show, State, Target, Text
from engine.segments import BULL, CLOCKWISE, SEGMENTS

Contract = int | str
CONTRACTS: Final[tuple[Contract, ...]] = (
    "capital", 20, "fifty-seven", 19, "side", 18, "run", 17, "colours", 16, "triple", 15, "double", 14, "bull"
)  # fmt: skip
SET_OF_THREE: Final = ("side", "run", "colours")
FIFTY_SEVEN: Final = 57
BLACK: Final = frozenset((20, 18, 13, 10, 2, 3, 7, 8, 14, 12))
"""The numbers with black singles and red doubles and triples."""


@dataclass(frozen=True, slots=True)
class Options:
    round_up: bool = kit.flag(
        True, Text("Halves are rounded up", "Hälften werden aufgerundet", "Moitiés arrondies au-dessus")
    )
    tie: str = kit.tie()
    teams: int | None = kit.teams()


@dataclass(frozen=True, slots=True)
class Own:
    beds: tuple[str, ...] = ()
    """The beds of this turn."""


S = State[Options, Own]


def contract(state: S) -> Contract:
    return "capital" if state.in_extra else CONTRACTS[state.round - 1]


def colour(bed: Segment) -> str:
    if bed.is_bull:
        return "red" if bed.multiplier == 2 else "green"
    if bed.multiplier == 1:
        return "black" if bed.number in BLACK else "white"
    return "red" if bed.number in BLACK else "green"


def fit(kind: Contract, beds: Sequence[Segment]) -> bool:
    """Whether these beds can be part of a set of three."""
    if not all(bed.number for bed in beds):
        return False
    if kind == "colours":
        return len({colour(bed) for bed in beds}) == len(beds)
    numbers = [21 if bed.is_bull else bed.number for bed in beds]
    if kind == "run":
        return len(set(numbers)) == len(beds) and max(numbers) - min(numbers) < 3
    places = [CLOCKWISE.index(number) for number in numbers if number < 21]
    apart = [(one - other) % 20 for one in places for other in places if one != other]
    near = all(min(distance, 20 - distance) < 3 for distance in apart)
    return near and len(set(places)) == len(beds)


def worth_of(kind: Contract, beds: Sequence[Segment]) -> int | None:
    """What a contract brings; None if it is not met."""
    total = sum(bed.points for bed in beds)
    if kind == "capital":
        return total
    if kind == "fifty-seven":
        return total if total == FIFTY_SEVEN else None
    if kind in SET_OF_THREE:
        return total if len(beds) == 3 and fit(kind, beds) else None
    return sum(bed.points for bed in beds if kit.hits(bed, kind)) or None


@cache
def totals(darts: int) -> frozenset[int]:
    """The totals that this number of darts, or fewer, can bring."""
    points = sorted({bed.points for bed in BEDS})
    return frozenset(map(sum, combinations_with_replacement(points, darts)))


def leads(kind: Contract, beds: Sequence[Segment]) -> bool:
    """Whether the contract can still be met after these beds, the last of which is to help."""
    match kind:
        case "capital":
            return True
        case "fifty-seven":
            return FIFTY_SEVEN - sum(bed.points for bed in beds) in totals(3 - len(beds))
        case "side" | "run" | "colours":
            return fit(kind, beds)
        case _:
            return kit.hits(beds[-1], kind)


@cache
def helpful(kind: Contract, thrown: tuple[str, ...]) -> tuple[Target, ...]:
    """What to light: the beds that still lead to a contract, none if all do."""
    beds = [SEGMENTS[text] for text in thrown]
    good = {bed for bed in BEDS if bed.number and leads(kind, (*beds, bed))}
    if len(good) == len(BEDS) - 1:
        return ()
    lights: list[Target] = []
    for number in (*range(1, 21), BULL):
        mine = [bed for bed in BEDS if bed.number == number]
        whole = "bull" if number == BULL else number
        found = dict.fromkeys(kit.plain(bed).text for bed in mine if bed in good)
        lights += [whole] if good.issuperset(mine) else found
    return tuple(lights)


def beds_of(state: S) -> tuple[Segment, ...]:
    return tuple(SEGMENTS[text] for text in state.own.beds)


def dart(state: S, bed: Segment) -> S:
    known = SEGMENTS.get(bed.text, SEGMENTS["MISS"])
    return state.counts(bed.points).keep(Own((*state.own.beds, kit.plain(known).text)))


def close(state: S) -> S:
    found = worth_of(contract(state), beds_of(state))
    return state.with_score((state.score + state.options.round_up) // 2) if found is None else state.gains(found)


def worth(state: S, bed: Segment) -> float:
    kind, beds = contract(state), (*beds_of(state), bed)
    if kind == "fifty-seven":
        # A 19 of any kind leaves one that is as easy.
        good = worth_of(kind, beds) is not None or (leads(kind, beds) and bed.number == 19)
        return 1.0 if good else 0.1 * leads(kind, beds)
    if kind == "capital":
        return bed.points
    return 20 + bed.points if leads(kind, beds) else 0.0


def matters(state: S) -> Hashable:
    """The contract, and the beds if the next one must fit to them, in any order."""
    kind = contract(state)
    return kind, tuple(sorted(state.own.beds)) if kind in (*SET_OF_THREE, "fifty-seven") else ()


def decides(state: S, skill_mm: float) -> Next | None:
    done = contract(state) == "fifty-seven" and worth_of("fifty-seven", beds_of(state)) is not None
    return Next() if done else None


def show(state: S, viewer: str | None) -> Show:
    kind, found = contract(state), worth_of(contract(state), beds_of(state))
    met = {} if found is None else {"worth": found}
    return Show(turn={"contract": kind, "met": found is not None and (kind == "capital" or found > 0)} | met)


GAME: Final[Kit[Options, Own]] = Kit(
    name="capital",
    title="Capital",
    about=About(
        "B",
        Text(
            "Fifteen contracts; a failed one costs half.",
            "Fünfzehn Aufträge; ein verfehlter kostet die Hälfte.",
            "Quinze contrats ; un échec coûte la moitié.",
        ),
        aim=Text(
            "Have the most points after fifteen contracts.",
            "Hab nach fünfzehn Aufträgen die meisten Punkte.",
            "Ayez le plus de points après quinze contrats.",
        ),
        turn=Text(
            "Meet the contract of the round: a number, a triple, a double, the bull, exactly 57, three neighbours, "
            "three numbers in a row or three colours. It adds its points; else your score is halved.",
            "Erfülle den Auftrag der Runde: eine Zahl, ein Triple, ein Double, Bull, genau 57, drei Nachbarn, drei "
            "Zahlen in Folge oder drei Farben. Er bringt seine Punkte; sonst halbieren sich deine.",
            "Remplissez le contrat du tour : un numéro, un triple, un double, le bull, 57 pile, trois voisins, trois "
            "numéros de suite ou trois couleurs. Il ajoute ses points ; sinon le score est divisé par deux.",
        ),
        end=Text(
            "After the fifteenth contract the most points win.",
            "Nach dem fünfzehnten Auftrag gewinnen die meisten Punkte.",
            "Après le quinzième contrat, le plus de points gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    begin=lambda state: state.keep(Own()),
    dart=dart,
    close=close,
    rounds=lambda state: len(CONTRACTS),
    points_to_begin=2000,
    targets=lambda state: helpful(contract(state), state.own.beds),
    show=show,
    worth=worth,
    matters=matters,
    decides=decides,
)
