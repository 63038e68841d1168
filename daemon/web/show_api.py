"""The rules for lights, sounds and pictures, for the page that makes them: `/show.json` and what lies below it.

Only a referee reads them: a rule can have a token in the headers of its requests.
"""

import asyncio
import json
from collections.abc import Callable, Collection
from itertools import islice
from pathlib import Path
from typing import Any, Final, Protocol, get_args

from aiohttp import web

from daemon.network.bodies import expect_later, read_body, read_json
from daemon.system.config import Settings
from daemon.system.secure_files import give_to_owner, write_secret
from daemon.system.show_config import FILE_NAME, FOLDER, ShowRule
from daemon.system.show_file import Mistake, RuleFile, change_rules, check_rule, read_rules
from daemon.web.auth import Authenticator, refuse
from daemon.web.show_files import TYPES
from engine.awards import AWARDS
from engine.game import EventKind
from engine.refusals import Refusal

MOST_FILES: Final = 500
"""Files of the folder that are listed; another one is refused."""
MOST_BYTES: Final = 16 * 1024 * 1024
"""The largest file that the page adds: a film of a few seconds."""
MOST_ALTOGETHER: Final = 512 * 1024 * 1024
"""The bytes of all files of the folder, whoever put them there; a file beyond is refused."""
REFEREE: Final = Refusal("not_allowed", "Only a referee may see and change what happens outside the board.")


