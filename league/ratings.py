"""One rating of each player over all games, with its uncertainty: Weng-Lin's Plackett-Luce model, by openskill.

A match counts if it was played to its end by two or more sides on equal terms:

- A side with a bot is left out, since a bot is as good as it was set. The people of the others are rated among
  themselves; with one side left, nobody is.
- A drill, or any match of one side, counts nothing. Nor does a match in which an option gives a player something of
  their own, like a handicap: it is meant to be even.

Ratings depend on the order of the matches, so whoever keeps them starts again from the first match that has changed.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

FIRST_MEAN: Final = 25.0
FIRST_DEVIATION: Final = 25.0 / 3
"""What openskill begins with."""
POINTS: Final = 60
"""Points for one of openskill's units, so that a new player is shown with 1500."""
DIGITS: Final = 6
"""Digits that are kept after each match. The last bits differ between machines and builds of openskill."""
SURE: Final = 3
"""How many standard errors below their rating a player is ranked, so that nobody leads after one lucky match."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength in openskill's units: its mean, its standard error, and over how many matches."""

    mean: float = FIRST_MEAN
    deviation: float = round(FIRST_DEVIATION, DIGITS)
    matches: int = 0

    @property
    def points(self) -> int:
        """The rating as people see it: 1500 for a new player."""
        return round(POINTS * self.mean)

    @property
    def error(self) -> int:
        """The standard error of the points."""
        return round(POINTS * self.deviation)

    @property
    def least(self) -> int:
        """The points by which players are ranked: the rating less `SURE` errors."""
        return round(POINTS * (self.mean - SURE * self.deviation))


NEW: Final = Rating()


@dataclass(frozen=True, slots=True)
class Ranking:
    """How a match that counts ended: its sides, and the place of each from 1. Sides that drew share a place."""

    sides: tuple[tuple[str, ...], ...]
    places: tuple[int, ...]


def ranking(
    sides: Iterable[tuple[str, ...]],
    winners: Collection[str],
    places: Mapping[str, int],
    bots: Collection[str],
    options: Mapping[str, Any],
) -> Ranking | None:
    """The ranking of a match that was played to its end; None if it does not count.

    `places` has those that the game tells, by player; without them all who did not win share the second place. Nobody
    among `winners` means that all sides drew.
    """
    sides = [side for side in sides if side]
    everyone = {name for side in sides for name in side}
    people = [side for side in sides if not set(side) & set(bots)]
    if len(people) < 2 or not _even(options, everyone):
        return None
    found = sorted((_place(side, winners, places), side) for side in people)
    return Ranking(tuple(side for _, side in found), tuple(place for place, _ in found))


def rate(ratings: Mapping[str, Rating], of: Ranking) -> dict[str, Rating]:
    """The ratings of the players of a match after it. Who has none yet is new."""
    model, before = _model(), [[ratings.get(name, NEW) for name in side] for side in of.sides]
    teams = [[model.create_rating([one.mean, one.deviation]) for one in side] for side in before]
    after = model.rate(teams, ranks=[float(place) for place in of.places])
    return {
        name: Rating(round(float(new.mu), DIGITS), round(float(new.sigma), DIGITS), old.matches + 1)
        for names, olds, news in zip(of.sides, before, after, strict=True)
        for name, old, new in zip(names, olds, news, strict=True)
    }


@cache
def _model() -> "PlackettLuce":
    # Imported with the first match: a daemon that only plays does without its two megabytes.
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=FIRST_MEAN, sigma=FIRST_DEVIATION)


def _place(side: Iterable[str], winners: Collection[str], places: Mapping[str, int]) -> int:
    if not winners or any(name in winners for name in side):
        return 1
    return max(2, min((places[name] for name in side if name in places), default=2))


def _even(options: Mapping[str, Any], players: Collection[str]) -> bool:
    """Whether no option gives some of the players something of their own; legs of a medley have options as well."""
    for value in options.values():
        if isinstance(value, Mapping):
            if value and set(value) <= set(players):
                return False
            if not _even(value, players):
                return False
        elif isinstance(value, list | tuple) and not all(
            _even(one, players) for one in value if isinstance(one, Mapping)
        ):
            return False
    return True
