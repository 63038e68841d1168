"""Plays many matches of Cricket between two at once with numpy, by the rules and the advice of the game.

A match by the real rules takes 20 ms, which is too long for a fair handicap; here it takes 0.2 ms.
`tests/twin/test_cricket_matches.py` holds this to `engine/games/cricket.py`, dart by dart. Standard Cricket of two
alone, with the usual numbers and rounds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.aiming import spots
from engine.games import cricket_advice as advice
from engine.games.cricket_state import CLOSED, DARTS, State
from twin.cricket_policy import MARKS, NUMBERS, ROUNDS

BEDS: Final = len(NUMBERS) * MARKS + 1
"""A bed is 3 times the index of its number, and its marks less 1; the last one is any other bed."""

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Hand:
    """What comes of each spot that can be aimed at: the chance of each bed."""

    odds: Floats
    bounds: Floats = field(repr=False)

    @classmethod
    def of(cls, skill_mm: float) -> "Hand":
        """The hand of a spread in mm."""
        odds = np.zeros((len(spots(skill_mm)), BEDS))
        for at, spot in enumerate(spots(skill_mm)):
            for bed, chance in spot.odds.items():
                odds[at, bed_of(bed.number, bed.multiplier)] += chance
        return cls(odds, np.cumsum(odds, axis=1)[:, :-1])


def bed_of(number: int, marks: int) -> int:
    """The index of a bed by its number, 25 for the bull, and its marks."""
    return NUMBERS.index(number) * MARKS + marks - 1 if number in NUMBERS and marks else BEDS - 1


@dataclass(slots=True)
class Matches:
    """Matches at any moment.

    By match and player: `marks` on each number, `score`, `counted` marks. By match: who throws, how many darts of the
    turn were thrown, the round.
    """

    marks: Ints
    score: Ints
    counted: Ints
    player: Ints
    darts: Ints
    round: Ints

    @classmethod
    def of(cls, states: Sequence[State]) -> "Matches":
        """These states of matches that nobody has won, each with darts in hand."""

        def each(values: Callable[[State], Any]) -> Ints:
            return np.array([values(state) for state in states], np.int32)

        return cls(
            each(lambda state: [seat.marks for seat in state.seats]),
            each(lambda state: [seat.score for seat in state.seats]),
            each(lambda state: [seat.counted for seat in state.seats]),
            each(lambda state: state.player),
            each(lambda state: len(state.darts)),
            each(lambda state: state.round),
        )

    @classmethod
    def begun(cls, count: int) -> "Matches":
        """So many matches before their first dart."""

        def none(*shape: int) -> Ints:
            return np.zeros((count, *shape), np.int32)

        return cls(none(2, len(NUMBERS)), none(2), none(2), none(), none(), none() + 1)

    def only(self, which: npt.NDArray[Any]) -> "Matches":
        """Some of the matches, in any order and as often as their indices are given."""
        return Matches(
            *(self.marks[which], self.score[which], self.counted[which]),
            *(self.player[which], self.darts[which], self.round[which]),
        )

    def put(self, which: npt.NDArray[Any], others: "Matches") -> None:
        """Puts others in the place of some of the matches."""
        for field_ in ("marks", "score", "counted", "player", "darts", "round"):
            getattr(self, field_)[which] = getattr(others, field_)

    def throw(self, beds: Ints) -> Floats:
        """Throws a dart in each match. The part of the win of the first player, where a match is over, else -1."""
        number, hit = beds // MARKS, np.where(beds < BEDS - 1, beds % MARKS + 1, 0)
        number = np.minimum(number, len(NUMBERS) - 1)
        rows, mine = np.arange(len(beds)), self.player
        closing = np.minimum(CLOSED - self.marks[rows, mine, number], hit)
        self.marks[rows, mine, number] += closing
        scoring = np.where(self.marks[rows, 1 - mine, number] < CLOSED, hit - closing, 0)
        self.score[rows, mine] += scoring * np.array(NUMBERS, np.int32)[number]
        self.counted[rows, mine] += closing + scoring
        won = np.full(len(beds), -1.0)
        # The thrower's win counts first. A dart of theirs can also make the other one win, who had closed everything.
        for side in (1 - mine, mine):
            over = (self.marks[rows, side] == CLOSED).all(axis=1)
            over &= self.score[rows, side] >= self.score[rows, 1 - side]
            won = np.where(over, 1.0 - side, won)
        self.darts += 1
        turn_over = self.darts == DARTS
        self.darts[turn_over] = 0
        last = turn_over & (self.player == 1)
        self.player[turn_over] = 1 - self.player[turn_over]
        ended = last & (self.round == ROUNDS) & (won < 0)
        self.round[last] += 1
        rank = self.score * 1000 + self.counted
        tied = np.where(rank[:, 0] == rank[:, 1], 0.5, (rank[:, 0] > rank[:, 1]).astype(float))
        return np.where(ended, tied, won)


def worths(matches: Matches) -> Floats:
    """The worth of each bed to the thrower, by match, as the game's advice sees it."""
    rows, mine, numbers = np.arange(len(matches.player)), matches.player, np.array(NUMBERS, np.float64)
    own, others = matches.marks[rows, mine], matches.marks[rows, 1 - mine]
    lead = (matches.score[rows, mine] - matches.score[rows, 1 - mine])[:, None]
    is_open = others < CLOSED
    close = advice.CLOSE + numbers * advice.HIGH + np.where(is_open, 0.0, numbers * advice.THREAT)
    share = np.where(lead < 0, advice.BEHIND, np.where(lead < advice.SAFE, advice.AHEAD, advice.FAR_AHEAD))
    score = np.where(is_open, numbers * share, 0.0)
    found = np.zeros((len(rows), BEDS))
    missing = CLOSED - own
    for marks in range(1, MARKS + 1):
        closing = np.minimum(missing, marks)
        found[:, marks - 1 : BEDS - 1 : MARKS] = closing * close + (marks - closing) * score
    return found


