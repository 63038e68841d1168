"""Serves the sounds and pictures of rules, and the packs of callers: folders of the data directory."""

import asyncio
from itertools import islice
from pathlib import Path
from typing import Any, Final

from aiohttp import web

from daemon.people.player_files import CALLERS
from daemon.system.show_config import FILE_NAME, FOLDER
from daemon.web.auth import Handler
from daemon.web.pages import PageFile

TYPES: Final = {
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".m4a": "audio/mp4",
    ".mp3": "audio/mpeg",
    ".mp4": "video/mp4",
    ".ogg": "audio/ogg",
    ".opus": "audio/ogg",
    ".png": "image/png",
    ".wav": "audio/wav",
    ".webm": "video/webm",
    ".webp": "image/webp",
}
"""Kinds of files that are served, by their ending. SVG is left out: it can contain scripts."""


PACKS: Final = 20
WORDS: Final = 1000
"""How many packs, and words of a pack, are listed."""


def show_file(data: Path) -> Handler:
    """Returns the handler of `/show/{name}`: a file of the folder, 404 for anything else."""
    folder = data / FOLDER

    async def answer(request: web.Request) -> web.StreamResponse:
        return _file(folder, request.match_info["name"])

    return answer


def caller_file(data: Path) -> Handler:
    """Returns the handler of `/callers/{pack}/{name}`: a sound of a pack, 404 for anything else."""

    async def answer(request: web.Request) -> web.StreamResponse:
        pack = request.match_info["pack"]
        if FILE_NAME.fullmatch(pack) is None:
            raise web.HTTPNotFound
        return _file(data / CALLERS / pack, request.match_info["name"])

    return answer


def caller_packs(data: Path) -> Handler:
    """Returns the handler of `/callers.json`: each pack with its words, and the file of each word."""

    async def answer(_request: web.Request) -> web.StreamResponse:
        return web.json_response(await asyncio.to_thread(packs, data / CALLERS))

    return answer


def packs(folder: Path) -> list[dict[str, Any]]:
    """Returns the packs of a folder, by name, as the pages read them; at most PACKS with WORDS each."""
    try:
        found = sorted(path for path in folder.iterdir() if FILE_NAME.fullmatch(path.name) and path.is_dir())
        return [{"name": pack.name, "files": _words(pack)} for pack in found[:PACKS]]
    except OSError:
        return []


def _words(pack: Path) -> dict[str, str]:
    sounds = (
        path
        for path in sorted(pack.iterdir())
        if FILE_NAME.fullmatch(path.name) and TYPES.get(path.suffix.lower(), "").startswith("audio/")
    )
    return {path.stem: path.name for path in islice(sounds, WORDS)}


def _file(folder: Path, name: str) -> web.StreamResponse:
    kind = TYPES.get(Path(name).suffix.lower())
    if kind is None or FILE_NAME.fullmatch(name) is None or not (folder / name).is_file():
        raise web.HTTPNotFound
    # The folder is the owner's: a link in it leads where they want.
    return PageFile(folder / name, headers={"Content-Type": kind})
