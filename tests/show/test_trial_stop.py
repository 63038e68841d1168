"""A trial of a rule that is stopped while it waits for the broker."""

import asyncio
from pathlib import Path

import pytest
from aiohttp import ClientSession

from daemon.show.app import Show
from daemon.system.config import load_settings


@pytest.mark.parametrize("rounds", [0, 1])
def test_a_stop_is_not_lost_when_the_broker_is_found_at_the_same_moment(tmp_path: Path, rounds: int) -> None:
    """In the same round of the event loop, or in the next, which ends a trial that nothing stops."""

    async def play() -> None:
        async with ClientSession() as session:
            settings = load_settings(None, [], "mqtt://127.0.0.1:9", None, str(tmp_path), "test")
            show = Show(settings, session)
            trial = asyncio.ensure_future(show.stage().ready())
            await asyncio.sleep(0)  # The trial waits.
            show.connected.set()
            for _ in range(rounds):
                await asyncio.sleep(0)
            stopped = trial.cancel()
            assert stopped or rounds
            if stopped:
                with pytest.raises(asyncio.CancelledError):
                    await trial

    asyncio.run(play())