Policy = Callable[[Matches, Hand], Ints]


def advised(matches: Matches, hand: Hand) -> Ints:
    """The spot at which the game's advice aims, by match; the first of equals."""
    values = worths(matches) @ hand.odds.T
    top = values.max(axis=1, keepdims=True)
    found: Ints = np.argmax(values >= top - 1e-9 * np.maximum(1.0, np.abs(top)), axis=1).astype(np.int32)
    return found


@dataclass(frozen=True, slots=True)
class Player:
    """A hand, and how it chooses where to aim."""

    hand: Hand
    policy: Policy = advised


def play_out(
    matches: Matches,
    players: Sequence[Player],
    whose: Ints,
    seed: int,
    look: Callable[[Ints, Matches], None] = lambda _at, _matches: None,
) -> Floats:
    """Plays all matches to their end: the part of the win of each first player.

    `whose` has the index in `players` of either player, by match.
    `look` sees the matches before each dart, with their places among all.
    """
    random, result, alive = (
        np.random.default_rng(seed),
        np.full(len(whose), -1.0),
        np.arange(len(whose), dtype=np.int32),
    )
    while len(alive):
        look(alive, matches)
        throwing, beds = whose[alive, matches.player], np.zeros(len(alive), np.int32)
        for at in np.unique(throwing):
            theirs, player = np.flatnonzero(throwing == at), players[at]
            aims = player.policy(matches.only(theirs), player.hand)
            drawn = random.random((len(theirs), 1))
            beds[theirs] = (player.hand.bounds[aims] < drawn).sum(axis=1)
        won = matches.throw(beds)
        result[alive] = won
        going = won < 0
        if not going.all():
            alive, matches = alive[going], matches.only(np.flatnonzero(going))
    return result


BATCH: Final = 2_000
"""How many matches are played between two looks at the result."""
SEED: Final = 1
"""Of the first batch; each further one has a seed of its own."""
SURE: Final = 4.0
"""By how many standard errors a share must differ from a half to be known well enough to see on which side it is."""


def can_play(state: State) -> bool:
    """Whether a match can be played on from this state: darts are in hand, and its rules are those of this module."""
    rules = state.rules
    usual = rules.mode == "standard" and rules.numbers == NUMBERS and rules.rounds == ROUNDS
    return usual and len(state.seats) == len(rules.players) == 2 and not state.best and len(state.darts) < DARTS


def share_of_first(state: State, players: Sequence[Player], most: int, *, fewest: int = BATCH) -> tuple[float, float]:
    """The part of the matches from this state on that its first player wins, and the standard error of that.

    `players` are in the order of play. At least `fewest` matches are played, and `most` if the part is about a half.
    Every call draws the same darts, so that two handicaps are compared by the same luck.
    """
    begun = Matches.of([state])
    won, matches, share, error = 0.0, 0, 0.5, 1.0
    while matches < fewest or (matches < most and abs(share - 0.5) < SURE * error):
        whose = np.tile(np.array([0, 1], np.int32), (BATCH, 1))
        won += play_out(begun.only(np.zeros(BATCH, np.int32)), players, whose, SEED + matches).sum()
        matches += BATCH
        # As if one more match were shared: nobody is certain to win.
        share = (won + 0.5) / (matches + 1)
        error = sqrt(share * (1 - share) / matches)
    return share, error
