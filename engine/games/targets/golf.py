"""Golf: up to three darts a hole; the last one thrown is the one that counts."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.seats import with_seat
from engine.kit import About, Kit, Next, Segment, Show, State, Text
from engine.segments import Ring

MISSED: Final = 5


@dataclass(frozen=True, slots=True)
class Options:
    holes: int = kit.number(9, 1, 20, Text("Holes", "Löcher", "Trous"))
    counts: str = kit.one_of(
        Text("The dart that counts", "Der Dart, der zählt", "La fléchette qui compte"),
        {"last": Text("the last", "der letzte", "la dernière"), "best": Text("the best", "der beste", "la meilleure")},
    )
    scale: str = kit.one_of(
        Text("One stroke is a", "Ein Schlag ist ein", "Un coup est un"),
        {"double": Text("double", "Double", "double"), "triple": Text("triple", "Triple", "triple")},
    )
    tie: str = kit.tie()
    teams: int | None = kit.teams()


@dataclass(frozen=True, slots=True)
class Own:
    holes: tuple[tuple[int, ...], ...] = ()
    """The strokes of each side at each hole."""


S = State[Options, Own]


def hole(state: S) -> int:
    return (state.round - 1) % 20 + 1


def strokes(state: S, bed: Segment) -> int:
    if bed.number != hole(state):
        return MISSED
    match bed.multiplier:
        case 1:
            return 3 if bed.ring == Ring.INNER_SINGLE else 4
        case 2:
            return 1 if state.options.scale == "double" else 2
        case _:
            return 2 if state.options.scale == "double" else 1


def lies(state: S) -> int:
    """What the hole scores with the darts so far."""
    if not state.points:
        return MISSED
    return state.points[-1] if state.options.counts == "last" else min(state.points)


def dart(state: S, bed: Segment) -> S:
    after = state.counts(strokes(state, bed))
    return after.with_score(state.before[state.at] + lies(after))


def close(state: S) -> S:
    after = state.with_score(state.before[state.at] + lies(state))
    if state.in_extra:
        return after
    return after.keep(Own(with_seat(state.own.holes, state.at, (*state.own.holes[state.at], lies(state)))))


def decides(state: S, skill_mm: float) -> Next | None:
    """Keeps what lies if one more dart would on average be worse."""
    if not state.darts:
        return None
    if state.options.counts == "best":
        return Next() if lies(state) == 1 else None
    return Next() if lies(state) <= -GAME.best_aim(state, skill_mm).value else None


def worth(state: S, bed: Segment) -> float:
    return -strokes(state, bed)


def show(state: S, viewer: str | None) -> Show:
    turn = {"hole": hole(state), "scored": lies(state) if state.darts else 0}
    return Show(turn=turn, players=[{"holes": list(holes)} for holes in state.own.holes])


GAME: Final[Kit[Options, Own]] = Kit(
    name="golf",
    title="Golf",
    about=About(
        "R",
        Text(
            "Stop on a good dart, or risk a better one.",
            "Hör bei einem guten Dart auf oder riskier einen besseren.",
            "Gardez une bonne fléchette, ou tentez mieux.",
        ),
        aim=Text(
            "Need fewer strokes than the others.",
            "Komm mit weniger Schlägen aus als die anderen.",
            "Jouez moins de coups que les autres.",
        ),
        turn=Text(
            "Hole 1 is number 1, and so on. Double 1 stroke, triple 2, inner single 3, outer single 4, anything "
            "else 5. Only the last dart counts: stop when you are content.",
            "Loch 1 ist die 1 und so weiter. Double 1 Schlag, Triple 2, inneres Single 3, äußeres Single 4, alles "
            "andere 5. Nur der letzte Dart zählt: Hör auf, wenn du zufrieden bist.",
            "Le trou 1 est le 1, et ainsi de suite. Double 1 coup, triple 2, simple intérieur 3, extérieur 4, le reste "
            "5. Seule la dernière fléchette compte : arrêtez-vous quand vous voulez.",
        ),
        end=Text(
            "After the last hole, 9 as a rule, the fewest strokes win.",
            "Nach dem letzten Loch, meist dem neunten, gewinnen die wenigsten Schläge.",
            "Après le dernier trou, en général le neuvième, le moins de coups gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    start=lambda state: state.keep(Own(((),) * len(state.sides))),
    dart=dart,
    close=close,
    rounds=lambda state: state.options.holes,
    rank=kit.by_fewest,
    points_to_begin=100,
    targets=lambda state: [f"{state.options.scale[0].upper()}{hole(state)}"],
    show=show,
    worth=worth,
    matters=hole,
    decides=decides,
    statistics_of=kit.FEWEST,
)
