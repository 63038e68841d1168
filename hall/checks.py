"""Checks of the whole index: every file against its digest, signature and the rules, every running match for gaps."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

from engine import jsontext
from hall.figures import FIGURES_VERSION, check_file
from hall.installed import faces, games
from league.digests import MatchRecord, digest_of
from league.hall_refusals import HallRefusal
from league.signatures import is_signed

AT_ONCE: Final = 10
"""How many files are in memory."""

_FILES: Final = """
SELECT match.number, match.node, match.id, match.have, file.*, node.public_key, node.former_keys
FROM file JOIN match ON match.number = file.match JOIN node ON node.name = match.node
WHERE match.number > $1 ORDER BY match.number LIMIT $2
"""
_GAPS: Final = """
SELECT node, id FROM match
LEFT JOIN (SELECT match, count(*) AS lines, max(n) AS last FROM line GROUP BY match) AS held
    ON held.match = match.number
WHERE NOT is_over AND (coalesce(lines, 0), coalesce(last, 0)) <> (have, have)
ORDER BY node, id
"""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a match of the index."""

    node: str
    match: str
    message: str


async def faults(db: Any) -> AsyncIterator[Fault]:
    """What is wrong in the index; reads every file."""
    async for row in _files(db):
        if (message := _fault(row)) is not None:
            yield Fault(row["node"], row["id"], message)
    for row in await db.fetch(_GAPS):
        yield Fault(row["node"], row["id"], "Lines of the running match are missing.")


async def count_again(db: Any) -> int:
    """Makes the figures of every file again by the rules of this version. Returns how many have changed."""
    changed = 0
    async for row in _files(db):
        checked = check_file(row["text"], games(), faces())
        figures = None if isinstance(checked, HallRefusal) else checked.figures
        held = None if row["figures"] is None else json.loads(row["figures"])
        version = 0 if figures is None else FIGURES_VERSION
        if held != figures or row["figures_version"] != version:
            # A later edition that was stored meanwhile is counted by itself.
            stored = await db.fetchval(
                "UPDATE file SET figures = $2, figures_version = $3, refused = NULL WHERE match = $1 AND edition = $4 "
                "RETURNING TRUE",
                *(row["number"], None if figures is None else jsontext.dump(figures), version, row["edition"]),
            )
            changed += bool(stored) and held != figures
    return changed


async def _files(db: Any) -> AsyncIterator[Any]:
    after = 0
    while rows := await db.fetch(_FILES, after, AT_ONCE):
        for row in rows:
            yield row
        after = rows[-1]["number"]


def _fault(row: Any) -> str | None:
    record = MatchRecord(row["node"], row["id"], row["edition"], row["digest"], row["started"], row["ended"])
    if digest_of(row["text"]) != record.digest:
        return "The file differs from its digest."
    keys = (row["public_key"], *row["former_keys"])
    if not any(is_signed(key, record.signed_text(), row["signature"]) for key in keys):
        return f"The signature is not that of the node {row['node']}."
    checked = check_file(row["text"], games(), faces())
    if isinstance(checked, HallRefusal):
        return checked.message
    if checked.lines != row["have"]:
        return f"The index counts {row['have']} lines, and the file has {checked.lines}."
    return None
