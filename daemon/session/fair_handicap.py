"""Finds the handicap with which two sides have the same chance to win, from the options that their game offers.

It works for every game with an option `handicap` that is a number for each player, those of other packages included:
whether a higher number helps or harms is found by playing. X01 is computed where numpy is installed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from random import Random
from typing import Any, Final

from daemon.session.rollouts import Count, count, counting
from engine.faces import Faces
from engine.game import Game
from engine.match import Header, Match
from engine.matchfile import Games, open_match
from engine.options import PerPlayer
from engine.refusals import Refusal

OPTION: Final = "handicap"
BASES: Final = ("start", "lives")
"""Options of a game that hold what everybody has who has no number of their own."""
EVEN: Final = 0.01
"""A chance this near to a half is fair."""
SURE: Final = 2.5
"""By how many standard errors a chance must differ from a half to be taken for one that does."""
STEP: Final = 25
"""How many matches are played between two looks at the result."""

NONE: Final = Refusal("bad_option", "This game has no handicap that is a number for each player; choose another game.")
NOT_TWO: Final = Refusal("bad_players", "A fair handicap is for two sides: two players, or two teams.")
NO_HAND: Final = Refusal(
    "bad_players", "A fair handicap needs the hand of every player: of a bot its skill, of a person the darts thrown."
)

TOO_LONG: Final = Refusal(
    "not_awaited", "A fair handicap for this game takes too long to find on this machine; choose one yourself."
)


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance of the first side, and its standard error: 0 if it is computed."""

    first: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class Fair:
    """A handicap by player, empty if none is needed, the chance of each player with it, and its standard error."""

    handicap: dict[str, int]
    chance: dict[str, float]
    error: float

    @property
    def is_even(self) -> bool:
        """Whether the chances are as even as EVEN says; if not, the game allows nothing nearer."""
        return all(abs(chance - 0.5) <= EVEN + min(self.error, EVEN) for chance in self.chance.values())


Computed = Callable[[Match, Mapping[str, float]], Mapping[str, float] | None]
"""Returns the chances in a match if they can be computed; None if it must be played."""


class FairSearch:
    """Searches for the handicap of a match of two sides. `most` matches are played at most for one candidate.

    `hands` are the spreads of the players in mm.
    """

    def __init__(
        self,
        games: Games,
        faces: Faces,
        header: Header,
        hands: Mapping[str, float],
        *,
        random: Random,
        most: int,
        computed: Computed = lambda _match, _hands: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self._games, self._faces, self._header, self._hands = games, faces, header, hands
        self._random, self._most, self._computed, self._stop = random, most, computed, stop
        self._found: dict[int, Chance] = {}
        self._sides: Sequence[tuple[str, ...]] = ()

    def find(self) -> Fair | Refusal:
        """Returns the handicap that comes nearest to even chances; a refusal if the match has none, or if `stop` ended
        the search before one was even."""
        match = self._opened({})
        if isinstance(match, Refusal):
            return match
        self._sides = counting(match.view()).sides
        if len(self._sides) != 2:
            return NOT_TWO
        if not {name for side in self._sides for name in side} <= self._hands.keys():
            return NO_HAND
        game = self._games.get(self._header.game)
        kind = None if game is None else _kind(game)
        if kind is None:
            return NONE
        ways = axis(self._sides[0][0], self._sides[1][0], kind, self._base(match))
        at = self._crossing(ways)
        chance = self._at(ways, at)
        both = (chance.first, 1 - chance.first)
        by_name = {name: part for side, part in zip(self._sides, both, strict=True) for name in side}
        fair = Fair(ways[at], by_name, chance.error)
        return TOO_LONG if self._stop() and not fair.is_even else fair

    def _base(self, match: Match) -> int | None:
        options = match.header.options
        by_name = {option.name: option.default for option in self._games[self._header.game].options}
        values = (options.get(name, by_name.get(name)) for name in BASES)
        return next((value for value in values if isinstance(value, int)), None)

    def _crossing(self, ways: Sequence[dict[str, int]]) -> int:
        """The place of the nearest one, found by halving: the chance of the first side rises or falls along the way."""
        low, high = 0, len(ways) - 1
        first, last = self._at(ways, low).first, self._at(ways, high).first
        if (first > 0.5) == (last > 0.5):
            # Not even the end makes the match even. Which end is the nearer one takes many matches to see.
            ends = {at: self._chance(ways[at], self._most) for at in (low, high)}
            self._found |= ends
            return min(ends, key=lambda at: abs(ends[at].first - 0.5))
        falls = first > last
        while high - low > 1 and not self._stop():
            middle = (low + high) // 2
            if (self._at(ways, middle).first > 0.5) == falls:
                low = middle
            else:
                high = middle
        # Of equals the one that was played more.
        return min(self._found, key=lambda at: (abs(self._found[at].first - 0.5), self._found[at].error))

    def _at(self, ways: Sequence[dict[str, int]], at: int) -> Chance:
        if at not in self._found:
            self._found[at] = self._chance(ways[at])
        return self._found[at]

    def _chance(self, handicap: dict[str, int], fewest: int = STEP) -> Chance:
        match = self._opened(handicap)
        if isinstance(match, Refusal):
            raise ValueError(f"{self._header.game} refuses the handicap {handicap}: {match}")
        first = self._sides[0][0]
        computed = self._computed(match, self._hands)
        if computed is not None:
            return Chance(computed[first])
        found = counting(match.view())
        count(match.game, match.state, self._hands, found, self._random, lambda played: self._goes_on(found, fewest))
        return _played(found, first)

    def _goes_on(self, found: Count, fewest: int) -> bool:
        """Whether more matches must show on which side of a half the chance is."""
        if found.matches % STEP or not found.matches:
            return True
        if found.matches >= self._most or self._stop():
            return False
        chance = _played(found, self._sides[0][0])
        return found.matches < fewest or abs(chance.first - 0.5) < SURE * chance.error

    def _opened(self, handicap: dict[str, int]) -> Match | Refusal:
        options = {name: value for name, value in self._header.options.items() if name != OPTION}
        header = replace(self._header, options=options | ({OPTION: handicap} if handicap else {}))
        return open_match(header, self._games, self._faces)


def axis(first: str, second: str, kind: PerPlayer, base: int | None) -> list[dict[str, int]]:
    """All handicaps in a line, from the highest number for the first side to the highest one for the second."""
    return [
        *reversed(_one_side(first, second, kind, base)),
        {},
        *_one_side(second, first, kind, base),
    ]


def _one_side(name: str, other: str, kind: PerPlayer, base: int | None) -> list[dict[str, int]]:
    """The handicaps with a higher number for one side, from the smallest difference to the greatest.

    Where everybody has a number, the higher one goes to the double of it, then the lower one down to the lowest, then
    the higher one up to the highest: a match is not made longer than it must be.
    """
    if base is None:
        return [{name: value} for value in range(kind.low, kind.high + 1)]
    double = min(2 * base, kind.high)
    return [
        *({name: value} for value in range(base + 1, double + 1)),
        *({name: double, other: value} for value in range(base - 1, kind.low - 1, -1)),
        *({name: value, other: kind.low} for value in range(double + 1, kind.high + 1)),
    ]


def _kind(game: Game[Any]) -> PerPlayer | None:
    found = next((option.kind for option in game.options if option.name == OPTION), None)
    return found if isinstance(found, PerPlayer) and found.whole else None


def _played(found: Count, first: str) -> Chance:
    chance = found.chances()[first]
    return Chance(chance, sqrt(max(chance * (1 - chance), 1e-3) / max(found.matches, 1)))
