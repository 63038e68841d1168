"""Mickey Mouse: three of each of 20 to 12, three doubles, three triples, three bulls."""

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from engine import kit
from engine.games.seats import with_seat
from engine.kit import About, Asked, Choose, Kit, Segment, Show, State, Target, Text
from engine.segments import SEGMENTS

CLOSED: Final = 3
CLAIMS: Final = ("number", "ring")
BULL_POINTS: Final = 25


@dataclass(frozen=True, slots=True)
class Options:
    numbers: tuple[Target, ...] = kit.targets((*range(20, 11, -1), "bull"), Text("Numbers", "Zahlen", "Numéros"))
    doubles: bool = kit.flag(True, Text("Three doubles", "Drei Doubles", "Trois doubles"))
    triples: bool = kit.flag(True, Text("Three triples", "Drei Triples", "Trois triples"))
    points: bool = kit.flag(False, Text("Further hits score", "Weitere Marks punkten", "Les touches en plus marquent"))
    claim: str = kit.one_of(
        Text("Doubles and triples count", "Doubles und Triples zählen", "Doubles et triples comptent"),
        {
            "auto": Text("where they bring most", "wo sie am meisten bringen", "où ils rapportent le plus"),
            "ask": Text("where the player says", "wo der Spieler sagt", "où le joueur le dit"),
        },
    )
    rounds: int = kit.most_rounds(40)
    teams: int | None = kit.teams()


@dataclass(frozen=True, slots=True)
class Own:
    marks: tuple[tuple[int, ...], ...] = ()
    """The marks of each side in each category, at most 3."""
    pending: str = ""
    """The bed of a dart whose use is asked for."""


@dataclass(frozen=True, slots=True)
class Use:
    """A dart used in a category: the missing marks and the points that it brings there."""

    claim: str
    category: int
    closing: int
    points: int


S = State[Options, Own]


@cache
def categories(options: Options) -> tuple[Target, ...]:
    return (*options.numbers, *(["double"] if options.doubles else []), *(["triple"] if options.triples else []))


@lru_cache(1024)
def categories_of(options: Options, bed: Segment) -> tuple[tuple[int, bool], ...]:
    """The places of the categories that a bed is in, and whether each is a ring."""
    found = ((at, each, each in ("double", "triple")) for at, each in enumerate(categories(options)))
    return tuple((at, ring) for at, each, ring in found if kit.hits(bed, each) and not (ring and bed.is_bull))


def uses(state: S, bed: Segment) -> list[Use]:
    """In what ways a dart counts, the best first."""
    found = []
    for at, ring in categories_of(state.options, bed):
        marks = 1 if ring else bed.multiplier
        closing = min(CLOSED - state.own.marks[state.at][at], marks)
        scores = state.options.points and any(
            state.own.marks[side][at] < CLOSED for side in state.sides if side != state.at
        )
        value = bed.points if ring else BULL_POINTS if bed.is_bull else bed.number
        found.append(Use(CLAIMS[ring], at, closing, (marks - closing) * value * scores))
    good = [use for use in found if use.closing or use.points]
    return sorted(good, key=lambda use: (-use.closing, -use.points, use.claim))


def used(state: S, use: Use) -> S:
    mine = state.own.marks[state.at]
    marks = with_seat(state.own.marks, state.at, with_seat(mine, use.category, mine[use.category] + use.closing))
    after = state.keep(Own(marks)).brings(use.points if state.options.points else use.closing)
    all_closed = min(marks[state.at]) == CLOSED
    ahead = not state.options.points or after.score == max(after.scores)
    return after.is_won() if all_closed and ahead else after


def dart(state: S, bed: Segment) -> S:
    ways = uses(state, bed)
    if len(ways) > 1 and state.options.claim == "ask":
        return state.keep(replace(state.own, pending=bed.text))
    return used(state, ways[0]) if ways else state


def asks(state: S) -> Asked | None:
    return Asked(state.at, "claim", CLAIMS) if state.own.pending else None


def chosen(state: S, claim: int | str) -> S:
    ways = uses(state, SEGMENTS[state.own.pending])
    return used(state, next(use for use in ways if use.claim == claim))


def decides(state: S, skill_mm: float) -> Choose | None:
    return Choose("claim", uses(state, SEGMENTS[state.own.pending])[0].claim) if state.own.pending else None


def worth(state: S, bed: Segment) -> float:
    ways = uses(state, bed)
    return 3 * ways[0].closing + ways[0].points / 10 if ways else 0.0


def rank(state: S, side: int) -> tuple[int, int]:
    return state.scores[side], sum(state.own.marks[side])


def targets(state: S) -> list[Target]:
    mine = zip(categories(state.options), state.own.marks[state.at], strict=True)
    open_ones = [category for category, marks in mine if marks < CLOSED]
    return [target for category in open_ones for target in kit.lit(category) if category != "double" or target != "DB"]


def show(state: S, viewer: str | None) -> Show:
    names = [
        f"{category}s" if category in ("double", "triple") else str(category) for category in categories(state.options)
    ]
    return Show(players=[{"marks": dict(zip(names, marks, strict=True))} for marks in state.own.marks])


GAME: Final[Kit[Options, Own]] = Kit(
    name="mickey_mouse",
    title="Mickey Mouse",
    about=About(
        "B",
        Text(
            "Cricket with doubles and triples of its own.",
            "Cricket mit eigenen Doubles und Triples.",
            "Un Cricket avec ses doubles et ses triples.",
        ),
        aim=Text(
            "Be the first to close 20 to 12, the bull, three doubles and three triples.",
            "Schließ vor den anderen 20 bis 12, Bull, drei Doubles und drei Triples.",
            "Fermez le premier 20 à 12, le bull, trois doubles et trois triples.",
        ),
        turn=Text(
            "A single is one mark, a double two, a triple three; three close a number. A double or triple counts "
            "for its number or as one of three doubles or triples, where it brings more.",
            "Ein Single ist ein Mark, ein Double zwei, ein Triple drei; drei schließen eine Zahl. Ein Double oder "
            "Triple zählt für seine Zahl oder als eines von drei Doubles oder Triples, wo es mehr bringt.",
            "Un simple vaut une marque, un double deux, un triple trois ; trois ferment un numéro. Un double ou triple "
            "compte pour son numéro ou comme l’un des trois doubles ou triples, où il rapporte plus.",
        ),
        end=Text(
            "The match ends when somebody has closed everything. At the limit of rounds the most marks win.",
            "Das Spiel endet, wenn jemand alles geschlossen hat. An der Rundengrenze gewinnen die meisten Marks.",
            "La partie finit quand quelqu’un a tout fermé. À la limite de tours, le plus de marques gagne.",
        ),
    ),
    seats=range(1, 9),
    rules=Options,
    own=Own,
    start=lambda state: state.keep(Own(((0,) * len(categories(state.options)),) * len(state.sides))),
    dart=dart,
    asks=asks,
    chosen=chosen,
    rank=rank,
    targets=targets,
    show=show,
    worth=worth,
    matters=lambda state: (state.own.marks, state.at) if state.options.points else state.own.marks[state.at],
    decides=decides,
    statistics_of=kit.USEFUL,
)
