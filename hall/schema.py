"""Brings the tables of a hall to the present schema: numbered files of SQL, each applied once; and its functions."""

from pathlib import Path
from secrets import token_hex
from typing import Final

import asyncpg

from league.signatures import new_key

FOLDER: Final = Path(__file__).parent
MIGRATIONS: Final = tuple(sorted((FOLDER / "migrations").glob("*.sql")))
_LOCK: Final = 0x6F636865
"""The advisory lock under which the schema is changed: several processes may start at once."""


class NoSchema(Exception):
    """The database has no tables of a hall, or those of another version; the text says what to do."""


async def migrate(db: asyncpg.Connection) -> int:
    """Applies the migrations that are missing, in one transaction. Returns how many were. NoSchema for a newer one."""
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
        await db.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")
        version = await db.fetchval("SELECT max(version) FROM schema_version") or 0
        _refuse_newer(version)
        for path in MIGRATIONS[version:]:
            await db.execute(path.read_text(encoding="utf-8"))
        await db.execute((FOLDER / "take.sql").read_text(encoding="utf-8"))
        await db.execute("INSERT INTO hall (id) VALUES ($1) ON CONFLICT DO NOTHING", token_hex(8))
        # Before a node asks: what is known of a node is kept for a moment, and without the key its cards do not count.
        await db.execute("UPDATE hall SET league_key = $1 WHERE league_key IS NULL", new_key())
        await db.execute("DELETE FROM schema_version")
        await db.execute("INSERT INTO schema_version VALUES ($1)", len(MIGRATIONS))
    return len(MIGRATIONS) - version


async def check_schema(db: asyncpg.Connection) -> None:
    """Returns if the tables are those of this version. NoSchema if not."""
    try:
        version = await db.fetchval("SELECT max(version) FROM schema_version") or 0
    except asyncpg.UndefinedTableError:
        version = 0
    _refuse_newer(version)
    if version < len(MIGRATIONS):
        raise NoSchema("The database has no tables of a hall, or those of an older version. Run `oche hall init`.")


def _refuse_newer(version: int) -> None:
    if version > len(MIGRATIONS):
        raise NoSchema(f"The tables of the hall are of a newer version ({version}) of oche. Update oche here.")
