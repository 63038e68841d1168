"""How much more of Cricket a bot could win: a policy that learns by playing itself, against the game's advice.

`python -m tests.twin.cricket_learned 17 --seconds 240` learns for one spread, in that much processor time, and plays
4,000 seat-swapped matches of equal hands.

A small network says the chance of the thrower to win from a state. It learns from what the best of all aims brings, of
which the chances of the beds are known, so that no luck of a match is in it (fitted value iteration on the states that
are reached).
"""

import argparse
import time
from dataclasses import dataclass, field, fields
from typing import Final

import numpy as np
import numpy.typing as npt

from twin.cricket_matches import BEDS, NUMBERS, ROUNDS, Floats, Hand, Ints, Matches, Policy, advised, play_out

Weights = npt.NDArray[np.float32]

STANDINGS: Final = 16
"""What the marks of both sides on a number can be together."""
DENSE: Final = 13
HIDDEN: Final = (96, 32)
AT_ONCE: Final = 1536
"""Matches that are played at once while it learns."""
EXPLORING: Final = (0.0, 0.02, 0.1, 0.3)
"""How often a match draws its aim nearly at random, among those that are about as good."""
RATES: Final = (2e-3, 2e-5)
"""The rate of learning at the beginning, and at the end."""


def seen(matches: Matches) -> tuple[Ints, Weights]:
    """The states as the thrower sees them: the standing on each number, and lead, round, turn and darts as numbers."""
    rows, mine = np.arange(len(matches.player)), matches.player
    own, other = matches.marks[rows, mine], matches.marks[rows, 1 - mine]
    standing = own * 4 + other + STANDINGS * np.arange(len(NUMBERS), dtype=np.int32)
    lead = (matches.score[rows, mine] - matches.score[rows, 1 - mine]).astype(np.float32)
    left = (ROUNDS - matches.round).astype(np.float32)
    parts = [np.tanh(lead / scale) for scale in (15, 40, 100, 250)]
    parts += [lead > 0, lead >= 0, lead / 100, np.exp(-left / 2), np.exp(-left / 6), 1 - mine]
    parts += [matches.darts == darts for darts in range(3)]
    return standing, np.stack(parts, axis=1).astype(np.float32)


@dataclass(slots=True)
class Network:
    """Two hidden layers. `standing` has a row for each standing on each number."""

    standing: Weights
    dense: Weights
    first: Weights
    second: Weights
    second_bias: Weights
    last: Weights
    last_bias: Weights
    _steps: int = 0
    _mean: dict[str, Weights] = field(default_factory=dict)
    _square: dict[str, Weights] = field(default_factory=dict)

    @classmethod
    def new(cls, seed: int) -> "Network":
        random, (one, two) = np.random.default_rng(seed), HIDDEN

        def drawn(rows: int, columns: int, spread: float) -> Weights:
            return (random.normal(size=(rows, columns)) * spread).astype(np.float32)

        def none(size: int) -> Weights:
            return np.zeros(size, np.float32)

        standing = drawn(STANDINGS * len(NUMBERS), one, 0.15)
        return cls(standing, drawn(DENSE, one, 0.3), none(one), drawn(one, two, 0.15), none(two), none(two), none(1))

    def chance(self, standing: Ints, dense: Weights) -> Weights:
        """The chance of the thrower."""
        return self._layers(standing, dense)[-1]

    def _layers(self, standing: Ints, dense: Weights) -> tuple[Weights, Weights, Weights]:
        sums = dense @ self.dense + self.first
        for number in range(len(NUMBERS)):
            sums += self.standing[standing[:, number]]
        one = np.maximum(sums, 0)
        two = np.maximum(one @ self.second + self.second_bias, 0)
        return one, two, (1 / (1 + np.exp(-(two @ self.last + self.last_bias)))).astype(np.float32)

    def learn(self, standing: Ints, dense: Weights, wanted: Weights, rate: float) -> None:
        """One step of Adam towards the wanted chances."""
        one, two, chance = self._layers(standing, dense)
        off = ((chance - wanted) / len(wanted)).astype(np.float32)
        into_two: Weights = off[:, None] * self.last * (two > 0)
        into_one: Weights = (into_two @ self.second.T) * (one > 0)
        is_at = np.zeros((len(wanted), len(self.standing)), np.float32)
        is_at[np.arange(len(wanted))[:, None], standing] = 1
        slopes: dict[str, Weights] = {
            "standing": is_at.T @ into_one,
            "dense": dense.T @ into_one,
            "first": into_one.sum(axis=0),
            "second": one.T @ into_two,
            "second_bias": into_two.sum(axis=0),
            "last": two.T @ off,
            "last_bias": off.sum(keepdims=True),
        }
        self._steps += 1
        for each in fields(self)[: len(slopes)]:
            name, slope = each.name, slopes[each.name]
            mean, square = self._mean.get(name, 0 * slope), self._square.get(name, 0 * slope)
            self._mean[name] = mean = mean + 0.1 * (slope - mean)
            self._square[name] = square = square + 0.001 * (slope**2 - square)
            step = mean / (1 - 0.9**self._steps) / (np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8)
            getattr(self, name)[...] -= rate * step


