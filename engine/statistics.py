"""What a game counts for its players over many matches: the optional part of a game, its method `statistics()`.

A game that has one returns a `Statistics`: how to count one match, which figures are bests and not sums, and what
people see. The figures of several matches are added up, so each match is counted once.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, TypeVar, runtime_checkable

from engine.actions import Foul, GameAction, Next, Throw
from engine.game import Game
from engine.match import Match
from engine.refusals import Refusal

S = TypeVar("S")

Figure = int | float | Mapping[str, int] | list[int]
"""One figure: a number, counts by name, or the last results in their order."""

LAST: Final = 10
"""How many results a list has at most: the last ones."""

GameFigures = Mapping[str, Figure]
"""The figures of one player at one game, by name; plain JSON. They add up over matches, so a rate is two of them."""


@dataclass(frozen=True, slots=True)
class Visit(Generic[S]):
    """One turn of a match as it counts in the end: an undone dart is gone, a corrected one is where it was put."""

    player: str
    start: S
    """The state before its first action."""
    played: tuple[tuple[GameAction, S], ...]
    """Each action that the game took, with the state after it."""

    @property
    def darts(self) -> tuple[tuple[S, S], ...]:
        """The states before and after each dart, fouls included."""
        found, before = [], self.start
        for action, after in self.played:
            if isinstance(action, Throw | Foul):
                found.append((before, after))
            before = after
        return tuple(found)

    @property
    def last(self) -> S:
        """The state after the last dart."""
        return self.darts[-1][1] if self.darts else self.start

    @property
    def closed(self) -> bool:
        """Whether `next` ended the turn."""
        return any(isinstance(action, Next) for action, _ in self.played)


@dataclass(frozen=True, slots=True)
class Ratio:
    """A rate of two figures that are sums: `times` x `count` / `per`."""

    count: str
    per: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class Statistics(Generic[S]):
    """What a game counts, and which of it the history shows where.

    `count` returns the figures of one match by player, from its visits and whether it is finished. It reads the visits
    once, in order. `best` names the figures that do not add up, with `max` or `min`; 0 means no figure yet.
    `show` returns what displays get: rates instead of sums, and nothing while there is nothing to show.

    `rates`, `bests` and `results` are shared by name: two games that have an `average` have one average of a player by
    month. So games use the same name only for what compares.
    """

    count: Callable[[Iterable[Visit[S]], bool], Mapping[str, GameFigures]]
    show: Callable[[GameFigures], Mapping[str, Any]] = dict
    best: Mapping[str, Callable[[Iterable[Any]], Any]] = field(default_factory=dict)
    zeros: frozenset[str] = frozenset()
    whole: Callable[[GameFigures, bool], GameFigures] = lambda figures, _finished: figures
    """What follows from the sums of a whole match, which can have several legs, and whether it is finished."""
    results: tuple[str, ...] = ()
    """The keys of what `show` returns that the result of a match, and of each of its legs, has."""
    columns: tuple[str, ...] = ()
    """Those that the table of all players has; `tons.180` is the key `180` in what `tons` has."""
    rates: Mapping[str, Ratio] = field(default_factory=dict)
    """What is shown of a player by month and against each opponent, by name."""
    bests: Mapping[str, str] = field(default_factory=dict)
    """Lists of a player's best: the name of each, and the figure of a leg, one of `best`, that is listed. 0 is not."""
    leg: Callable[[S], int] = lambda _state: 0
    """Which leg a state is in, from 0, for a game with legs of its own."""
    leg_winners: Callable[[S], tuple[str, ...]] = lambda _state: ()
    """Who has won that leg, if the state is its last."""

    def total(self, parts: Iterable[GameFigures]) -> GameFigures:
        """The figures of several matches, or visits, as one."""
        values: dict[str, list[Any]] = {}
        for part in parts:
            for name, value in part.items():
                values.setdefault(name, []).append(value)
        return {name: self._together(name, some) for name, some in values.items()}

    def _together(self, name: str, values: list[Any]) -> Figure:
        if name in self.best:
            some = values if name in self.zeros else [value for value in values if value] or values[:1]
            found: Figure = self.best[name](some)
            return found
        if isinstance(values[0], list):
            return [result for results in values for result in results][-LAST:]
        return added(values) if isinstance(values[0], Mapping) else sum(values)


@runtime_checkable
class HasStatistics(Protocol[S]):
    """A game that counts something for its players."""

    def statistics(self) -> Statistics[S]:
        """What it counts."""
        ...


def statistics_of(game: Game[Any] | None) -> Statistics[Any]:
    """What a game counts; nothing for a game without statistics, and sums alone for one that is no longer installed."""
    return game.statistics() if isinstance(game, HasStatistics) else _SUMS


_SUMS: Final[Statistics[Any]] = Statistics(lambda _visits, _finished: {})


def visits(match: Match) -> Iterator[Visit[Any]]:
    """The turns of a match, the one that goes on included, in order."""
    game, actions = match.game, tuple(match.played)
    ends = [start.at for start in match.turns.since(1)] + [len(actions)]
    for turn, end in zip(match.turns, ends, strict=True):
        state, played = turn.state, []
        for action in actions[turn.at : end]:
            step = game.apply(state, action)
            # Refused: a dart that a correction left after the end of its visit, or one whose bed is not chosen yet.
            if not isinstance(step, Refusal):
                state = step.state
                played.append((action, state))
        yield Visit(game.turn(turn.state).player, turn.state, tuple(played))


def added(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Counts by name added up, the highest first."""
    counts: Counter[str] = Counter()
    for part in parts:
        counts.update(part)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def rate(count: int, per: int) -> float:
    """`count / per` with two decimals, a half rounded up; 0.0 where `per` is 0."""
    # In whole numbers: whether a float is a half depends on its last digit.
    return (200 * count + per) // (2 * per) / 100 if per else 0.0
