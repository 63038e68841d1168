"""Finds the handicap with which two sides have the same chance to win, from the options that their game offers.

It works for every game with an option `handicap` that is a number for each player, those of other packages included:
whether a higher number helps or harms is found by playing. If that option is too coarse, points to begin with follow,
where the game has an option `handicap_points`. Where numpy is installed X01 is computed, and many matches of Cricket
are played at once.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

from daemon.session.fair_line import EVEN, VAGUE, PlayedLine, nearest_known
from daemon.session.fair_numbers import nearest_pair
from daemon.session.logistic_curve import Chance
from daemon.session.rollouts import Computed, count, counting
from engine.faces import Faces
from engine.game import Game
from engine.match import Header, Match
from engine.matchfile import Games, open_match
from engine.options import PerPlayer
from engine.refusals import Refusal

SMALL: Final = 20
"""Up to this number that everybody has, as of lives, one more or less is a coarse step."""
MOST_TIMES: Final = 5
"""How many times as high as the usual number one may be where both sides have one of their own."""
OPTION: Final = "handicap"
POINTS: Final = "handicap_points"
"""The option of a game whose handicap may be too coarse: points to begin with, on top of it."""
NONE: Final = Refusal("bad_option", "This game has no handicap that is a number for each player; choose another game.")
NOT_TWO: Final = Refusal("bad_players", "A fair handicap is for two sides: two players, or two teams.")
NO_HAND: Final = Refusal(
    "bad_players", "A fair handicap needs the hand of every player: of a bot its skill, of a person the darts thrown."
)

TOO_LONG: Final = Refusal(
    "not_awaited", "A fair handicap for this game takes too long to find on this machine; choose one yourself."
)


@dataclass(frozen=True, slots=True)
class FairHandicap:
    """A handicap by player, empty if none is needed, the chance of each player with it, and its standard error.

    `points` are those to begin with where the handicap alone is too coarse.
    """

    handicap: dict[str, int]
    chance: dict[str, float]
    error: float
    points: dict[str, int] = field(default_factory=dict)
    is_stopped: bool = False
    """Whether the search was stopped before it found one that is even."""

    @property
    def is_even(self) -> bool:
        """Whether the chances are as even as EVEN says, and known as well; if not, the game allows nothing nearer, or
        `is_vague`."""
        return not self.is_vague and all(abs(chance - 0.5) <= EVEN for chance in self.chance.values())

    @property
    def is_vague(self) -> bool:
        """Whether the time did not suffice to know how even the chances are, or whether others are more even."""
        return self.is_stopped or self.error > EVEN


Compute = Callable[[Match, Mapping[str, float]], Computed | None]
"""Returns the chances in a match if there is a quicker way than to play it by the rules; else None."""
Given = Mapping[str, Mapping[str, int]]
"""The handicap, and the points to begin with, by the name of the option."""


class FairSearch:
    """Searches for the handicap of a match of two sides. `most` matches of one handicap are enough to know its chance.

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

    def find(self) -> FairHandicap | Refusal:
        """Returns the handicap that comes nearest to even chances; a refusal if the match has none, or if `stop` ended
        the search before the chance of one was known."""
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
        elif kind.instead_of and not fair.is_even and not self._stop():
            fair = self._own_for_both(fair, kind)
        if not self._stop() or fair.is_even:
            return fair
        return TOO_LONG if fair.error > VAGUE else replace(fair, is_stopped=True)

    def _nearest(self, given: Given, option: str, kind: PerPlayer, most: int) -> FairHandicap:
        """The numbers of an option, on top of what is `given`, that come nearest to even chances."""
        first, second = self._sides[0][0], self._sides[1][0]
        line: list[Given] = [{**given, option: numbers} for numbers in axis(first, second, kind, self._base(kind))]
        ways = self._allowed(line)
        played = PlayedLine(len(ways), lambda at, matches: self._won(ways[at], matches), most, self._stop)
        found = nearest_known(len(ways), lambda at: self._computed_chance(ways[at]), self._stop)
        at, chance = found or played.nearest()
        return self._fair(ways[at], chance)

    def _fair(self, given: Given, chance: Chance) -> FairHandicap:
        both = (chance.first, 1 - chance.first)
        by_name = {name: part for side, part in zip(self._sides, both, strict=True) for name in side}
        return FairHandicap(dict(given[OPTION]), by_name, chance.error, dict(given.get(POINTS, {})))

    def _own_for_both(self, fair: FairHandicap, kind: PerPlayer) -> FairHandicap:
        """A number of their own for both sides, where one for one side is too coarse: if it is nearer to even."""
        first, second = self._sides[0][0], self._sides[1][0]
        usual = self._base(kind)
        if usual is None or usual > SMALL:
            return fair

        def given(pair: tuple[int, int]) -> Given:
            return {OPTION: {name: own for name, own in zip((first, second), pair, strict=True) if own != usual}}

        def play(pair: tuple[int, int], unless_off: float = 0.5) -> Chance:
            line = PlayedLine(1, lambda _, matches: self._won(given(pair), matches), self._most, self._stop)
            return line.chance(0, unless_off)

        near = fair.handicap.get(first, usual), fair.handicap.get(second, usual)
        # Where nothing is given, the next step shows how steep the chance is.
        beside = (usual, usual) if near != (usual, usual) else (min(usual + 1, kind.high), usual)
        known = {near: Chance(fair.chance[first], fair.error), beside: play(beside)}
        most = min(MOST_TIMES * usual, kind.high)
        numbers = range(kind.low, most + 1)
        pairs = [(one, other) for one in numbers for other in numbers]
        pairs = [pair for pair in pairs if not isinstance(self._opened(given(pair)), Refusal)]
        found, chance = nearest_pair(pairs, known, play, self._stop)
        return self._fair(given(found), chance)

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

    def _computed_chance(self, given: Given) -> Chance | None:
        match = self._handicapped(given)
        found = self._computed(match, self._hands)
        return None if found is None else Chance(found.chance[self._sides[0][0]], found.error)

    def _won(self, given: Given, matches: int) -> float:
        """How many of so many matches the first side wins."""
        match = self._handicapped(given)
        found = counting(match.view())
        count(match.game, match.state, self._hands, found, self._random, lambda played: played < matches)
        return found.won(self._sides[0][0])

    def _handicapped(self, given: Given) -> Match:
        match = self._opened(given)
        if isinstance(match, Refusal):
            raise ValueError(f"{self._header.game} refuses the handicap {given}: {match}")
        return match

    def _opened(self, given: Given) -> Match | Refusal:
        options = {**self._header.options, **{name: dict(numbers) for name, numbers in given.items() if numbers}}
        return open_match(replace(self._header, options=options), self._games, self._faces)


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
