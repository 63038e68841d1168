"""Reads the pages of a hall as they become what a test waits for."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from hall import upkeep
from tests.hall.centre import Centre
from tests.rig import LIMIT_SECONDS


async def get(hall: Centre, path: str, **headers: str) -> tuple[int, str]:
    """The status and the text of a page."""
    async with hall.http.get(hall.at + path, headers=headers) as response:
        return response.status, await response.text()


async def seen(hall: Centre, path: str, good: Callable[[str], bool]) -> str:
    """The text of a page as soon as it is as wanted: what it shows may be a second old."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while True:
            status, text = await get(hall, path)
            assert status == 200
            if good(text):
                return text
            await asyncio.sleep(0.05)


async def changes(hall: Centre, since: str) -> dict[str, Any]:
    """What the script of a page gets, as soon as there is something new."""
    text = await seen(hall, f"/live?since={since}", lambda text: json.loads(text)["since"] != since)
    found: dict[str, Any] = json.loads(text)
    return found


async def counted(hall: Centre) -> None:
    """Returns when every finished match is counted."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while await hall.db.fetchval("SELECT count(*) FROM to_count"):
            await upkeep.step(hall.db)
