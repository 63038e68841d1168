"""How much more of Cricket a bot could win: a policy that learns by playing itself, against the game's advice.

`python -m tests.twin.learn_cricket 17 --seconds 200` learns for one spread, in that much processor time, and plays
10,000 seat-swapped matches of equal hands, by `twin/cricket_matches.py`. `--keep FILE` writes what was learned, `--read
FILE` plays with it.

A small network says the chance of the thrower to win from a state, and the policy aims where that is highest on
average. It learns in C (`cricket_trainer.c`), many times as fast as with numpy. It aims at any point of the board,
not only at those of a list.
"""

import argparse
import base64
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.segments import BULL
from twin import cricket_matches, cricket_policy
from twin.aim_points import aim_points
from twin.bed_integrals import SEEN, shares
from twin.cricket_learned import Network, Place, hand_at, learned_player, policy
from twin.cricket_matches import BEDS, Hand, Matches, Player, bed_of, play_out
from twin.fit import Point
from twin.hand import Hand as RoundHand

TRAINER: Final = Path(__file__).with_name("cricket_trainer.c")
HIDDEN: Final = (64, 32)
TRIED: Final = 60
"""Matches whose states show which points are worth an aim."""
NOISE: Final = 0.5
"""How far worths are drawn from those of the advice to find these points: the standard deviation of the logarithm."""


def free_hand(spread: float) -> tuple[tuple[Place, ...], Hand]:
    """The places that may be worth an aim, as `engine.aiming.spots_at` takes them, and what comes of each."""
    listed, hand = Player(Hand.of(spread)), RoundHand(spread, spread)
    points = aim_points(hand)
    states: list[Matches] = []
    whose = np.tile(np.array([0, 1], np.int32), (TRIED, 1))
    play_out(
        *(Matches.begun(TRIED), (listed, listed), whose, 1), look=lambda _at, some: states.append(some.only(_all(some)))
    )
    values = np.concatenate([cricket_matches.worths(some) for some in states])
    values *= np.exp(np.random.default_rng(1).normal(size=values.shape) * NOISE)
    beds = [bed_of(BULL if bed.is_bull else bed.number, bed.multiplier) for bed in SEEN[:83]]
    odds = np.zeros((len(points), BEDS))
    for at, point in enumerate(points):
        np.add.at(odds[at], beds, shares(point, hand.mean, hand.spread)[:83])
    used = np.unique((values @ odds.T).argmax(axis=1))
    places = tuple(place_of(points[at]) for at in used)
    return places, hand_at(places, spread)


def place_of(point: Point) -> Place:
    """The distance from the centre in mm, and the sectors clockwise from the middle of 20."""
    x, y = point
    return round(math.hypot(x, y), 3), round(math.atan2(x, y) / math.tau * 20 % 20, 3) % 20


def _all(matches: Matches) -> npt.NDArray[np.intp]:
    return np.arange(len(matches.player))


def learn(hand: Hand, seconds: float, seed: int, hidden: tuple[int, int] = HIDDEN) -> bytes:
    """The weights of a network that has played itself for this many seconds of processor time."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "trainer"
        options = ("-O3", "-march=native", "-ffast-math")
        subprocess.run(["cc", *options, "-o", program, TRAINER, "-lm"], check=True)
        command = [str(program), f"{seconds:g}", str(seed), *map(str, hidden)]
        odds = hand.odds.astype(np.float32).tobytes()
        return subprocess.run(command, input=odds, stdout=subprocess.PIPE, check=True).stdout


def ship(spread: float, weights: bytes, places: tuple[Place, ...]) -> None:
    """Puts a network into the package, in place of one for the same spread."""
    file = cricket_policy.FILE
    others = json.loads(file.read_text("utf-8")) if file.exists() else []
    halves = base64.b64encode(np.frombuffer(weights, np.float32).astype("<f2").tobytes()).decode()
    about = {"skill_mm": spread, "hidden": HIDDEN, "places": places, "weights": halves}
    kept = sorted([each for each in others if each["skill_mm"] != spread] + [about], key=lambda each: each["skill_mm"])
    file.write_text(json.dumps(kept, indent=1) + "\n")


def share_won(player: Player, other: Player, matches: int, seed: int) -> float:
    """The part of seat-swapped matches that a player wins against another one."""
    won, half = 0.0, matches // 2
    for first in (0, 1):
        whose = np.tile(np.array([first, 1 - first], np.int32), (half, 1))
        shares_won = play_out(Matches.begun(half), (player, other), whose, seed + first)
        won += (shares_won if first == 0 else 1 - shares_won).sum()
    return won / (2 * half)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spread", type=float, help="of both hands, in mm")
    parser.add_argument("--seconds", type=float, default=200)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="writes the weights")
    parser.add_argument("--read", type=Path, metavar="FILE", help="plays with these weights")
    parser.add_argument("--shipped", action="store_true", help="plays with the networks of the package")
    parser.add_argument("--ship", action="store_true", help="puts the network into the package")
    asked = parser.parse_args()
    if asked.shipped:
        player = learned_player(asked.spread)
    else:
        places, hand = free_hand(asked.spread)
        weights = asked.read.read_bytes() if asked.read else learn(hand, asked.seconds, asked.seed)
        if asked.keep:
            asked.keep.write_bytes(weights)
        player = Player(hand, policy(Network.of(weights, HIDDEN)))
        if asked.ship:
            ship(asked.spread, weights, places)
    print(f"{len(player.hand.odds)} points to aim at", file=sys.stderr)
    share = share_won(player, Player(Hand.of(asked.spread)), asked.matches, asked.seed)
    error = (share * (1 - share) / asked.matches) ** 0.5
    print(f"{asked.spread:g} mm: {share:.1%} ± {error:.1%} of {asked.matches:,} matches against the game's advice")


if __name__ == "__main__":
    main()
