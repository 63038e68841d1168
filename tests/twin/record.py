"""A journal with matches of a player whose hand is known."""

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path

from daemon.history.match_import import read_match_file
from daemon.record.journal import Imported, Journal
from daemon.system.catalogue import faces, games
from engine import jsontext
from engine.actions import action_to_json
from engine.match import Match
from tests.twin.played import play
from tests.twin.thrower import Thrower
from twin.hand import Hand

PUB = Hand(22, 28, 0.2, 3, -4)


def record(folder: Path, hand: Hand = PUB, darts: int = 400, month: str = "2026-03", seed: int = 4) -> list[Match]:
    """Writes matches of `Ann` at X01 into the journal of a data directory, and returns them."""
    matches = play("x01", Thrower(hand, seed), hand.skill_mm, darts)
    with contextlib.closing(Journal(folder)) as journal:
        for n, match in enumerate(matches):
            lines = [match.header.to_json(), *(action_to_json(action) for action in match.played)]
            read = read_match_file("\n".join(map(jsontext.dump, lines)).encode(), games(), faces())
            assert isinstance(read, Imported)
            at = f"{month}-{1 + n % 28:02d}T20:00:00.000Z"
            row = replace(read.match, started=at, ended=at)
            asyncio.run(journal.write(replace(read, match=row)))
    return matches