class ShowProcess(Protocol):
    """The process `oche show`, which `daemon.app` runs: this room may not import that one."""

    async def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Returns its answer to a request."""

    async def reload(self) -> None:
        """Has it read the rules again."""


class ShowApi:
    """Handlers of `/show.json`, `/show/lights.json` and `/show/try`."""

    def __init__(
        self,
        auth: Authenticator,
        settings: Settings,
        boards: Callable[[], Collection[str]],
        process: ShowProcess,
    ) -> None:
        self._auth, self._settings, self._boards, self._process = auth, settings, boards, process
        self._changing = asyncio.Lock()

    def routes(self) -> list[web.RouteDef]:
        """The routes; `guard` admits only referees to those that change or try something."""
        return [
            web.get("/show.json", self.rules),
            web.post("/show.json", self.change, expect_handler=expect_later),
            web.post("/show/lights", self.lights, expect_handler=expect_later),
            web.put("/show/{name}", self.upload, expect_handler=expect_later),
            web.post("/show/try", self.try_out, expect_handler=expect_later),
        ]

    async def rules(self, request: web.Request) -> web.StreamResponse:
        """All rules, and what a rule can name."""
        if await self._auth.role(request) != "referee":
            return refuse(REFEREE, 401)
        return await self._answer()

    async def change(self, request: web.Request) -> web.StreamResponse:
        """Replaces, adds or removes a rule: `{"version", "at"?, "rule"?}`. 422 with all mistakes of a rule."""
        match await read_json(request):
            case {"version": str() as version, **rest} if rest.keys() <= {"at", "rule"} and rest:
                at, values = rest.get("at"), rest.get("rule")
            case _:
                return refuse(Refusal("bad_value", 'Send {"version": "…", "at": 0, "rule": {…}}.'), 400)
        if not (at is None or (type(at) is int and at >= 0)) or not (values is None or isinstance(values, dict)):
            return refuse(Refusal("bad_value", "`at` is the number of a rule from 0, `rule` an object."), 400)
        if values is not None and not isinstance(checked := check_rule(values), ShowRule):
            return _mistakes(checked)
        async with self._changing:
            try:
                found = await asyncio.to_thread(change_rules, self._settings.data, version, at, values)
            except OSError as error:
                return refuse(Refusal("disk", f"The rules cannot be kept: {error.strerror}."), 507)
        if isinstance(found, Refusal):
            return refuse(found, 409)
        await self._process.reload()
        return await self._answer()

    async def upload(self, request: web.Request) -> web.StreamResponse:
        """Keeps a sound, a picture or a film in the folder of the rules; one of the same name is replaced."""
        name, folder = request.match_info["name"], self._settings.data / FOLDER
        if FILE_NAME.fullmatch(name) is None or Path(name).suffix.lower() not in TYPES:
            return refuse(Refusal("bad_value", f"The name ends with one of {', '.join(TYPES)}, like 180.mp3."), 422)
        content = await read_body(request, MOST_BYTES)
        if content is None:
            return refuse(Refusal("too_large", f"The file is larger than {MOST_BYTES // 1024**2} MiB."), 413)
        async with self._changing:
            try:
                refusal = await asyncio.to_thread(_keep, folder, name, bytes(content))
            except OSError as error:
                return refuse(Refusal("disk", f"The file cannot be kept: {error.strerror}."), 507)
        if refusal is not None:
            return refuse(refusal, 422)
        return web.json_response({"ok": True})

    async def lights(self, request: web.Request) -> web.StreamResponse:
        """What a light can show, `{"at": "http://…"}`; without `at` the lights of the network."""
        match await read_json(request):
            case {"at": str() as at}:
                checked = check_rule({"when": {"total": 1}, "wled": {"at": at, "preset": 1}})
                if not isinstance(checked, ShowRule):
                    return _mistakes(checked)
                if at.startswith("mqtt:"):
                    return refuse(Refusal("bad_value", "A light at a topic cannot be asked what it shows."), 422)
                return web.json_response(await self._process.ask({"do": "light", "at": at}))
            case dict():
                return web.json_response(await self._process.ask({"do": "find"}))
        return refuse(Refusal("bad_value", 'Send {} or {"at": "http://wled.local"}.'), 400)

    async def try_out(self, request: web.Request) -> web.StreamResponse:
        """Does what a rule says at once, `{"rule"}`, whether it is saved or not. 422 with all its mistakes."""
        match await read_json(request):
            case {"rule": dict() as values}:
                checked = check_rule(values)
            case _:
                return refuse(Refusal("bad_value", 'Send {"rule": {…}}.'), 400)
        if not isinstance(checked, ShowRule):
            return _mistakes(checked)
        return web.json_response(
            await self._process.ask({"do": "try", "rule": values, "boards": sorted(self._boards())})
        )

    async def _answer(self) -> web.Response:
        return web.json_response(await asyncio.to_thread(self._state))

    def _state(self) -> dict[str, Any]:
        made = read_rules(self._settings.data)
        found = {
            **_made(made),
            "configured": [rule.model_dump(mode="json", exclude_unset=True) for rule in self._settings.show],
            "files": _files(self._settings.data / FOLDER),
            "folder": str(self._settings.data / FOLDER),
            "boards": sorted(self._boards()),
            "events": list(get_args(EventKind)),
            "awards": list(AWARDS),
        }
        # A date and a number that JSON does not have, such as `nan`, are shown as text.
        shown: dict[str, Any] = json.loads(json.dumps(found, default=str), parse_constant=str)
        return shown


def _made(made: RuleFile) -> dict[str, Any]:
    rules = [
        {"values": dict(written.values), "mistakes": [_mistake(mistake) for mistake in written.mistakes]}
        for written in made.rules
    ]
    return {"version": made.version, "rules": rules} | ({} if made.problem is None else {"problem": made.problem})


def _mistake(mistake: Mistake) -> dict[str, Any]:
    return {"path": list(mistake.path), "message": mistake.message}


def _mistakes(mistakes: tuple[Mistake, ...]) -> web.Response:
    found = [_mistake(mistake) for mistake in mistakes]
    message = "; ".join(f"{'.'.join(map(str, mistake.path))}: {mistake.message}" for mistake in mistakes)
    return web.json_response({"ok": False, "reason": "bad_value", "message": message, "mistakes": found}, status=422)


def _keep(folder: Path, name: str, content: bytes) -> Refusal | None:
    folder.mkdir(exist_ok=True)
    give_to_owner(folder, folder.parent)
    if not (folder / name).exists() and sum(1 for _ in islice(folder.iterdir(), MOST_FILES)) >= MOST_FILES:
        return Refusal("too_large", f"{folder} has {MOST_FILES} files already. Remove some there.")
    others = sum(path.lstat().st_size for path in folder.iterdir() if path.name != name)
    if others + len(content) > MOST_ALTOGETHER:
        return Refusal("too_large", f"{folder} is full. Remove some files there.")
    write_secret(folder / name, content, folder)
    return None


def _files(folder: Path) -> dict[str, list[str]]:
    """The sounds and pictures of the folder, by name."""
    try:
        names = sorted(path.name for path in folder.iterdir() if FILE_NAME.fullmatch(path.name) and path.is_file())
    except OSError:
        names = []
    kinds = {name: TYPES.get(Path(name).suffix.lower(), "") for name in names[:MOST_FILES]}
    return {
        "sounds": [name for name, kind in kinds.items() if kind.startswith("audio/")],
        "pictures": [name for name, kind in kinds.items() if kind.startswith(("image/", "video/"))],
    }
