"""The process that sends: `python -m daemon.shipping.run DATA`, started by the daemon, which tells it of each commit.

A process of its own, so that neither encryption nor a long backlog delays a dart. It reads the journal and never writes
to it. A line on its input says that the journal was written, and it ends with its input. It prints its status as lines
of JSON.
"""

import argparse
import asyncio
import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from daemon.record.reader import History
from daemon.shipping.hall_client import HallClient
from daemon.shipping.membership import load
from daemon.shipping.sent_file import SentFile
from daemon.shipping.shipper import Shipper
from daemon.shipping.unsent_matches import UnsentMatches
from daemon.system.catalogue import faces, games
from engine import jsontext

NICE = 5
"""Behind the daemon where both want the processor."""


async def ship(data: Path, url: str | None, *, running: bool, gather: float) -> None:
    """Sends until the input ends."""
    member = load(data)
    if member is None or not member.token:
        return
    if url is not None:
        member = type(member)(url, member.node, member.key, member.token)
    sent = SentFile(data)
    unsent = UnsentMatches(History(data), sent, member, games(), faces(), running=running)
    client = HallClient(member)
    try:
        shipper = Shipper(unsent, client, sent, _print, gather=gather)
        sending = asyncio.create_task(shipper.run())
        listening = asyncio.create_task(_listen(shipper))
        await asyncio.wait((sending, listening), return_when=asyncio.FIRST_COMPLETED)
        failed = sending.exception() if sending.done() else None
        for task in (sending, listening):
            task.cancel()
        await asyncio.gather(listening, sending, return_exceptions=True)
        if failed is not None:
            raise failed
    finally:
        await client.close()


async def _listen(shipper: Shipper) -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1024):
        shipper.written()


def _print(status: dict[str, Any]) -> None:
    with contextlib.suppress(OSError):
        print(jsontext.dump(status), flush=True)


def main(words: Sequence[str] | None = None) -> int:
    """Runs the process."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--url")
    parser.add_argument("--finished-only", action="store_true")
    parser.add_argument("--gather", type=float, default=0.0)
    found = parser.parse_args(words)
    with contextlib.suppress(OSError):
        os.nice(NICE)
        # Takes no processor from the daemon while that runs, even when a commit wakes this one.
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    asyncio.run(ship(found.data, found.url, running=not found.finished_only, gather=found.gather))
    return 0


if __name__ == "__main__":
    sys.exit(main())
