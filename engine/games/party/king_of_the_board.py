"""King of the Board: take numbers, strengthen them, take others' away."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from engine import kit
from engine.games.seats import with_seat
from engine.kit import About, Kit, Segment, Show, State, Text
from engine.segments import BULL

NUMBERS: Final = 20
NOBODY: Final = -1
STRENGTHENS: Final = 0.2
"""The worth of a step of strength, where a number is 1."""


@dataclass(frozen=True, slots=True)
class Options:
    rounds: int = kit.rounds(10)
    wall: int = kit.number(3, 1, 9, Text("Greatest strength", "Größte Stärke", "Force maximale"))
    tie: str = kit.tie()
    teams: int | None = kit.teams()


@dataclass(frozen=True, slots=True)
class Own:
    owners: tuple[int, ...] = (NOBODY,) * NUMBERS
    """Who owns each number, from 1."""
    strength: tuple[int, ...] = (0,) * NUMBERS
    """How strong each number is; 0 where nobody owns it."""


S = State[Options, Own]


def after_dart(owner: int, strength: int, thrower: int, multiplier: int, wall: int) -> tuple[int, int]:
    """Who owns a number after a dart in it, and how strong it is then."""
    if owner in (thrower, NOBODY):
        return thrower, min(wall, strength + multiplier)
    left = strength - multiplier
    if left > 0:
        return owner, left
    return (thrower, -left) if left else (NOBODY, 0)


def dart(state: S, bed: Segment) -> S:
    if state.in_extra:
        return state.brings(bed.points)
    if not 0 < bed.number < BULL:
        return state
    own, place = state.own, bed.number - 1
    before = own.owners[place]
    owner, strength = after_dart(before, own.strength[place], state.at, bed.multiplier, state.options.wall)
    state = state.keep(Own(with_seat(own.owners, place, owner), with_seat(own.strength, place, strength)))
    if owner == before:
        return state
    if before != NOBODY:
        state = state.gains(-1, before)
    if owner == state.at:
        state = state.brings(1)
    return state.is_won() if state.score == NUMBERS else state


def rank(state: S, side: int) -> tuple[int, ...]:
    """The most numbers, then the highest sum of strengths; in extra rounds the most points."""
    own = state.own
    strengths = (each for owner, each in zip(own.owners, own.strength, strict=True) if owner == side)
    return (state.scores[side],) if state.in_extra else (state.scores[side], sum(strengths))


def worth(state: S, bed: Segment) -> float:
    """Numbers that are won and taken away; strength counts a little."""
    if state.in_extra:
        return bed.points
    if not 0 < bed.number < BULL:
        return 0.0
    before, had = state.own.owners[bed.number - 1], state.own.strength[bed.number - 1]
    return worth_on(before, had, state.at, bed.multiplier, state.options.wall)


@lru_cache(4096)
def worth_on(before: int, had: int, thrower: int, multiplier: int, wall: int) -> float:
    """The worth of a dart in a number that somebody owns, or nobody, with this strength."""
    owner, has = after_dart(before, had, thrower, multiplier, wall)
    mine = STRENGTHENS * has * (owner == thrower) - STRENGTHENS * had * (before == thrower)
    other = STRENGTHENS * had * (before not in (thrower, NOBODY)) - STRENGTHENS * has * (owner not in (thrower, NOBODY))
    numbers = (owner == thrower) - (before == thrower) + (before not in (owner, thrower, NOBODY))
    return numbers + mine + other


def targets(state: S) -> list[kit.Target]:
    """Every number in which a dart does something."""
    own = state.own
    if state.in_extra:
        return []
    held = zip(own.owners, own.strength, strict=True)
    return [number for number, each in enumerate(held, 1) if each != (state.at, state.options.wall)]


def show(state: S, viewer: str | None) -> Show:
    own = state.own

    def about(side: int) -> dict[str, Any]:
        held = enumerate(zip(own.owners, own.strength, strict=True), 1)
        return {"owned": {str(number): strength for number, (owner, strength) in held if owner == side}}

    return Show(players=[about(side) for side in state.sides])


GAME: Final[Kit[Options, Own]] = Kit(
    name="king_of_the_board",
    title="King of the Board",
    about=About(
        "B",
        Text(
            "Take numbers, strengthen them, take others’ away.",
            "Erobere Zahlen, verstärke sie und nimm anderen ihre weg.",
            "Prenez des numéros, renforcez-les, volez ceux des autres.",
        ),
        aim=Text(
            "Own the most numbers after ten rounds, or all twenty.",
            "Hab nach zehn Runden die meisten Zahlen, oder alle zwanzig.",
            "Possédez le plus de numéros après dix tours, ou tous les vingt.",
        ),
        turn=Text(
            "A number that is nobody’s is yours, with a strength of 1 for a single, 2 for a double, 3 for a triple. "
            "On your own you add to it, up to 3; from another’s you take away: at 0 it is nobody’s, beyond that yours.",
            "Eine freie Zahl gehört dir, mit der Stärke 1 für Single, 2 für Double, 3 für Triple. Bei deinen kommt "
            "Stärke dazu, bis 3; bei denen der anderen geht sie weg: bei 0 ist die Zahl frei, darüber hinaus deine.",
            "Un numéro libre devient le vôtre, de force 1 pour un simple, 2 un double, 3 un triple. Sur les vôtres, la "
            "force s’ajoute, jusqu’à 3 ; sur ceux des autres elle s’enlève : à 0 le numéro est libre, au-delà à vous.",
        ),
        end=Text(
            "After the last round the most numbers win, then the most strength. All twenty numbers win at once.",
            "Nach der letzten Runde gewinnen die meisten Zahlen, dann die größte Stärke. Alle zwanzig Zahlen gewinnen "
            "sofort.",
            "Après le dernier tour, le plus de numéros gagne, puis la plus grande force. Les vingt numéros gagnent "
            "aussitôt.",
        ),
    ),
    seats=range(2, 9),
    rules=Options,
    own=Own,
    dart=dart,
    rank=rank,
    targets=targets,
    show=show,
    worth=worth,
    statistics_of=kit.HITS,
)
