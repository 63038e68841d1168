"""The pictures, sounds and colours of players: the list, the files, and what a referee adds and removes."""

import asyncio
from pathlib import Path
from typing import Any, cast

from aiohttp import web

from daemon.network.bodies import expect_later, read_body
from daemon.people import colours, player_files
from daemon.people.access import is_user_name, user_of
from daemon.people.player_files import FILE, FOLDER, MOST_BYTES, Slot
from daemon.web.auth import Handler, refuse
from daemon.web.pages import PageFile
from daemon.web.show_files import TYPES
from engine.refusals import Refusal

MOST_NAMES = 50
"""How many players one request can ask for; more than a match has."""
SLOT = rf"{{slot:{'|'.join(player_files.SLOTS)}}}"


def routes(data: Path) -> list[web.RouteDef]:
    """The routes that need a right: the list, and those that change it."""
    changing = asyncio.Lock()

    async def changed(work: Any, *arguments: Any) -> web.Response:
        async with changing:
            try:
                refusal = await asyncio.to_thread(work, data, *arguments)
            except OSError as error:
                return refuse(Refusal("disk", f"The file cannot be kept: {error.strerror}."), 507)
        return web.json_response({"ok": True}) if refusal is None else refuse(refusal, 422)

    async def people(request: web.Request) -> web.Response:
        names = request.query.getall("player", [])[:MOST_NAMES]
        known = await asyncio.to_thread(player_files.listed, data)
        found = {name: (user, known[user]) for name in names if (user := user_of(name)) in known}
        return web.json_response(
            {
                name: {slot: file if slot == "colour" else f"/people/{user}/{file}" for slot, file in files.items()}
                for name, (user, files) in found.items()
            }
        )

    async def put(request: web.Request) -> web.Response:
        content = await read_body(request, MOST_BYTES)
        if content is None:
            return refuse(Refusal("too_large", f"The file is larger than {MOST_BYTES // 1024} KiB."), 413)
        return await changed(player_files.put, *_place(request), bytes(content))

    async def delete(request: web.Request) -> web.Response:
        return await changed(player_files.remove, *_place(request))

    async def choose(request: web.Request) -> web.Response:
        written = await read_body(request, colours.LETTERS)
        colour = "" if written is None else bytes(written).decode("ascii", "replace")
        return await changed(colours.choose, request.match_info["name"], colour)

    async def without(request: web.Request) -> web.Response:
        return await changed(colours.remove, request.match_info["name"])

    return [
        web.get("/people.json", people),
        web.put("/players/{name}/colour", choose, expect_handler=expect_later),
        web.delete("/players/{name}/colour", without),
        web.put(f"/players/{{name}}/{SLOT}", put, expect_handler=expect_later),
        web.delete(f"/players/{{name}}/{SLOT}", delete),
    ]


def player_file(data: Path) -> Handler:
    """Returns the handler of `/people/{user}/{name}`, for everyone who knows the name of the file."""

    async def answer(request: web.Request) -> web.StreamResponse:
        user, name = request.match_info["user"], request.match_info["name"]
        path = data / FOLDER / user / name
        # The file system is asked for nothing else: an address can have any length, and dots.
        if FILE.fullmatch(name) is None or not is_user_name(user) or not path.is_file():
            raise web.HTTPNotFound
        return PageFile(path, headers={"Content-Type": TYPES[path.suffix]})

    return answer


def _place(request: web.Request) -> tuple[str, Slot]:
    return request.match_info["name"], cast("Slot", request.match_info["slot"])
