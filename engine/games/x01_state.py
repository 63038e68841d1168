"""The state of a match of X01."""

from dataclasses import dataclass
from typing import Final, Literal

from engine.games.teams import partners
from engine.games.x01_checkouts import Rule
from engine.games.x01_tally import NO_DARTS, Tally

DARTS: Final = 3
NINE: Final = 9
LONG: Final = 501
"""A leg from this start on that is finished in nine darts is a nine-darter."""
Checkouts = Literal["odds", "easy"]
"""Which routes are suggested: those of rules 2, or those of rules 1."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of the match. `legs` win a set, `sets` win the match.

    `starts` has the start of each seat: a player or, with `teams`, a team.
    """

    players: tuple[str, ...]
    starts: tuple[int, ...]
    opening: Rule
    closing: Rule
    full_bull: bool
    legs: int
    sets: int
    teams: int
    checkouts: Checkouts
    freeze: Literal["", "bust", "loses"] = ""
    """With two teams of two in which everyone has a score: what a dart does that would finish while frozen."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player or a team, with the points `left` in this leg."""

    left: int
    is_in: bool
    legs: int = 0
    sets: int = 0
    turns: int = 0
    """Closed visits, which decide who throws next in a team."""
    visits: tuple[int, ...] = ()
    """The points of each closed visit of this leg; 0 for a bust."""
    leg: Tally = NO_DARTS
    earlier: Tally = NO_DARTS
    """The legs before this one."""

    @property
    def total(self) -> Tally:
        """What was thrown in the match."""
        return self.earlier + self.leg


@dataclass(frozen=True, slots=True)
class State:
    """A match. `leg` counts from 0; `player` is the index of the throwing seat, `before` that seat before the visit."""

    rules: Rules
    seats: tuple[Seat, ...]
    before: Seat
    number: int = 0
    leg: int = 0
    player: int = 0
    darts: tuple[str, ...] = ()
    worth: tuple[int, ...] = ()
    """The points that each dart took off."""
    end: str = ""
    """Why the visit is over: `bust`, `frozen` (which loses the match), `checkout` or `darts`; empty while it is not."""
    finished: bool = False


def is_frozen(state: State) -> bool:
    """Whether the thrower may not finish: their partner has more left than both opponents together."""
    if not state.rules.freeze:
        return False
    left = [seat.left for seat in state.seats]
    partner = (state.player + 2) % 4
    return left[partner] > left[(state.player + 1) % 4] + left[(state.player + 3) % 4]


def is_nine_darter(state: State) -> bool:
    """Whether this visit finished a leg in nine darts, the fewest for 501."""
    darts = state.seats[state.player].leg.darts
    return state.end == "checkout" and darts == NINE and state.rules.starts[state.player] >= LONG


def side(state: State) -> tuple[str, ...]:
    """The players of the side of the thrower."""
    return partners(state.rules.players, 2 if state.rules.freeze else state.rules.teams, state.player)
