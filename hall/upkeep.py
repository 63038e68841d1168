"""Has the rules read finished matches, counts them, and rates their players: what the pages add up.

It can stop at any moment and go on later.

`to_count` names the matches that have changed, in shares by their numbers. A step takes some of a share in one
transaction, so that a kill leaves them there. Any number of processes may run it; each share is counted by one of them.
"""

import asyncio
import json
import logging
import random
from dataclasses import dataclass
from typing import Any, Final

from engine import jsontext
from hall.database import AWAY
from hall.figures import FIGURES_VERSION, Checked, check_file
from hall.installed import faces, games
from hall.ratings import Ratings
from hall.results import Result, results_of

log = logging.getLogger(__name__)

BATCH: Final = 100
"""How many matches of a share one step counts, which bounds its memory and how long it holds its rows."""
PAUSE_SECONDS: Final = 2.0
"""How long to wait when nothing is left to count."""
SHARES: Final = 8
"""How many processes find work at once."""
_LOCK: Final = 0x636F756E
_TAKEN: Final = """
DELETE FROM to_count WHERE place IN (
    SELECT place FROM to_count WHERE match % $1 = $2 ORDER BY place DESC LIMIT $3
) RETURNING match
"""
"""The latest first: behind a weekend's matches nobody waits for the one that has just ended."""
_REFUSED: Final = """
WITH told AS (
    UPDATE file SET refused = $2, figures = NULL, figures_version = 0
    WHERE match = $1 AND edition = $3 AND refused IS DISTINCT FROM $2 RETURNING match
)
UPDATE node SET refusals = refusals + 1, last_refusal = $2
FROM match JOIN told ON told.match = match.number WHERE node.name = match.node
"""
_COUNTED: Final = """
UPDATE file SET figures = $2, figures_version = $4, refused = NULL WHERE match = $1 AND edition = $3 RETURNING TRUE
"""


@dataclass(frozen=True, slots=True)
class _Read:
    """What the rules have made of an edition, before it is stored: its figures as JSON, or why they refuse it."""

    node: str
    match: int
    edition: int
    figures: str | None = None
    refused: str | None = None

    async def store(self, db: Any) -> bool:
        """Stores it beside the file. Whether there are figures, and the file is still of this edition."""
        if self.refused is not None:
            await db.execute(_REFUSED, self.match, self.refused, self.edition)
            return False
        return bool(await db.fetchval(_COUNTED, self.match, self.figures, self.edition, FIGURES_VERSION))


async def step(db: Any) -> int:
    """Counts the next matches. Returns how many entries of `to_count` it took; 0 also while other processes count."""
    # In an order that is drawn, so that processes seldom ask for the same share.
    return sum([await _count(db, share) for share in random.sample(range(SHARES), SHARES)])


async def _count(db: Any, share: int) -> int:
    async with db.transaction():
        if not await db.fetchval("SELECT pg_try_advisory_xact_lock($1, $2)", _LOCK, share):
            return 0
        entries = await db.fetch(_TAKEN, SHARES, share, BATCH)
        if not entries:
            return 0
        wanted = sorted({entry["match"] for entry in entries})
        # Read after the entries: a file that changes meanwhile has an entry of its own, which the next step takes.
        files = await db.fetch(
            "SELECT match, started, figures, figures_version FROM file WHERE match = ANY($1)", wanted
        )
        rows: dict[int, list[Result]] = {}
        read: list[_Read] = []
        for file in files:
            figures = json.loads(file["figures"]) if file["figures"] is not None else None
            if file["figures_version"] != FIGURES_VERSION:
                figures = await _figures_again(db, file["match"], read)
            if figures is not None:
                rows[file["match"]] = _results(file["match"], file["started"], figures)
        # Only now, so that nobody waits for the rules; in one order, so that two shares do not wait for each other.
        for one in sorted(read, key=lambda one: (one.node, one.match)):
            if not await one.store(db):
                rows.pop(one.match, None)  # Refused, or of an edition before: the later one has an entry of its own.
        await db.execute("DELETE FROM result WHERE match = ANY($1)", wanted)
        await db.copy_records_to_table("result", records=[row for found in rows.values() for row in found])
        await db.execute("INSERT INTO to_rate DEFAULT VALUES")
    return len(entries)


def _results(match: int, started: str, figures: dict[str, Any]) -> list[Result]:
    """The results of a match; none, and a line in the log, for figures that a game of a package has made unreadable."""
    try:
        return results_of(match, started, figures)
    except (KeyError, TypeError, ValueError):
        log.exception("the results of match %d cannot be counted", match)
        return []


async def _figures_again(db: Any, match: int, read: list[_Read]) -> dict[str, Any] | None:
    """The figures of this version; what is to be stored beside the file is added to `read`.

    None for a game that is not installed here, and for a match that the rules refuse: `oche hall nodes` says why.
    """
    row = await db.fetchrow(
        "SELECT text, edition, node FROM file JOIN match ON match.number = file.match WHERE file.match = $1", match
    )
    checked = await asyncio.to_thread(check_file, row["text"], games(), faces())
    if not isinstance(checked, Checked):
        read.append(_Read(row["node"], match, row["edition"], refused=f"{checked.reason}: {checked.message}"))
        return None
    # The version is written only with figures: a game that is installed later is then counted by a rebuild.
    if checked.figures is not None:
        read.append(_Read(row["node"], match, row["edition"], figures=jsontext.dump(checked.figures)))
    return checked.figures


async def run(pool: Any) -> None:
    """Counts for ever."""
    ratings = Ratings()
    while True:
        done = 0
        try:
            async with pool.acquire() as db:
                done = await step(db) or await ratings.step(db)
        except AWAY:
            pass  # The next step finds what this one has not committed.
        except Exception:
            log.exception("the results of finished matches cannot be counted")
        if not done:
            await asyncio.sleep(PAUSE_SECONDS)


async def queue_all(db: Any) -> int:
    """Has every match counted again from its file. Returns how many."""
    return int(
        await db.fetchval(
            "WITH queued AS (INSERT INTO to_count (match) SELECT match FROM file RETURNING 1) "
            "SELECT count(*) FROM queued"
        )
    )
