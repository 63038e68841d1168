"""`oche setup` in the browser: the page asks what the terminal asks, and gives the same answers.

The address has a key in it, which only the terminal shows: other users of this machine must not answer for its owner,
who may be root.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from typing import Any, Final

from aiohttp import web

from daemon.links.discovery import words_of
from daemon.network.bodies import read_json
from daemon.setup.first_run import FirstRun
from daemon.web.auth import refuse
from daemon.web.pages import HOST, local_pages
from engine.refusals import Refusal

LAST_LOOK_SECONDS: Final = 3.0
"""How long open pages have to fetch the end."""


@contextlib.asynccontextmanager
async def served(run: FirstRun, port: int) -> AsyncIterator[None]:
    """Serves the page during the block, and a little longer if a page is open, which shows the end."""
    key = secrets.token_urlsafe(9)
    asked = False

    def is_owner(request: web.Request) -> bool:
        return secrets.compare_digest(request.query.get("key", "").encode(), key.encode())

    async def state(request: web.Request) -> web.Response:
        nonlocal asked
        if not is_owner(request):
            return refuse(_NO_KEY)
        asked = True
        return web.json_response(to_json(run))

    async def answer(request: web.Request) -> web.Response:
        if not is_owner(request):
            return refuse(_NO_KEY)
        match await read_json(request):
            case {"step": str() as step, "answer": str() as text}:
                problem = await run.answer(text, step)
            case _:
                problem = "An answer names its step."
        return web.json_response(to_json(run) | ({} if problem is None else {"problem": problem}))

    async with local_pages(port, "setup", (web.get("/setup.json", state), web.post("/setup.json", answer))):
        print(f"The same in the browser: http://{HOST}:{port}/setup?key={key}\n", flush=True)
        yield
        if asked and run.step == "done":
            await asyncio.sleep(LAST_LOOK_SECONDS)


_NO_KEY: Final = Refusal("not_allowed", "Open the address that `oche setup` printed: it has a key in it.")


def to_json(run: FirstRun) -> dict[str, Any]:
    """Returns the state of the first run for the page."""
    state: dict[str, Any] = {
        "step": run.step,
        "default": run.default,
        "port": run.port,
        "name": run.name,
        "model": run.model,
        "broker": run.broker or "",
        "darts": list(run.darts),
        "trouble": run.trouble,
    }
    if run.step == "board":
        state["devices"] = [
            {
                "port": judged.device.device,
                "about": words_of(judged.device),
                "model": judged.model or "",
                "learn": judged.learn,
            }
            for judged in run.devices
        ]
    if run.step == "model":
        state["models"] = [{"name": b.name, "title": b.title, "learn": b.learn} for b in run.offered]
    if run.step == "learn" and run.teacher is not None and not run.trouble:
        state["lesson"] = run.teacher.to_json()
    if run.ending is not None:
        ending = run.ending
        state["ending"] = {
            "file": str(ending.file),
            "started": ending.started,
            "url": ending.url,
            "shared": ending.shared,
        }
    return state
