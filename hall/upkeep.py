"""Counts finished matches in the background, and rates their players: what the pages add up.

It can stop at any moment and go on later.

`to_count` names the matches that have changed. Each step takes some of them in one transaction, so that a kill leaves
them there. Any number of processes may run it; one of them counts.
"""

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator
from typing import Any, Final

from engine import jsontext
from hall.database import AWAY
from hall.figures import FIGURES_VERSION, Checked, check_file
from hall.installed import faces, games
from hall.ratings import Ratings
from hall.results import Result, results_of

log = logging.getLogger(__name__)

BATCH: Final = 100
"""How many matches one step counts, which bounds its memory and how long it holds its rows."""
PAUSE_SECONDS: Final = 2.0
"""How long to wait when nothing is left to count."""
_LOCK: Final = 0x636F756E


async def step(db: Any) -> int:
    """Counts the next matches. Returns how many entries of `to_count` it took; 0 also while another process counts."""
    async with db.transaction():
        if not await db.fetchval("SELECT pg_try_advisory_xact_lock($1)", _LOCK):
            return 0
        entries = await db.fetch(
            "DELETE FROM to_count WHERE place IN (SELECT place FROM to_count ORDER BY place LIMIT $1) RETURNING match",
            BATCH,
        )
        wanted = sorted({entry["match"] for entry in entries})
        # Read after the entries: a file that changes meanwhile has an entry of its own, which the next step takes.
        files = await db.fetch(
            "SELECT match, started, figures, figures_version FROM file WHERE match = ANY($1)", wanted
        )
        rows: list[Result] = []
        for file in files:
            figures = json.loads(file["figures"]) if file["figures"] is not None else None
            if file["figures_version"] != FIGURES_VERSION:
                figures = await _figures_again(db, file["match"])
            if figures is not None:
                rows += _results(file["match"], file["started"], figures)
        await db.execute("DELETE FROM result WHERE match = ANY($1)", wanted)
        await db.copy_records_to_table("result", records=rows)
        if entries:
            await db.execute("INSERT INTO to_rate DEFAULT VALUES")
    return len(entries)


def _results(match: int, started: str, figures: dict[str, Any]) -> list[Result]:
    """The results of a match; none, and a line in the log, for figures that a game of a package has made unreadable."""
    try:
        return results_of(match, started, figures)
    except (KeyError, TypeError, ValueError):
        log.exception("the results of match %d cannot be counted", match)
        return []


async def _figures_again(db: Any, match: int) -> dict[str, Any] | None:
    """The figures of this version, stored beside the file. None for a game that is not installed here."""
    text = await db.fetchval("SELECT text FROM file WHERE match = $1", match)
    checked = await asyncio.to_thread(check_file, text, games(), faces())
    if not isinstance(checked, Checked):
        log.warning("match %d is refused by these rules: %s", match, checked.message)
    figures = checked.figures if isinstance(checked, Checked) else None
    # The version is written only with figures: a game that is installed later is then counted by a rebuild.
    if figures is not None:
        await db.execute(
            "UPDATE file SET figures = $2, figures_version = $3 WHERE match = $1",
            *(match, jsontext.dump(figures), FIGURES_VERSION),
        )
    return figures


@contextlib.asynccontextmanager
async def running(pool: Any) -> AsyncIterator[None]:
    """Counts while the block runs."""
    task = asyncio.create_task(_run(pool))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _run(pool: Any) -> None:
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
