"""Where a bot aims in Cricket of two, by networks that learned by playing themselves. Without numpy.

`tests/twin/learn_cricket.py` makes the networks. Each says the chance of the thrower to win from a state, for a hand
as good as the opponent's; the bot aims where that is highest on average. A choice takes some milliseconds.
"""

import base64
import json
import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import mul
from pathlib import Path
from typing import Any, Final, NamedTuple

from engine.aiming import Spot, nearest, spots_at
from engine.games.cricket_state import CLOSED, DARTS, State
from engine.segments import BULL

FILE: Final = Path(__file__).with_name("cricket_networks.json")
NUMBERS: Final = (20, 19, 18, 17, 16, 15, BULL)
ROUNDS: Final = 20
MARKS: Final = 3
"""The most marks of a dart."""
STANDINGS: Final = 16
"""What the marks of both sides on a number can be together."""
DENSE: Final = 13
FARTHEST: Final = 1.45
"""By which factor the spread of a bot may differ from that with which its network learned."""
SCALES: Final = (15, 40, 100, 250)
"""The leads at which a network sees one clearly."""
_SKILLS_KEPT: Final = 16

Row = tuple[float, ...]


class Position(NamedTuple):
    """A state as its thrower sees it: marks on each number, the lead in points and in marks that counted."""

    own: tuple[int, ...]
    other: tuple[int, ...]
    lead: int
    ahead: int
    round: int
    is_first: bool
    darts: int


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Two hidden layers. `standing` has a row for each standing on each number, `dense` for each other thing that is
    seen, and `second` for each node that it leads to."""

    skill_mm: float
    places: tuple[tuple[float, float], ...]
    """The points that are worth an aim: mm from the centre, and sectors clockwise from the middle of 20."""
    standing: tuple[Row, ...]
    dense: tuple[Row, ...]
    first: Row
    second: tuple[Row, ...]
    second_bias: Row
    last: Row
    last_bias: float

    def chance(self, at: Position) -> float:
        """The chance of the thrower to win."""
        one = [max(0.0, sum(parts)) for parts in zip(*self._parts(at), strict=True)]
        total = self.last_bias
        for bias, weights, out in zip(self.second_bias, self.second, self.last, strict=True):
            if (value := bias + sum(map(mul, one, weights))) > 0:
                total += value * out
        return 1 / (1 + math.exp(-total))

    def _parts(self, at: Position) -> tuple[Row, ...]:
        """What leads to the first layer, to be added."""
        standings = enumerate(zip(at.own, at.other, strict=True))
        rows = [self.standing[n * STANDINGS + own * 4 + other] for n, (own, other) in standings]
        return (*rows, _of_lead(self, at.lead), _of_time(self, at.round, at.is_first, at.darts))

    def weighted(self, seen: Sequence[float], rows: Sequence[Row]) -> Row:
        """The sum of rows, each as much as is seen of it."""
        return tuple(sum(map(mul, seen, column)) for column in zip(*rows, strict=True))


@lru_cache(2048)
def _of_lead(network: Network, lead: int) -> Row:
    scaled = [math.tanh(lead / scale) for scale in SCALES]
    return network.weighted((*scaled, lead > 0, lead >= 0, lead / 100), network.dense[:7])


@lru_cache(512)
def _of_time(network: Network, round_: int, is_first: bool, darts: int) -> Row:
    left = ROUNDS - round_
    seen = (math.exp(-left / 2), math.exp(-left / 6), is_first, *(darts == each for each in range(DARTS)))
    return network.weighted((1, *seen), (network.first, *network.dense[7:]))


@lru_cache(1)
def networks() -> tuple[Network, ...]:
    """The networks of the package, by rising spread."""
    return tuple(map(_network, json.loads(FILE.read_text("utf-8"))))


def network_of(skill_mm: float) -> Network:
    """The network that learned with the nearest spread."""
    return min(networks(), key=lambda each: abs(math.log(each.skill_mm / skill_mm)))


def _network(about: dict[str, Any]) -> Network:
    one, two = about["hidden"]
    data = base64.b64decode(about["weights"])
    values = iter(struct.unpack(f"<{len(data) // 2}e", data))

    def row(size: int) -> Row:
        return tuple(next(values) for _ in range(size))

    def rows(count: int, size: int) -> tuple[Row, ...]:
        return tuple(row(size) for _ in range(count))

    standing, dense, first, second = rows(len(NUMBERS) * STANDINGS, one), rows(DENSE, one), row(one), rows(one, two)
    biases, last, (bias,) = row(two), row(two), row(1)
    places = tuple((float(radius), float(sectors)) for radius, sectors in about["places"])
    second = tuple(zip(*second, strict=True))
    return Network(float(about["skill_mm"]), places, standing, dense, first, second, biases, last, bias)


def knows(skill_mm: float) -> bool:
    """Whether a network has learned with a spread near enough to this one, in mm."""
    return 1 / FARTHEST < skill_mm / network_of(skill_mm).skill_mm < FARTHEST


def can_aim(state: State, skill_mm: float) -> bool:
    """Whether the networks know the rules of this match and this spread in mm, and a dart is due."""
    rules = state.rules
    usual = rules.mode == "standard" and rules.numbers == NUMBERS and rules.rounds == ROUNDS
    due = not state.best and not state.finished and len(state.darts) < DARTS
    return usual and due and len(state.seats) == len(rules.players) == 2 and knows(skill_mm)


def best_spot(state: State, skill_mm: float) -> Spot:
    """The point to aim at for a player with this spread in mm, in a state that `can_aim` takes."""
    network = network_of(skill_mm)
    mine, other = state.seats[state.player], state.seats[1 - state.player]
    at = Position(
        *(mine.marks, other.marks, mine.score - other.score, mine.counted - other.counted),
        *(state.round, state.player == 0, len(state.darts)),
    )
    worth = worths(at, network)
    found, odds = _odds(network.skill_mm, nearest(skill_mm))
    averages = [sum(map(mul, row, worth)) for row in odds]
    return found[averages.index(max(averages))]


@lru_cache(_SKILLS_KEPT)
def _odds(network_mm: float, skill_mm: int) -> tuple[tuple[Spot, ...], tuple[Row, ...]]:
    """The points of a network, and the chance of each of the beds of `worths` from there."""
    found = spots_at(network_of(network_mm).places, skill_mm)
    return found, tuple(_beds(spot) for spot in found)


def _beds(spot: Spot) -> Row:
    odds = [0.0] * (len(NUMBERS) * MARKS + 1)
    for bed, chance in spot.odds.items():
        known = bed.number in NUMBERS and bed.multiplier > 0
        odds[NUMBERS.index(bed.number) * MARKS + bed.multiplier - 1 if known else -1] += chance
    return tuple(odds)


def worths(at: Position, network: Network) -> Row:
    """The chance of the thrower after each bed: of each number with one, two and three marks, and of any other one."""
    missed = _after(at, 0, 0, network)
    found = []
    for n in range(len(NUMBERS)):
        is_dead = at.own[n] == at.other[n] == CLOSED
        found += [missed if is_dead else _after(at, n, marks, network) for marks in range(1, MARKS + 1)]
    return (*found, missed)


def _after(at: Position, n: int, hit: int, network: Network) -> float:
    closing = min(CLOSED - at.own[n], hit)
    scoring = hit - closing if at.other[n] < CLOSED else 0
    own = (*at.own[:n], at.own[n] + closing, *at.own[n + 1 :])
    lead, ahead = at.lead + scoring * NUMBERS[n], at.ahead + closing + scoring
    if lead >= 0 and all(marks == CLOSED for marks in own):
        return 1.0
    if at.darts + 1 < DARTS:
        return network.chance(at._replace(own=own, lead=lead, ahead=ahead, darts=at.darts + 1))
    if not at.is_first and at.round == ROUNDS:
        return 0.5 if lead == ahead == 0 else float((lead, ahead) > (0, 0))
    following = at.round + (not at.is_first)
    return 1 - network.chance(Position(at.other, own, -lead, -ahead, following, not at.is_first, 0))