def worths(matches: Matches, network: Network) -> Floats:
    """The chance of the thrower after each bed, by match."""
    count = len(matches.player)
    after, thrower = matches.only(np.repeat(np.arange(count), BEDS)), np.repeat(matches.player, BEDS)
    won = after.throw(np.tile(np.arange(BEDS, dtype=np.int32), count))
    found, going = np.where(thrower == 0, won, 1 - won), won < 0
    on = after.only(np.flatnonzero(going))
    chance = network.chance(*seen(on))
    found[going] = np.where(on.player == thrower[going], chance, 1 - chance)
    return found.reshape(count, BEDS)


def policy(network: Network) -> Policy:
    """Aims where the network's chance is highest on average."""

    def aims(matches: Matches, hand: Hand) -> Ints:
        found: Ints = np.argmax(worths(matches, network) @ hand.odds.T, axis=1).astype(np.int32)
        return found

    return aims


def learn(hand: Hand, seconds: float, seed: int) -> Network:
    """A network that has played itself for this many seconds of processor time."""
    network, random = Network.new(seed), np.random.default_rng(seed)
    matches, explores = Matches.begun(AT_ONCE), random.choice(EXPLORING, AT_ONCE)
    start, rows = time.process_time(), np.arange(AT_ONCE)
    while (part := (time.process_time() - start) / seconds) < 1:
        averages = worths(matches, network) @ hand.odds.T
        best = averages.argmax(axis=1)
        network.learn(*seen(matches), averages[rows, best].astype(np.float32), RATES[0] * (1 - part) + RATES[1])
        tried = (averages + random.gumbel(size=averages.shape) * 0.02).argmax(axis=1)
        aims = np.where(random.random(AT_ONCE) < explores, tried, best)
        won = matches.throw((hand.bounds[aims] < random.random((AT_ONCE, 1))).sum(axis=1).astype(np.int32))
        over = np.flatnonzero(won >= 0)
        matches.put(over, Matches.begun(len(over)))
    return network


def share_won(network: Network, hand: Hand, matches: int, seed: int) -> float:
    """The part of seat-swapped matches that the network wins against the game's advice."""
    won, half = 0.0, matches // 2
    for first in (0, 1):
        whose = np.tile(np.array([first, 1 - first], np.int32), (half, 1))
        shares = play_out(Matches.begun(half), (hand, hand), whose, seed + first, (policy(network), advised))
        won += (shares if first == 0 else 1 - shares).sum()
    return won / (2 * half)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spread", type=float, help="of both hands, in mm")
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--matches", type=int, default=4_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    hand = Hand.of(asked.spread)
    share = share_won(learn(hand, asked.seconds, asked.seed), hand, asked.matches, asked.seed)
    error = (share * (1 - share) / asked.matches) ** 0.5
    print(f"{asked.spread:g} mm: {share:.1%} ± {error:.1%} of {asked.matches:,} matches against the game's advice")


if __name__ == "__main__":
    main()
