"""What Scram and Scram Cricket share: one side closes the board while the other scores; then they change places."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeVar

from engine.games.seats import with_seat
from engine.kit import Segment, Show, State, Target, Text

END: Final = Text(
    "A half ends when all is closed; then you change places. After both halves the most points win.",
    "Eine Halbzeit endet, wenn alles zu ist; dann wird gewechselt. Nach beiden gewinnen die meisten Punkte.",
    "Une mi-temps finit quand tout est fermé ; on échange alors. Après les deux, le plus de points gagne.",
)
AIM: Final = Text(
    "Score more in your half than your opponent in theirs.",
    "Punkte in deiner Halbzeit mehr als dein Gegner in seiner.",
    "Marquez plus dans votre mi-temps que l’adversaire dans la sienne.",
)


class Options(Protocol):
    """The options that both have."""

    @property
    def rounds(self) -> int:
        """Turns of the stopper in each half."""
        ...


O = TypeVar("O", bound=Options)  # noqa: E741


@dataclass(frozen=True, slots=True)
class Own:
    """The marks on each of `goals` in this half; with `full` of them it is closed."""

    goals: tuple[Target, ...] = ()
    full: int = 1
    marks: tuple[int, ...] = ()
    half: int = 1
    """1 or 2; 3 when both are over."""
    since: int = 1
    """The round in which the half began."""

    @property
    def open(self) -> tuple[Target, ...]:
        return tuple(goal for goal, marks in zip(self.goals, self.marks, strict=True) if marks < self.full)


def goal_of(state: State[O, Own], bed: Segment) -> Target | None:
    """The open goal that a bed is in. Goals are numbers and the bull."""
    own, goal = state.own, "bull" if bed.is_bull else bed.number
    return goal if goal in own.goals and own.marks[own.goals.index(goal)] < own.full else None


def stops(state: State[O, Own]) -> bool:
    """Whether the thrower closes the board in this half."""
    return state.at == (0 if state.own.half == 1 else 1)


def marked(state: State[O, Own], goal: Target, marks: int) -> State[O, Own]:
    """After marks of the stopper on a goal that is open."""
    own, at = state.own, state.own.goals.index(goal)
    total = min(own.full, own.marks[at] + marks)
    after = state.counts(total - own.marks[at]).keep(replace(own, marks=with_seat(own.marks, at, total)))
    return after if after.own.open else after.ends()


def matters(state: State[O, Own]) -> Hashable:
    return stops(state), state.own.open


def order(state: State[O, Own]) -> tuple[int, int]:
    return (0, 1) if state.own.half == 1 else (1, 0)


def close(state: State[O, Own]) -> State[O, Own]:
    """Ends the half when all is closed, or after the last turn of the scorer."""
    own, last = state.own, state.round - state.own.since + 1 == state.options.rounds
    if own.open and (stops(state) or not last):
        return state
    following = Own(own.goals, own.full, (0,) * len(own.goals), own.half + 1, state.round + 1)
    return state.keep(following).ends_round()


def rounds(state: State[O, Own]) -> int:
    """The last round, if nobody closes the board before."""
    return state.own.since - 1 + (3 - state.own.half) * state.options.rounds


def show(state: State[O, Own], viewer: str | None) -> Show:
    own = state.own
    closed = [goal for goal in own.goals if goal not in own.open]
    return Show({"closed": closed}, {} if state.finished else {"role": "stops" if stops(state) else "scores"})


def targets(state: State[O, Own]) -> Sequence[Target]:
    return state.own.open
