"""How fair the handicaps are: ten pairs of hands play with theirs. `python -m tests.twin.fair_pairs x01`.

The handicap is found as for the start form; then so many matches are played by the rules and the game's own advice.
"""

import argparse
from random import Random
from typing import Final

from daemon.cli.simulate import options_of
from daemon.session.chance_process import Chances
from daemon.session.fair_handicap import Fair
from daemon.session.rollouts import count, counting
from daemon.system.catalogue import faces, games
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--pairs", type=int, default=len(PAIRS), help="how many of the ten, evenly spaced")
    parser.add_argument("--options", help="options of the game, as JSON")
    asked = parser.parse_args()
    options = options_of(asked.options)
    print("| hands | handicap | told | won |\n|---|---|---|---|")
    for first, one, second, other in PAIRS[:: max(1, len(PAIRS) // asked.pairs)][: asked.pairs]:
        hands = {first: one, second: other}
        fair = Chances(Random(1)).fair_handicap(Header(asked.game, (first, second), options, NEWEST), hands)
        if not isinstance(fair, Fair):
            raise SystemExit(fair.message)
        given = {"handicap": fair.handicap} if fair.handicap else {}
        match = open_match(Header(asked.game, (first, second), options | given, NEWEST), games(), faces())
        assert isinstance(match, Match), match
        found = counting(match.view())
        count(match.game, match.state, hands, found, Random(2), lambda played: played < asked.matches)
        words = ", ".join(f"{name} {number}" for name, number in fair.handicap.items()) or "none"
        told, won = (100 * chances[first] for chances in (fair.chance, found.chances()))
        print(f"| {first} {one:g} mm, {second} {other:g} mm | {words} | {told:.1f} % | {won:.1f} % |", flush=True)


if __name__ == "__main__":
    main()
