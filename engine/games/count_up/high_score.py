"""High Score: the first to reach a target by counting up wins; going past it is fine."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.kit import About, Kit, Refusal, Segment, Show, State, Text

MOST: Final = 60
"""The most points of a dart."""


@dataclass(frozen=True, slots=True)
class Options:
    target: int = kit.number(500, 50, 5000, Text("Target", "Ziel", "But"))
    rounds: int = kit.most_rounds(50)
    bull: str = kit.bull()
    finish: str = kit.finish()
    tie: str = kit.tie()
    teams: int | None = kit.teams()


S = State[Options, None]


def refuses(options: Options, _players: tuple[str, ...]) -> Refusal | None:
    if options.tie == "play_on" and options.finish != "round":
        return Refusal("bad_option", "With tie play_on the option finish must be round, or nobody can be equal.")
    return None


def to_go(state: S, side: int) -> int:
    return max(0, state.options.target - state.standing[side])


def dart(state: S, bed: Segment) -> S:
    after = state.brings(kit.points(bed, state.options.bull))
    return after if state.in_extra or to_go(after, state.at) else after.gets_there()


def worth(state: S, bed: Segment) -> float:
    points = kit.points(bed, state.options.bull)
    return points if state.in_extra else min(points, to_go(state, state.at))


def matters(state: S) -> int:
    """What is left, as far as a dart can reach."""
    return MOST if state.in_extra else min(MOST, to_go(state, state.at))


GAME: Final[Kit[Options, None]] = Kit(
    name="high_score",
    title="High Score",
    about=About(
        "P",
        Text(
            "A race to 500, counting up.",
            "Ein Wettlauf auf 500, immer aufwärts gezählt.",
            "Une course jusqu’à 500, en montant.",
        ),
        aim=Text(
            "Be the first to reach the target, 500 points as a rule.",
            "Erreiche vor den anderen das Ziel, meist 500 Punkte.",
            "Atteignez le but avant les autres, en général 500 points.",
        ),
        turn=Text(
            "Three darts; each adds its points. Going past the target is fine.",
            "Drei Darts; jeder zählt seine Punkte. Über das Ziel hinaus ist erlaubt.",
            "Trois fléchettes ; chacune ajoute ses points. Dépasser le but est permis.",
        ),
        end=Text(
            "The match ends when somebody gets there. If nobody does in time, the most points win.",
            "Das Spiel endet, sobald jemand am Ziel ist. Schafft es niemand, gewinnen die meisten Punkte.",
            "La partie finit dès que quelqu’un y est. Si personne n’y arrive, le plus de points gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    refuses=refuses,
    dart=dart,
    targets=lambda state: ["T20"],
    show=lambda state, viewer: Show(players=[{"to_go": to_go(state, side)} for side in state.sides]),
    worth=worth,
    matters=matters,
    counted_of=kit.points_counted,
)
