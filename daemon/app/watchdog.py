"""Feeds systemd's watchdog as long as every board is handled."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping

from daemon.session.inbox import Inbox, WatchdogProbe
from daemon.system.notify import notify


async def feed_watchdog(inboxes: Callable[[], Mapping[str, Inbox]], seconds: float) -> None:
    """Feeds systemd's watchdog every `seconds`, as long as each session handles a probe: if one hangs, the daemon does.

    `inboxes` returns the inbox of each session, by its board.
    """
    while True:
        probes = [(name, inbox, WatchdogProbe(asyncio.Semaphore(0))) for name, inbox in inboxes().items()]
        for _, inbox, probe in probes:
            await inbox.put(probe)
        for name, inbox, probe in probes:
            handled = False
            # A session that was removed meanwhile does not answer.
            while not handled and inboxes().get(name) is inbox:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        handled = await probe.felt.acquire()
        notify("WATCHDOG=1")
        await asyncio.sleep(seconds)
