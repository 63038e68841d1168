"""The web server: the pages, the HTTP API, the proxy to the broker, and the port for programs."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from functools import partial
from typing import Any

from aiohttp import web

from daemon.history.archive import Archive
from daemon.houses.invitations import Invitations
from daemon.mqtt.broker import BrokerEndpoints
from daemon.network.bodies import expect_later
from daemon.network.connection_limits import ConnectionLimits, address_group, listening
from daemon.network.fair_turns import Turns
from daemon.network.http_server import http_server
from daemon.network.paced_protocol import frames_expected
from daemon.people.pairing import Pairing
from daemon.people.users import Users
from daemon.record.journal import Journal
from daemon.system.config import Settings, Tls
from daemon.tournament.director import Director
from daemon.web import geometry_api, history_api, player_files_api
from daemon.web.auth import Authenticator, Handler, guard
from daemon.web.board_health_api import BoardHealthApi
from daemon.web.card_api import CardApi
from daemon.web.fixed_answer import FixedAnswer
from daemon.web.game_list import describe
from daemon.web.hand_api import HandApi
from daemon.web.mqtt_proxy import proxy
from daemon.web.pages import headers, page, unless_conflict
from daemon.web.people_api import PeopleApi
from daemon.web.player_files_api import player_file
from daemon.web.program_port import program_port
from daemon.web.show_api import ShowApi, ShowProcess
from daemon.web.show_files import caller_file, caller_packs, show_file
from daemon.web.tournament_api import TournamentApi
from engine.faces import Faces
from engine.matchfile import Games

ANSWER_SECONDS = 30.0
"""Time allowed for the body of a request and for its handler; then the request gets status 408."""
BUSY_TIMEOUT = 0.1
"""Time that an answer about the history waits while another process counts matches, in seconds."""


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
    show_process: ShowProcess,
    tournament: Director,
    invitations: Invitations,
) -> AsyncIterator[None]:
    """Serves until the end of the block. OSError: the address is taken.

    `boards_in_use` returns the names of the boards; `on_stuck` is called for each client that was disconnected because
    it did not read; `start_count` starts counting matches in the background; `conflict` returns a message while
    another daemon has the node name; `limits` are shared with the other ports of the daemon; `more` are paths for those
    who may look, with their handlers; `show_process` sends what a rule says; `tournament` and `invitations` are the
    node's.
    """
    turns, auth = limits.turns, Authenticator(settings.host, users)
    people = PeopleApi(auth, users, pairing)
    tournaments = TournamentApi(auth, tournament)
    public = {
        "/mqtt": (mqtt := proxy(endpoints, auth, on_stuck)),
        "/geometry.json": (geometry := FixedAnswer(partial(_about_node, settings, games, faces))).handler,
        "/games.json": (catalogue := FixedAnswer(partial(describe, games))).handler,
        "/pairing.json": people.codes,
        "/show/{name}": show_file(settings.data),
        "/people/{user}/{name}": player_file(settings.data),
        "/callers/{pack}/{name}": caller_file(settings.data),
        "/{path:.*}": page,
    }
    ancestors = settings.web.frame_ancestors
    embedded = frozenset({page} if ancestors else ())
    guarded = guard(auth, frozenset((*public.values(), people.pair, tournaments.enter)), headers(ancestors), embedded)
    app = web.Application(middlewares=[_in_turn(mqtt, turns.strangers), guarded, unless_conflict(conflict, mqtt, page)])
    hands = HandApi(settings.data, journal)
    archive = Archive(journal, games, faces, busy_timeout=BUSY_TIMEOUT)
    forget_too = (hands, tournament, invitations)
    app.router.add_routes(history_api.routes(app, archive, journal, boards_in_use, start_count, *forget_too))
    hands.add_to(app)
    BoardHealthApi(auth, settings, journal).add_to(app)
    app.router.add_routes(player_files_api.routes(settings.data))
    app.router.add_routes(CardApi(auth, settings.data).routes())
    show = ShowApi(auth, settings, boards_in_use, show_process)
    app.router.add_routes(show.routes())
    app.router.add_routes(tournaments.routes())
    app.router.add_get("/callers.json", caller_packs(settings.data))  # has names of players, so it needs a right
    app.router.add_post("/pair", people.pair, expect_handler=expect_later)
    app.router.add_post("/unconfirmed", people.decide, expect_handler=expect_later)
    for path, handler in (*more.items(), *public.items()):
        app.router.add_get(path, handler)
    async with http_server(app) as server, geometry, catalogue:
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
        is_proxied = request.match_info.handler is mqtt
        with frames_expected(request.transport) if is_proxied else contextlib.nullcontext():
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    await turns.turn(address_group(request.remote or ""))
                    if not is_proxied:
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


async def _about_node(settings: Settings, games: Games, faces: Faces) -> dict[str, Any]:
    """What every page needs to draw a board, and what the configuration says about pages."""
    about = {"games": {game.name: game.title for game in games.values()}, "web": settings.web.to_json()}
    return geometry_api.geometry() | {"faces": geometry_api.faces(faces), "node": settings.node} | about
