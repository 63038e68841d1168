"""The web server: the pages, the HTTP API, the proxy to the broker, and the port for programs."""

import asyncio
import contextlib
import gzip
import json
import ssl
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from aiohttp import web

from daemon.history.archive import Archive
from daemon.mqtt.broker import BrokerEndpoints
from daemon.network.bodies import expect_later
from daemon.network.connection_limits import ConnectionLimits, address_group, listening
from daemon.network.fair_turns import Turns
from daemon.network.http_server import http_server
from daemon.people.pairing import Pairing
from daemon.people.users import Users
from daemon.record.journal import Journal
from daemon.system.config import Settings, Tls
from daemon.web import geometry_api, history_api, player_files_api
from daemon.web.auth import Authenticator, Handler, guard
from daemon.web.hand_api import HandApi
from daemon.web.mqtt_proxy import proxy
from daemon.web.pages import headers, page, unless_conflict
from daemon.web.people_api import PeopleApi
from daemon.web.player_files_api import player_file
from daemon.web.program_port import program_port
from daemon.web.show_files import caller_file, caller_packs, show_file
from engine.about import about, needs, prefers
from engine.faces import Faces
from engine.formats.plan import own_options
from engine.game import Game
from engine.games import FAMILIES, families
from engine.matchfile import Games
from engine.options import MATCH_OPTIONS, Option
from engine.texts import LANGUAGES

ANSWER_SECONDS = 30.0
"""Time allowed for the body of a request and for its handler; then the request gets status 408."""


@contextlib.asynccontextmanager
async def serve(
    settings: Settings,
    endpoints: BrokerEndpoints,
    users: Users,
    pairing: Pairing | None,
    games: Games,
    faces: Faces,
    journal: Journal,
    boards_in_use: Callable[[], Collection[str]],
    on_stuck: Callable[[], None],
    start_count: Callable[[], None],
    conflict: Callable[[], str | None],
    limits: ConnectionLimits,
    more: Mapping[str, Handler],
) -> AsyncIterator[None]:
    """Serves until the end of the block. OSError: the address is taken.

    `boards_in_use` returns the names of the boards; `on_stuck` is called for each client that was disconnected because
    it did not read; `start_count` starts counting matches in the background; `conflict` returns a message while
    another daemon has the node name; `limits` are shared with the other ports of the daemon; `more` are paths for those
    who may look, with their handlers.
    """
    turns, auth = limits.turns, Authenticator(settings.host, users)
    people = PeopleApi(auth, users, pairing)
    public = {
        "/mqtt": (mqtt := proxy(endpoints, auth, on_stuck)),
        **await fixed_answers(games, faces, settings),
        "/pairing.json": people.codes,
        "/show/{name}": show_file(settings.data),
        "/people/{user}/{name}": player_file(settings.data),
        "/callers/{pack}/{name}": caller_file(settings.data),
        "/{path:.*}": page,
    }
    ancestors = settings.web.frame_ancestors
    embedded = frozenset({page} if ancestors else ())
    guarded = guard(auth, frozenset((*public.values(), people.pair)), headers(ancestors), embedded)
    app = web.Application(middlewares=[_in_turn(mqtt, turns.strangers), guarded, unless_conflict(conflict, mqtt, page)])
    hands = HandApi(settings.data, journal)
    archive = Archive(journal, games, faces)
    app.router.add_routes(history_api.routes(archive, journal, boards_in_use, start_count, hands))
    hands.add_to(app)
    app.router.add_routes(player_files_api.routes(settings.data))
    app.router.add_get("/callers.json", caller_packs(settings.data))  # has names of players, so it needs a right
    app.router.add_post("/pair", people.pair, expect_handler=expect_later)
    app.router.add_post("/unconfirmed", people.decide, expect_handler=expect_later)
    for path, handler in (*more.items(), *public.items()):
        app.router.add_get(path, handler)
    async with http_server(app) as server:
        tls = None if settings.tls is None else _tls_context(settings.tls)
        async with (
            listening(server, settings.host, settings.port, tls, limits),
            program_port(endpoints, auth.passwords, on_stuck, tls, limits),
        ):
            yield


