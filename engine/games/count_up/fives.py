"""Fifty-One by Fives: a turn counts only if its total can be divided by five; it scores a fifth of it."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.kit import About, Kit, Segment, Show, State, Text

FIVES = (20, 5, 15, 10, 25)
"""Numbers of which every bed can be divided by five."""


@dataclass(frozen=True, slots=True)
class Options:
    target: int = kit.number(51, 10, 500, Text("Target", "Ziel", "But"))
    all_three: bool = kit.flag(
        True, Text("All three darts must hit", "Alle drei Darts müssen treffen", "Les trois fléchettes doivent toucher")
    )
    exact: bool = kit.flag(
        True, Text("The target must be hit exactly", "Das Ziel muss genau getroffen werden", "Le but doit être exact")
    )
    rounds: int = kit.most_rounds(30)
    finish: str = kit.finish()
    teams: int | None = kit.teams()


S = State[Options, None]


def fives(state: S) -> int:
    """What the darts of this turn score if it closes now."""
    missed = len(state.points) < 3 or 0 in state.points
    return 0 if state.scored % 5 or (missed and state.options.all_three) else state.scored // 5


def close(state: S) -> S:
    target, score = state.options.target, state.score + fives(state)
    if score > target and state.options.exact:
        return state
    return state.with_score(score) if score < target else state.with_score(score).gets_there()


def room(state: S) -> int:
    """How many points this dart may have, if later ones have as few as five divides; all have less than 61."""
    if not state.options.exact:
        return 60
    left = 5 * (state.options.target - state.score) - state.scored - 5 * (2 - len(state.darts))
    return max(-1, min(60, left))


def worth(state: S, bed: Segment) -> float:
    after = state.scored + bed.points
    left = 2 - len(state.darts)
    if bed.points > room(state) or (left and bed.number not in FIVES) or after % 5 or not bed.number:
        return 0.0
    return bed.points if left else after


GAME: Final[Kit[Options, None]] = Kit(
    name="fives",
    title="Fifty-One by Fives",
    about=About(
        "P",
        Text(
            "Only turns that five divides count.",
            "Nur Aufnahmen, die durch fünf teilbar sind, zählen.",
            "Seules les volées divisibles par cinq comptent.",
        ),
        aim=Text(
            "Be the first with exactly 51 points.",
            "Hab vor den anderen genau 51 Punkte.",
            "Ayez le premier exactement 51 points.",
        ),
        turn=Text(
            "All three darts must hit a bed, and five must divide their total: it scores a fifth. Else nothing.",
            "Alle drei Darts müssen ein Feld treffen und ihre Summe durch fünf teilbar sein: Sie bringt ein Fünftel. "
            "Sonst bringt sie nichts.",
            "Les trois fléchettes doivent toucher et leur total être divisible par cinq : il rapporte un cinquième. "
            "Sinon rien.",
        ),
        end=Text(
            "Reach the target exactly; a turn that would pass it scores nothing. At the limit the most points win.",
            "Erreiche das Ziel genau; eine Aufnahme darüber hinaus zählt nicht. An der Rundengrenze gewinnen die "
            "meisten Punkte.",
            "Atteignez le but exactement ; une volée qui le dépasse ne compte pas. À la limite de tours, le plus de "
            "points gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    dart=lambda state, bed: state.counts(bed.points),
    close=close,
    points_to_begin=499,
    refuses_head_start=kit.below(lambda state: state.options.target),
    targets=lambda state: [20, 5, 15, 10],
    show=lambda state, viewer: Show(turn={"fives": fives(state)}),
    worth=worth,
    matters=lambda state: (len(state.darts), state.scored, room(state)),
)
