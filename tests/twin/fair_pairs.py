"""How fair the handicaps are: ten pairs of hands play with theirs. `python -m tests.twin.fair_pairs x01`.

The handicap is found as for the start form; then so many matches are played by the rules and the game's own advice.
X01 and Cricket without other options are played many at once.
"""

import argparse
from collections.abc import Callable, Mapping
from random import Random
from typing import Final

import numpy as np

from daemon.cli.parsing import json_object
from daemon.session.chance_process import Chances
from daemon.session.fair_handicap import POINTS, FairHandicap
from daemon.session.rollouts import count, counting
from daemon.system.catalogue import faces, games
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from tests.twin import x01_matches
from twin import cricket_matches
from twin.cricket_learned import learned_player

PAIRS: Final = (
    ("Ada", 6.0, "Ben", 8.0),
    ("Cleo", 6.0, "Dan", 12.0),
    ("Eve", 8.0, "Finn", 16.0),
    ("Gwen", 10.0, "Hal", 12.0),
    ("Ida", 12.0, "Jon", 25.0),
    ("Kim", 15.0, "Lou", 40.0),
    ("Mia", 20.0, "Ned", 25.0),
    ("Ola", 25.0, "Pia", 40.0),
    ("Quin", 30.0, "Rob", 60.0),
    ("Sue", 6.0, "Tom", 60.0),
)


def x01_share(match: Match, hands: Mapping[str, float], bots: frozenset[str], matches: int, seed: int) -> float:
    """The part of so many legs of X01 that the first player wins, by the game's advice."""
    if bots:
        raise SystemExit("Bots cannot be played at once in X01; leave out --bot.")
    starts = [seat.left for seat in match.state.seats]
    played = [x01_matches.Hand(hands[name]) for name in match.header.players]
    return float(x01_matches.play_out((starts[0], starts[1]), played, matches, seed).mean())


def cricket_share(match: Match, hands: Mapping[str, float], bots: frozenset[str], matches: int, seed: int) -> float:
    """The part of so many matches of Cricket that the first player wins."""
    start = cricket_matches.Matches.of([match.state])
    played = [
        learned_player(hands[name]) if name in bots else cricket_matches.Player(cricket_matches.Hand.of(hands[name]))
        for name in match.header.players
    ]
    won = 0.0
    for part, first in enumerate(range(0, matches, AT_MOST)):
        some = min(AT_MOST, matches - first)
        whose = np.tile(np.array([0, 1], np.int32), (some, 1))
        won += cricket_matches.play_out(start.only(np.zeros(some, np.int32)), played, whose, seed + 1000 * part).sum()
    return won / matches


AT_ONCE: Final[Mapping[str, Callable[[Match, Mapping[str, float], frozenset[str], int, int], float]]] = {
    "x01": x01_share,
    "cricket": cricket_share,
}
AT_MOST: Final = 10_000
"""How many matches of Cricket are played at once: more take more memory, and are no quicker."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--pairs", type=int, default=len(PAIRS), help="how many of the ten, evenly spaced")
    parser.add_argument("--only", metavar="NAME", help="the pair of this player alone")
    parser.add_argument(
        "--bot", choices=("first", "second"), action="append", default=[], help="this player of each pair is a bot"
    )
    parser.add_argument("--options", help="options of the game, as JSON")
    asked = parser.parse_args()
    options = json_object("--options", asked.options or "{}")
    print("| hands | handicap | told | won |\n|---|---|---|---|")
    for first, one, second, other in PAIRS[:: max(1, len(PAIRS) // asked.pairs)][: asked.pairs]:
        if asked.only not in (None, first, second):
            continue
        hands = {first: one, second: other}
        bots = frozenset(name for name, place in ((first, "first"), (second, "second")) if place in asked.bot)
        header = Header(asked.game, (first, second), options, NEWEST)
        at_once = AT_ONCE.get(asked.game) if not options else None
        fair = Chances(Random(1)).fair_handicap(header, hands, bots)
        if not isinstance(fair, FairHandicap):
            raise SystemExit(fair.message)
        given = {"handicap": fair.handicap, **({POINTS: fair.points} if fair.points else {})}
        match = open_match(Header(asked.game, (first, second), options | given, NEWEST), games(), faces())
        assert isinstance(match, Match), match
        if at_once is not None:
            share = at_once(match, hands, bots, asked.matches, 2)
        else:
            found = counting(match.view())
            # With the same draws for each game a pair would be lucky in all that count points.
            random = Random(f"{asked.game} {first}")
            count(match.game, match.state, hands, found, random, lambda played: played < asked.matches)
            share = found.chances()[first]
        numbers = [f"{name} {number}" for name, number in fair.handicap.items()]
        words = ", ".join([*numbers, *(f"{name} {number} points" for name, number in fair.points.items())]) or "none"
        told = 100 * fair.chance[first]
        print(
            f"| {first} {one:g} mm, {second} {other:g} mm | {words} | {told:.1f} % | {100 * share:.2f} % |", flush=True
        )


if __name__ == "__main__":
    main()
