"""A journal of random matches of four people, and what is counted of it."""

import asyncio
from pathlib import Path
from random import Random

from daemon.history.archive import Archive
from daemon.history.match_import import read_match_file
from daemon.record.journal import Imported, Journal
from daemon.record.reader import History
from daemon.system.catalogue import faces, games
from engine import jsontext
from engine.actions import action_to_json
from engine.games import GAMES
from engine.random_play import random_match

NAMES = ("Ann", "Bob", "Cid", "Dee")


def file_of(chance: Random, at: int) -> bytes:
    """A match of a few of them, as a match file."""
    game = chance.choice(["x01", "cricket"])
    record = random_match(GAMES[game], tuple(chance.sample(NAMES, 2)), {}, None, chance, 60)
    lines = [jsontext.dump(action_to_json(action) | {"at_ms": at + n}) for n, action in enumerate(record.actions)]
    return "\n".join([jsontext.dump(record.header.to_json()), *lines]).encode()


def archive(folder: Path) -> Archive:
    return Archive(History(folder), games(), faces())


def bring_in(journal: Journal, count: int, seed: int) -> None:
    chance = Random(seed)
    for n in range(count):
        read = read_match_file(file_of(chance, 1_700_000_000_000 + n * 100_000 + seed), games(), faces())
        assert isinstance(read, Imported)
        asyncio.run(journal.write(read))
