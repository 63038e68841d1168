"""A WLED controller for tests: it answers as WLED does, and refuses JSON that WLED's documentation does not have.

Source: the page "JSON API" of WLED's documentation: `GET` and `POST /json/state`, `/json/info`, `/json/eff`,
`/json/pal`, `/presets.json`, and the types and ranges of what a state can contain.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import jsonschema
from aiohttp import web

from tests.rig import free_port

EFFECTS: Final = ["Solid", "Blink", "RSVD", "Wipe", "-", "Fire 2012"]
PALETTES: Final = ["Default", "Party"]
PRESETS: Final = {"0": {}, "1": {"n": "Red all over", "on": True}, "7": {"bri": 3}, "8": {}}
BYTE: Final = {"type": "integer", "minimum": 0, "maximum": 255}
COLOR: Final = {
    "anyOf": [
        {"type": "array", "items": BYTE, "minItems": 3, "maxItems": 4},
        {"type": "string", "pattern": "^([0-9A-Fa-f]{6}|[0-9A-Fa-f]{8}|r)$"},
    ]
}
SEGMENT: Final = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "id": {"type": "integer", "minimum": 0, "maximum": 31},
        "start": {"type": "integer", "minimum": 0},
        "stop": {"type": "integer", "minimum": 0},
        "col": {"type": "array", "items": COLOR, "minItems": 1, "maxItems": 3},
        "fx": BYTE,
        "sx": BYTE,
        "ix": BYTE,
        "pal": BYTE,
        "on": {"type": "boolean"},
        "bri": BYTE,
        "sel": {"type": "boolean"},
        "frz": {"type": "boolean"},
        "i": {
            "type": "array",
            "minItems": 1,
            "maxItems": 3 * 256,
            "items": {"anyOf": [{"type": "integer", "minimum": 0}, *COLOR["anyOf"]]},
        },
    },
}
STATE: Final = {
    "type": "object",
    "additionalProperties": False,
    "minProperties": 1,
    "properties": {
        "on": {"anyOf": [{"type": "boolean"}, {"const": "t"}]},
        "bri": BYTE,
        "transition": {"type": "integer", "minimum": 0, "maximum": 65535},
        "tt": {"type": "integer", "minimum": 0, "maximum": 65535},
        "ps": {"type": "integer", "minimum": -1, "maximum": 250},
        "pl": {"type": "integer", "minimum": -1, "maximum": 250},
        "seg": {"anyOf": [SEGMENT, {"type": "array", "items": SEGMENT, "maxItems": 32}]},
    },
}
"""The documented keys of a state that somebody may set, with their types and ranges."""
FIRST: Final[dict[str, Any]] = {
    "on": True,
    "bri": 40,
    "transition": 7,
    "ps": -1,
    "pl": -1,
    "nl": {"on": False, "dur": 60},
    "seg": [
        {
            "id": 0,
            "start": 0,
            "stop": 20,
            "len": 20,
            "col": [[0, 9, 0]],
            "fx": 3,
            "sx": 1,
            "ix": 2,
            "pal": 1,
            "on": True,
        }
    ],
}
"""What the controller shows at first, as it tells it."""


class Strip:
    """The controller; `seen` has every state that it was given, `wrong` what was not valid."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = FIRST
        self.seen: list[dict[str, Any]] = []
        self.news = asyncio.Event()
        self.wrong: list[str] = []
        self.broken: web.Response | None = None
        """What it answers to everything, if it is broken."""
        self.address = f"127.0.0.1:{free_port()}"
        self.at = f"http://{self.address}"

    async def told(self, number: int) -> None:
        """Waits until so many states were given."""
        while len(self.seen) < number:
            self.news.clear()
            await self.news.wait()

    async def answer(self, request: web.Request) -> web.Response:
        known: dict[str, Any] = {
            "/json/state": self.state,
            "/json/info": {"name": "Ring", "ver": "0.15.0", "leds": {"count": 20}},
            "/json/eff": EFFECTS,
            "/json/pal": PALETTES,
            "/presets.json": PRESETS,
        }
        if self.broken is not None:
            return self.broken
        if request.method == "GET" and request.path in known:
            return web.json_response(known[request.path])
        if request.method != "POST" or request.path != "/json/state":
            return web.Response(status=404)
        try:
            state = json.loads(await request.text())
            jsonschema.validate(state, STATE)
        except (ValueError, jsonschema.ValidationError) as error:
            self.wrong.append(str(error))
            return web.json_response({"error": 9}, status=400)
        self.seen.append(state)
        self.news.set()
        return web.json_response({"success": True})


@asynccontextmanager
async def strip() -> AsyncIterator[Strip]:
    """Runs a controller on loopback. At the end it was given nothing that is not valid."""
    found = Strip()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", found.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    host, port = found.address.split(":")
    await web.TCPSite(runner, host, int(port)).start()
    try:
        yield found
    finally:
        await runner.cleanup()
    assert found.wrong == []
