"""Plays Cricket as bots do that have learned it, many matches at once with numpy.

The networks are those of `cricket_policy`, which reads them for one dart at a time and without numpy.
`tests/twin/test_cricket_policy.py` holds the two to each other.
"""

import base64
import json
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from engine.aiming import spots_at
from engine.games.cricket_state import CLOSED
from twin import cricket_policy
from twin.cricket_matches import BEDS, Floats, Hand, Ints, Matches, Player, Policy, bed_of
from twin.cricket_policy import DENSE, MARKS, NUMBERS, ROUNDS, SCALES, STANDINGS

Weights = npt.NDArray[np.float32]
Place = tuple[float, float]


def seen(matches: Matches) -> tuple[Ints, Weights]:
    """The states as the thrower sees them: the standing on each number, and lead, round, turn and darts as numbers.

    As `see` in the trainer.
    """
    rows, mine = np.arange(len(matches.player)), matches.player
    own, other = matches.marks[rows, mine], matches.marks[rows, 1 - mine]
    standing = own * 4 + other + STANDINGS * np.arange(len(NUMBERS), dtype=np.int32)
    lead = (matches.score[rows, mine] - matches.score[rows, 1 - mine]).astype(np.float32)
    left = (ROUNDS - matches.round).astype(np.float32)
    parts = [np.tanh(lead / scale) for scale in SCALES]
    parts += [lead > 0, lead >= 0, lead / 100, np.exp(-left / 2), np.exp(-left / 6), 1 - mine]
    parts += [matches.darts == darts for darts in range(3)]
    return standing, np.stack(parts, axis=1).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Network:
    """Two hidden layers. `standing` has a row for each standing on each number."""

    standing: Weights
    dense: Weights
    first: Weights
    second: Weights
    second_bias: Weights
    last: Weights
    last_bias: Weights

    @classmethod
    def of(cls, data: bytes, hidden: tuple[int, int]) -> "Network":
        """The network that the trainer has written. ValueError for another size."""
        one, two = hidden
        inner = ((DENSE, one), (one,), (one, two), (two,), (two,), (1,))
        shapes = ((STANDINGS * len(NUMBERS), one), *inner)
        sizes = [int(np.prod(shape)) for shape in shapes]
        values = np.frombuffer(data, np.float32)
        if len(values) != sum(sizes):
            raise ValueError(f"{len(values)} weights instead of {sum(sizes)}")
        parts = np.split(values, np.cumsum(sizes)[:-1])
        return cls(*(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)))

    def chance(self, standing: Ints, dense: Weights) -> Weights:
        """The chance of the thrower."""
        sums = dense @ self.dense + self.first
        for number in range(len(NUMBERS)):
            sums += self.standing[standing[:, number]]
        two = np.maximum(np.maximum(sums, 0) @ self.second + self.second_bias, 0)
        logit = np.clip(two @ self.last + self.last_bias, -50, 50)
        found: Weights = 1 / (1 + np.exp(-logit))
        return found


def worths(matches: Matches, network: Network) -> Floats:
    """The chance of the thrower after each bed, by match."""
    count = len(matches.player)
    differ = _differ(matches)
    row, bed = np.nonzero(differ)
    after, thrower = matches.only(row), matches.player[row]
    won = after.throw(bed.astype(np.int32))
    chance, going = np.where(thrower == 0, won, 1 - won), won < 0
    on = after.only(np.flatnonzero(going))
    theirs = network.chance(*seen(on))
    chance[going] = np.where(on.player == thrower[going], theirs, 1 - theirs)
    found = np.zeros((count, BEDS))
    found[row, bed] = chance
    for marks in range(MARKS):
        beds = slice(marks, BEDS - 1, MARKS)
        fewer = found[:, marks - 1 : BEDS - 1 : MARKS] if marks else found[:, -1:]
        found[:, beds] = np.where(differ[:, beds], found[:, beds], fewer)
    return found


def _differ(matches: Matches) -> npt.NDArray[np.bool_]:
    """Whether each bed does something else than the bed of the same number with one mark less, or than a miss.

    In the middle of a match half of them do not, and need not be looked at.
    """
    rows, mine = np.arange(len(matches.player)), matches.player
    missing, is_open = CLOSED - matches.marks[rows, mine], matches.marks[rows, 1 - mine] < CLOSED
    found = np.ones((len(rows), BEDS), np.bool_)
    for marks in range(1, MARKS + 1):
        found[:, marks - 1 : BEDS - 1 : MARKS] = is_open | (marks <= missing)
    return found


def policy(network: Network) -> Policy:
    """Aims where the network's chance is highest on average."""

    def aims(matches: Matches, hand: Hand) -> Ints:
        found: Ints = np.argmax(worths(matches, network) @ hand.odds.T, axis=1).astype(np.int32)
        return found

    return aims


def hand_at(places: tuple[Place, ...], spread: float) -> Hand:
    """What comes of each of these places for a spread in mm."""
    odds = np.zeros((len(places), BEDS))
    for at, spot in enumerate(spots_at(places, spread)):
        for bed, chance in spot.odds.items():
            odds[at, bed_of(bed.number, bed.multiplier)] += chance
    return Hand(odds, np.cumsum(odds, axis=1)[:, :-1])


@lru_cache(None)
def shipped(skill_mm: float) -> tuple[Network, tuple[Place, ...]]:
    """The network of the package that learned with this spread in mm, and the places at which it aims."""
    (about,) = (each for each in json.loads(cricket_policy.FILE.read_text("utf-8")) if each["skill_mm"] == skill_mm)
    halves = np.frombuffer(base64.b64decode(about["weights"]), "<f2").astype(np.float32)
    places = tuple((radius, sectors) for radius, sectors in about["places"])
    return Network.of(halves.tobytes(), tuple(about["hidden"])), places


def learned_player(spread: float) -> Player:
    """A bot with a spread in mm that `cricket_policy.knows`."""
    network, places = shipped(cricket_policy.network_of(spread).skill_mm)
    return Player(hand_at(places, spread), policy(network))
