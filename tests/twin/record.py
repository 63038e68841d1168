"""A journal with matches of a player whose hand is known."""

import contextlib
from datetime import datetime
from pathlib import Path

from daemon.record.journal import Journal
from engine.actions import action_to_json
from engine.match import Match
from tests.daemon.past import Past
from tests.twin.played import play
from tests.twin.thrower import Thrower
from twin.hand import Hand

PUB = Hand(22, 28, 0.2, 3, -4)


def record(folder: Path, hand: Hand = PUB, darts: int = 400, month: str = "2026-03", seed: int = 4) -> list[Match]:
    """Writes matches of `Ann` at X01 into the journal of a data directory, and returns them."""
    with contextlib.closing(Journal(folder)) as journal:
        return add(Past(journal), hand, darts, month, seed)


def add(past: Past, hand: Hand, darts: int, month: str, seed: int) -> list[Match]:
    """The same into a journal that is open."""
    matches = play("x01", Thrower(hand, seed), hand.skill_mm, darts)
    for n, match in enumerate(matches):
        at = datetime.fromisoformat(f"{month}-{1 + n % 28:02d}T{20 + n // 28}:00:00+00:00")
        past.played(match.header, map(action_to_json, match.played), at)
    return matches
