"""Finds the handicap with which two sides have the same chance to win, from the options that their game offers.

It works for every game with an option `handicap` that is a number for each player, those of other packages included:
whether a higher number helps or harms is found by playing. If that option is too coarse, points to begin with follow,
where the game has an option `handicap_points`. Where numpy is installed X01 is computed, and many matches of Cricket
are played at once.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
POINTS: Final = "handicap_points"
"""The option of a game whose handicap may be too coarse: points to begin with, on top of it."""
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
    """A handicap by player, empty if none is needed, the chance of each player with it, and its standard error.

    `points` are those to begin with where the handicap alone is too coarse.
    """

    handicap: dict[str, int]
    chance: dict[str, float]
    error: float
    points: dict[str, int] = field(default_factory=dict)

    @property
    def is_even(self) -> bool:
        """Whether the chances are as even as EVEN says; if not, the game allows nothing nearer."""
        return all(abs(chance - 0.5) <= EVEN + min(self.error, EVEN) for chance in self.chance.values())


@dataclass(frozen=True, slots=True)
class Computed:
    """The chance of each player, and its standard error."""

    chance: Mapping[str, float]
    error: float = 0.0


Compute = Callable[[Match, Mapping[str, float]], Computed | None]
"""Returns the chances in a match if there is a quicker way than to play it by the rules; else None."""
Given = Mapping[str, Mapping[str, int]]
"""The handicap, and the points to begin with, by the name of the option."""


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
        computed: Compute = lambda _match, _hands: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        options = {name: value for name, value in header.options.items() if name not in (OPTION, POINTS)}
        self._games, self._faces, self._header, self._hands = games, faces, replace(header, options=options), hands
        self._random, self._most, self._computed, self._stop = random, most, computed, stop
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
        kind, points = (None, None) if game is None else (_kind(game, OPTION), _kind(game, POINTS))
        if kind is None:
            return NONE
        # Where points can follow, the handicap alone need not be known that well.
        fair = self._nearest({}, OPTION, kind, self._most // 5 if points is not None else self._most)
        if points is not None and not fair.is_even:
            finer = self._nearest({OPTION: fair.handicap}, POINTS, points, self._most)
            fair = min(fair, finer, key=lambda each: abs(each.chance[self._sides[0][0]] - 0.5))
        return TOO_LONG if self._stop() and not fair.is_even else fair

    def _nearest(self, given: Given, option: str, kind: PerPlayer, most: int) -> Fair:
        """The numbers of an option, on top of what is `given`, that come nearest to even chances."""
        first, second = self._sides[0][0], self._sides[1][0]
        ways: list[Given] = [{**given, option: numbers} for numbers in axis(first, second, kind, self._base(kind))]
        line = _Line(self._allowed(ways), lambda way, fewest: self._chance(way, fewest, most), most, self._stop)
        way, chance = line.nearest()
        both = (chance.first, 1 - chance.first)
        by_name = {name: part for side, part in zip(self._sides, both, strict=True) for name in side}
        return Fair(dict(way[OPTION]), by_name, chance.error, dict(way.get(POINTS, {})))

    def _base(self, kind: PerPlayer) -> int | None:
        """The number of those who have none of their own; None if they have nothing."""
        if not kind.instead_of:
            return None
        by_name = {option.name: option.default for option in self._games[self._header.game].options}
        value = self._header.options.get(kind.instead_of, by_name.get(kind.instead_of))
        return value if isinstance(value, int) else None

    def _allowed(self, ways: Sequence[Given]) -> Sequence[Given]:
        """The ways up to the highest number for either side that the options of this match allow.

        The line begins with the highest number for the first side, has none of both in it, and ends with the highest
        one for the second side.
        """
        allowed = [not isinstance(self._opened(ways[at]), Refusal) for at in (0, -1)]
        if all(allowed):
            return ways
        return [way for way in ways if not isinstance(self._opened(way), Refusal)]

    def _chance(self, given: Given, fewest: int, most: int) -> Chance:
        match = self._opened(given)
        if isinstance(match, Refusal):
            raise ValueError(f"{self._header.game} refuses the handicap {given}: {match}")
        first = self._sides[0][0]
        computed = self._computed(match, self._hands)
        if computed is not None:
            return Chance(computed.chance[first], computed.error)
        found = counting(match.view())
        goes_on: Callable[[int], bool] = lambda played: self._goes_on(found, fewest, most)  # noqa: E731
        count(match.game, match.state, self._hands, found, self._random, goes_on)
        return _played(found, first)

    def _goes_on(self, found: Count, fewest: int, most: int) -> bool:
        """Whether more matches must show on which side of a half the chance is."""
        if found.matches % STEP or not found.matches:
            return True
        if found.matches >= most or self._stop():
            return False
        chance = _played(found, self._sides[0][0])
        return found.matches < fewest or abs(chance.first - 0.5) < SURE * chance.error

    def _opened(self, given: Given) -> Match | Refusal:
        options = {**self._header.options, **{name: dict(numbers) for name, numbers in given.items() if numbers}}
        return open_match(replace(self._header, options=options), self._games, self._faces)


class _Line:
    """Handicaps along which the chance of the first side only rises, or only falls."""

    def __init__(
        self, ways: Sequence[Given], chance: Callable[[Given, int], Chance], most: int, stop: Callable[[], bool]
    ) -> None:
        """`chance` plays at least as many matches for a handicap as its second argument says, and `most` at most."""
        self._ways, self._chance, self._most, self._stop = ways, chance, most, stop
        self._found: dict[int, Chance] = {}

    def nearest(self) -> tuple[Given, Chance]:
        """The handicap whose chance is the nearest to a half, found by halving."""
        low, high = 0, len(self._ways) - 1
        first, last = self._at(low).first, self._at(high).first
        if (first > 0.5) == (last > 0.5):
            # Not even the end makes the match even. Which end is the nearer one takes many matches to see.
            self._found = {at: self._chance(self._ways[at], self._most) for at in (low, high)}
        else:
            falls = first > last
            while high - low > 1 and not self._stop():
                middle = (low + high) // 2
                if (self._at(middle).first > 0.5) == falls:
                    low = middle
                else:
                    high = middle
        # Of equals the one that was played more.
        best = min(self._found, key=lambda at: (abs(self._found[at].first - 0.5), self._found[at].error))
        return self._ways[best], self._found[best]

    def _at(self, at: int) -> Chance:
        if at not in self._found:
            self._found[at] = self._chance(self._ways[at], STEP)
        return self._found[at]


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


def _kind(game: Game[Any], name: str) -> PerPlayer | None:
    found = next((option.kind for option in game.options if option.name == name), None)
    return found if isinstance(found, PerPlayer) and found.whole else None


def _played(found: Count, first: str) -> Chance:
    chance = found.chances()[first]
    return Chance(chance, sqrt(max(chance * (1 - chance), 1e-3) / max(found.matches, 1)))
