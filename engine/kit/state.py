"""The state of a match of the kit, and the changes that a game makes to it.

A state is frozen: each method returns another one. A *side* is a player or, with teams, a team; sides are numbered from
0 in the order of the header. The *thrower* is the side whose turn it is.
"""

from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from engine.games.seats import with_seat
from engine.games.teams import partners, thrower

O = TypeVar("O")  # noqa: E741
"""The options of a game, a frozen dataclass."""
G = TypeVar("G")
"""What a game remembers besides: a frozen dataclass of plain values, or None."""

HOUSE = -1
"""The side of the house, in games that have one: it throws nothing and can win."""


_new, _set = object.__new__, object.__setattr__


@dataclass(frozen=True)
class State(Generic[O, G]):
    """A match at one moment. A game reads all of it, and changes it by the methods alone.

    Without slots: `changed` then takes a fifth of the time of `dataclasses.replace`, which is most of that of a dart.
    """

    options: O
    own: G
    """What the game remembers."""
    players: tuple[str, ...]
    teams: int
    """How many teams; 0: everyone plays alone."""
    scores: tuple[int, ...]
    """The score of each side; in extra rounds that of the round alone."""
    out: tuple[int, ...]
    """The round in which each side went out; 0: it is in."""
    number: int = 0
    """The turns so far."""
    round: int = 1
    at: int = 0
    """The thrower."""
    darts: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    """What each dart of the turn brought."""
    took: tuple[bool, ...] = ()
    """Whether each dart of the turn did anything by the rules."""
    before: tuple[int, ...] = ()
    """The scores at the start of the turn."""
    ended: str = ""
    """Why no more darts are thrown in this turn: `done`, `bust` or `checkout`; empty: they are."""
    reached: tuple[int, ...] = ()
    """The sides that got there, in a game that is won by getting somewhere first."""
    won: tuple[int, ...] = ()
    """Who wins when this turn closes."""
    round_over: bool = False
    """Whether the round ends with this turn, although others have not thrown."""
    final: tuple[int, ...] = ()
    """The scores after the last round, once extra rounds are played; else empty."""
    extra: tuple[tuple[int, ...], ...] = ()
    """The results of each side in the extra rounds; empty before these."""
    contenders: tuple[int, ...] = ()
    """The sides that play the extra round."""
    finished: bool = False

    # What a game asks.

    @property
    def sides(self) -> range:
        """Every side."""
        return range(len(self.scores))

    @property
    def others(self) -> tuple[int, ...]:
        """The sides that are in, without the thrower."""
        return tuple([side for side, out in enumerate(self.out) if not out and side != self.at])

    @property
    def left_in(self) -> tuple[int, ...]:
        """The sides that are in."""
        return tuple([side for side, out in enumerate(self.out) if not out])

    @property
    def score(self) -> int:
        """The score of the thrower."""
        return self.scores[self.at]

    @property
    def scored(self) -> int:
        """What the darts of this turn brought."""
        return sum(self.points)

    @property
    def standing(self) -> tuple[int, ...]:
        """The score of each side as people see it: extra rounds do not change it."""
        return self.final or self.scores

    @property
    def in_extra(self) -> bool:
        """Whether this is an extra round, which decides between equals."""
        return bool(self.final)

    def name(self, side: int) -> str:
        """The player who throws for a side in this round."""
        return thrower(self.players, self.teams, side, self.round - 1) if self.teams else self.players[side]

    def names(self, side: int) -> tuple[str, ...]:
        """The players of a side."""
        return partners(self.players, self.teams, side)

    # What a game does.

    def changed(self, **fields: Any) -> Self:
        """The state with other values of some fields; for the kit alone, since types are not checked."""
        after = _new(self.__class__)
        _set(after, "__dict__", self.__dict__ | fields)
        return after

    def keep(self, own: G) -> Self:
        """Remembers this."""
        return self.changed(own=own)

    def counts(self, points: int) -> Self:
        """The dart brings points that do not go to the score by themselves."""
        return self.changed(points=(*self.points[:-1], self.points[-1] + points)) if points else self

    def brings(self, points: int) -> Self:
        """The dart brings points, which go to the thrower's score."""
        if not points:
            return self
        scores = with_seat(self.scores, self.at, self.scores[self.at] + points)
        return self.changed(points=(*self.points[:-1], self.points[-1] + points), scores=scores)

    def with_score(self, score: int, side: int | None = None) -> Self:
        """The score of a side, by default the thrower's, is this."""
        return self.changed(scores=with_seat(self.scores, self.at if side is None else side, score))

    def with_scores(self, score: int) -> Self:
        """The score of every side is this."""
        return self.changed(scores=(score,) * len(self.scores))

    def gains(self, points: int, side: int | None = None) -> Self:
        """The score of a side, by default the thrower's, changes by this."""
        side = self.at if side is None else side
        return self.with_score(self.scores[side] + points, side)

    def loses_life(self, lives: int = 1, side: int | None = None) -> Self:
        """A side whose score is its lives loses some of them; at 0 it is out."""
        side = self.at if side is None else side
        after = self.with_score(max(0, self.scores[side] - lives), side)
        return after if after.scores[side] else after.goes_out(side)

    def goes_out(self, side: int | None = None) -> Self:
        """A side is out; if it is the thrower, it throws no more."""
        side = self.at if side is None else side
        after = self if self.out[side] else self.changed(out=with_seat(self.out, side, self.round))
        return after.ends() if side == self.at else after

    def ends(self, why: str = "done") -> Self:
        """No more darts are thrown in this turn. `why` may be `bust` or `checkout`."""
        return self.changed(ended=why)

    def gets_there(self) -> Self:
        """The thrower got where this game is won, and throws no more."""
        return self.changed(reached=(*self.reached, self.at), ended=self.ended or "done")

    def is_won(self, *sides: int) -> Self:
        """These sides, by default the thrower, win when this turn closes. No more darts are thrown."""
        return self.changed(won=sides or (self.at,), ended=self.ended or "done")

    def ends_round(self) -> Self:
        """The round ends with this turn, although others have not thrown."""
        return self.changed(round_over=True)
