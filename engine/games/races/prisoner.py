"""Prisoner: clockwise in the outer half of the board; a dart inside is taken prisoner and can be won by anyone."""

from dataclasses import dataclass, replace
from typing import Final

from engine import kit
from engine.games.seats import with_seat
from engine.kit import FOUL, About, Kit, Segment, Show, State, Target, Text
from engine.segments import Ring

COURSE: Final = kit.in_ring_order(1)
DARTS: Final = 3
BULL: Final = 0
"""The place of prisoners in the bull; those of a number have its number."""


@dataclass(frozen=True, slots=True)
class Options:
    rounds: int = kit.most_rounds(60)


@dataclass(frozen=True, slots=True)
class Own:
    darts: tuple[int, ...] = ()
    """The darts that each side has, with those that are missing in its next turn."""
    missing: tuple[int, ...] = ()
    prisoners: tuple[int, ...] = (0,) * (len(COURSE) + 1)
    hand: int = DARTS
    """The darts of this turn."""
    lent: bool = False
    """Whether the only dart of this turn is lent."""


S = State[Options, Own]


def start(state: S) -> S:
    sides = len(state.sides)
    return state.keep(Own((DARTS,) * sides, (0,) * sides))


def following(own: Own, side: int) -> int:
    """The own darts of a side in its next turn."""
    return own.darts[side] - own.missing[side]


def begin(state: S) -> S:
    own, hand = state.own, following(state.own, state.at)
    missing = with_seat(own.missing, state.at, 0)
    return state.keep(replace(own, missing=missing, hand=max(1, hand), lent=hand < 1))


def moved(own: Own, side: int, place: int, prisoners: int) -> Own:
    """Darts of a side become prisoners, or with fewer than 0 are won from a place."""
    return replace(
        own,
        darts=with_seat(own.darts, side, own.darts[side] - prisoners),
        prisoners=with_seat(own.prisoners, place, own.prisoners[place] + prisoners),
    )


def place(bed: Segment) -> int:
    return BULL if bed.is_bull else bed.number


def is_inner(bed: Segment) -> bool:
    return bed.ring <= Ring.INNER_SINGLE


def dart(state: S, bed: Segment) -> S:
    own, at = state.own, state.at
    if not bed.number:
        if bed is FOUL or own.lent:
            return state
        return state.keep(replace(own, missing=with_seat(own.missing, at, own.missing[at] + 1)))
    lies = own.prisoners[place(bed)] > 0
    if is_inner(bed):
        if bed.is_bull and lies:
            return state.keep(moved(own, at, BULL, -1))
        return state if own.lent else state.keep(moved(own, at, place(bed), 1))
    after = state.keep(moved(own, at, bed.number, -1)) if lies else state
    if bed.number != COURSE[state.score]:
        return after
    after = after.brings(1)
    return after if after.score < len(COURSE) else after.gets_there()


def worth(state: S, bed: Segment) -> float:
    own = state.own
    if not bed.number:
        return 0.0 if own.lent else -0.5
    wins = 0.5 if own.prisoners[place(bed)] else 0.0
    if is_inner(bed):
        return wins if bed.is_bull and wins else 0.0 if own.lent else -1.0
    return wins + (bed.number == COURSE[state.score])


def targets(state: S) -> list[Target]:
    number = COURSE[state.score]
    return [f"SO{number}", f"D{number}", f"T{number}"]


def dangers(state: S) -> list[Target]:
    if state.own.lent:
        return []
    bull = [] if state.own.prisoners[BULL] else ["bull"]
    return [*(f"SI{number}" for number in range(1, 21)), *bull]


def show(state: S, viewer: str | None) -> Show:
    own = state.own
    prisoners = {"bull" if at == BULL else str(at): count for at, count in enumerate(own.prisoners) if count}
    next_ = [{"next": COURSE[score]} if score < len(COURSE) else {} for score in state.scores]
    darts = [{"darts": max(1, following(own, side))} for side in state.sides]
    turn = {"darts_left": own.hand - len(state.darts)} | ({"lent": True} if own.lent else {})
    return Show(
        {"prisoners": prisoners, "track": len(COURSE)}, turn, [darts[side] | next_[side] for side in state.sides]
    )


GAME: Final[Kit[Options, Own]] = Kit(
    name="prisoner",
    title="Prisoner",
    about=About(
        "R",
        Text(
            "Round the board by its outer half; darts inside are taken.",
            "Außen um das Board; Darts im Innern werden gefangen.",
            "Le tour par l’extérieur ; les fléchettes à l’intérieur sont prises.",
        ),
        aim=Text(
            "Be the first through all numbers, clockwise from the 1.",
            "Komm vor den anderen durch alle Zahlen, im Uhrzeigersinn ab der 1.",
            "Passez tous les numéros avant les autres, dans le sens horaire depuis le 1.",
        ),
        turn=Text(
            "Outer single, double and triple of your number take you on. A dart in an inner single or the bull stays "
            "there as a prisoner; an outer bed of its number, or the bull, wins it. A miss is missing in your next "
            "turn.",
            "Äußeres Single, Double und Triple deiner Zahl bringen dich weiter. Ein Dart im inneren Single oder Bull "
            "bleibt dort gefangen; wer die Zahl außen oder das Bull trifft, gewinnt ihn. Ein Fehlwurf fehlt in der "
            "nächsten Aufnahme.",
            "Simple extérieur, double et triple de votre numéro vous avancent. Dans un simple intérieur ou le bull, la "
            "fléchette reste prisonnière ; qui touche son numéro à l’extérieur, ou le bull, la gagne. Hors cible, elle "
            "manque à la volée suivante.",
        ),
        end=Text(
            "The match ends when somebody is through. At the limit the most numbers win. Without darts you are lent "
            "one.",
            "Das Spiel endet, sobald jemand durch ist. An der Rundengrenze gewinnen die meisten Zahlen. Ohne Darts "
            "bekommst du einen geliehen.",
            "La partie finit quand quelqu’un a tout passé. À la limite de tours, le plus de numéros gagne. Sans "
            "fléchette, on vous en prête une.",
        ),
    ),
    seats=range(2, 9),
    head_start=len(COURSE) - 1,
    rules=Options,
    own=Own,
    start=start,
    begin=begin,
    darts=lambda state: state.own.hand,
    dart=dart,
    targets=targets,
    dangers=dangers,
    show=show,
    worth=worth,
    matters=lambda state: (state.own.lent, state.score, tuple(map(bool, state.own.prisoners))),
    statistics_of=kit.HITS,
)
