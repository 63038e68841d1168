"""Serves the sounds and pictures of rules: the files of the folder `show` in the data directory."""

from pathlib import Path
from typing import Final

from aiohttp import web

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


def show_file(data: Path) -> Handler:
    """Returns the handler of `/show/{name}`: a file of the folder, 404 for anything else."""
    folder = data / FOLDER

    async def answer(request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        kind = TYPES.get(Path(name).suffix.lower())
        if kind is None or FILE_NAME.fullmatch(name) is None or not (folder / name).is_file():
            raise web.HTTPNotFound
        # The folder is the owner's: a link in it leads where they want.
        return PageFile(folder / name, headers={"Content-Type": kind})

    return answer