def _in_turn(mqtt: Handler, turns: Turns) -> Any:
    """A middleware that handles each request in its turn, within ANSWER_SECONDS. The proxy has its own limits."""

    @web.middleware
    async def answer(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await turns.turn(address_group(request.remote or ""))
                if request.match_info.handler is not mqtt:
                    return await handler(request)
        except TimeoutError:
            late = web.Response(status=408, text="This took too long.\n")
            late.force_close()
            return late
        return await handler(request)

    return answer


def _tls_context(tls: Tls) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tls.certificate, tls.key)
    return context


def describe(games: Games) -> list[dict[str, Any]]:
    """Every game with what it is about, its range of players and its options: enough to choose and to start one.

    `needs` and `prefers` are abilities of boards, as `can` in the status of a board names them.
    """
    return [
        {
            "name": game.name,
            "title": game.title,
            **_about(game),
            "players": [game.seats.start, game.seats.stop - 1],
            "needs": needs(game),
            "prefers": prefers(game),
            **_lengths(game.name),
            "options": [_option(option) for option in game.options + MATCH_OPTIONS],
            "formats": [_option(option) for option in own_options(game)],
        }
        for game in games.values()
    ]


def _about(game: Game[Any]) -> dict[str, Any]:
    """The family of a built-in game and its title; the class of board, the pitch and the cards, where it says them."""
    family = families().get(game.name)
    known = {"family": family, "family_title": FAMILIES[family].to_json()} if family else {}
    found = about(game)
    if found is None:
        return known
    texts = {language: {"pitch": found.pitch.text(language), **found.cards(language)} for language in LANGUAGES}
    return known | {"board": found.board, "about": texts}


@cache
def _measured() -> dict[str, Any]:
    """What bots needed to play each game, as `scripts/simulations` wrote it."""
    measured: dict[str, Any] = json.loads(files("daemon.web").joinpath("lengths.json").read_text("utf-8"))
    return measured


def _lengths(name: str) -> dict[str, Any]:
    """The median darts of a match of bots, as pairs with the number of players; absent if nobody measured the game."""
    measured = _measured().get(name)
    return {"darts": [[row["players"], row["darts"]] for row in measured["lengths"]]} if measured else {}


def _option(option: Option) -> dict[str, Any]:
    described: dict[str, Any] = {"name": option.name, "help": option.help, "schema": option.kind.schema()}
    if option.label:
        described["label"] = option.label.to_json()
    if option.words:
        described["words"] = {value: text.to_json() for value, text in option.words.items()}
    if option.presets:
        described["presets"] = [{"name": preset.name, "value": preset.value} for preset in option.presets]
    return described if option.default is None else described | {"default": option.default}


async def fixed_answers(games: Games, faces: Faces, settings: Settings) -> dict[str, Handler]:
    """The handlers of the addresses whose answers never change, by path.

    They are made in a thread: that takes half a second on a PC, and the boards are online.
    """

    def make() -> dict[str, Handler]:
        titles = {game.name: game.title for game in games.values()}
        about_node = {"node": settings.node, "games": titles, "web": settings.web.to_json()}
        return {
            "/geometry.json": fixed(geometry_api.geometry() | {"faces": geometry_api.faces(faces)} | about_node),
            "/games.json": fixed(describe(games)),
        }

    return await asyncio.to_thread(make)


def fixed(value: Any) -> Handler:
    """A handler that answers with a JSON value that never changes.

    It is encoded and compressed once, so that a flood of requests costs neither.
    """
    body = json.dumps(value).encode()
    packed = gzip.compress(body)

    async def answer(request: web.Request) -> web.StreamResponse:
        headers = {"Vary": "Accept-Encoding"}
        if "gzip" not in request.headers.get("Accept-Encoding", ""):
            return web.Response(body=body, headers=headers, content_type="application/json", charset="utf-8")
        headers["Content-Encoding"] = "gzip"
        return web.Response(body=packed, headers=headers, content_type="application/json", charset="utf-8")

    return answer
