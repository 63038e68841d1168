"""Random legal play of many matches of each game: every match ends; prints the longest.

Too long for every run of the tests, which play a few of each in `test_contract.py`:

    .venv/bin/python -m tests.games.marathon --matches 10000
"""

import argparse
import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from random import Random
from typing import Final

from engine.games import GAMES
from engine.random_play import LONGEST, random_match
from tests.games.setups import face_of

NAMES: Final = ("Ann", "Bob", "Cid", "Dee")


def lengths(game: str, seeds: Iterable[int]) -> list[int]:
    """The number of actions of one match for each seed, which also decides the number of players."""
    rules = GAMES[game]
    face = face_of(rules, {})
    found = []
    for seed in seeds:
        players = NAMES[: max(rules.seats.start, 1 + seed % len(NAMES))]
        found.append(len(random_match(rules, players, {}, face, Random(seed)).actions))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.games.marathon", description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000, help="of each game")
    parser.add_argument("games", nargs="*", default=list(GAMES))
    arguments = parser.parse_args()
    parts = [range(at, min(at + 50, arguments.matches)) for at in range(0, arguments.matches, 50)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for game in arguments.games:
            found = list(chain.from_iterable(pool.map(partial(lengths, game), parts)))
            ended = sum(length < LONGEST for length in found)
            print(f"{game}: {ended} of {len(found)} matches ended, the longest after {max(found)} actions", flush=True)


if __name__ == "__main__":
    main()
