"""Counts finished matches in a process of its own: `python -m hall.counting`.

The rules need far longer for a match than it takes to store it, and here they hold up no dart. SIGTERM ends the process
at once, and loses nothing.
"""

import asyncio
import contextlib
import os
import sys
import threading
from typing import Final

from hall import upkeep
from hall.database import DatabaseError, pool

DATABASE_VARIABLE: Final = "OCHE_HALL_DB"
"""Where a process finds the database's address, which may have a password: every user can read a command line."""
NICE: Final = 10
"""Behind what serves nodes and pages."""


async def _count() -> None:
    async with pool(os.environ[DATABASE_VARIABLE]) as connections:
        await upkeep.run(connections)


def _end_with_parent() -> None:
    sys.stdin.buffer.read()  # Closed when the process that started this one ends.
    os._exit(0)


if __name__ == "__main__":
    with contextlib.suppress(OSError):
        os.nice(NICE)
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        asyncio.run(_count())
    except DatabaseError as error:
        sys.exit(str(error))
