"""The files of the pages are written as aiohttp allows; fixed answers are compressed."""

import asyncio
import gzip
import inspect
import json
import os
from functools import partial
from pathlib import Path

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import make_mocked_request

from daemon.network.connection_limits import ConnectionLimits, listening
from daemon.network.fair_turns import ClientTurns, Party, Turns
from daemon.network.http_server import http_server
from daemon.network.paced_protocol import BODY_PIECE
from daemon.system.catalogue import games
from daemon.web.fixed_answer import FixedAnswer
from daemon.web.game_list import describe
from daemon.web.pages import PageFile
from tests.rig import LIMIT_SECONDS, free_port


def test_the_library_has_the_method_of_page_files() -> None:
    theirs = inspect.signature(web.FileResponse._sendfile)
    assert list(inspect.signature(PageFile._sendfile).parameters) == list(theirs.parameters)


class CountedTurns(Turns):
    """Turns that are counted."""

    granted = 0

    async def turn(self, party: Party) -> None:
        self.granted += 1
        await super().turn(party)


def test_each_piece_of_a_file_waits_for_a_turn(tmp_path: Path) -> None:
    content = os.urandom(20 * BODY_PIECE + 1)
    (tmp_path / "long.mp4").write_bytes(content)
    turns = CountedTurns()

    async def answer(_request: web.Request) -> web.StreamResponse:
        return PageFile(tmp_path / "long.mp4")

    async def work() -> None:
        app, port = web.Application(), free_port()
        app.router.add_get("/", answer)
        limits = ConnectionLimits(ClientTurns(strangers=turns))
        async with (
            asyncio.timeout(LIMIT_SECONDS),
            http_server(app) as server,
            listening(server, "127.0.0.1", port, None, limits),
            ClientSession() as session,
        ):
            before = turns.granted
            async with session.get(f"http://127.0.0.1:{port}") as whole:
                assert await whole.read() == content
            assert turns.granted - before >= 21
            part = {"Range": f"bytes={BODY_PIECE - 1}-{2 * BODY_PIECE}"}
            async with session.get(f"http://127.0.0.1:{port}", headers=part) as some:
                assert (some.status, await some.read()) == (206, content[BODY_PIECE - 1 : 2 * BODY_PIECE + 1])

    asyncio.run(work())


@pytest.mark.parametrize("accepted", ["gzip, deflate, br", "identity", None])
def test_fixed_answers_are_compressed_for_who_takes_it(accepted: str | None) -> None:
    value = {"games": ["Hi-Lo"] * 100}
    request = make_mocked_request("GET", "/games.json", {} if accepted is None else {"Accept-Encoding": accepted})

    async def asked() -> web.StreamResponse:
        async with FixedAnswer(partial(asyncio.sleep, 0, value)) as answer:
            return await answer.handler(request)

    answer = asyncio.run(asked())
    assert isinstance(answer, web.Response)
    assert isinstance(answer.body, bytes)
    packed = answer.headers.get("Content-Encoding") == "gzip"
    assert packed == (accepted is not None and "gzip" in accepted)
    assert json.loads(gzip.decompress(answer.body) if packed else answer.body) == value
    assert answer.headers["Vary"] == "Accept-Encoding"


def test_the_list_of_games_is_made_in_steps_while_boards_play() -> None:
    """The first look at a game imports it."""

    async def work() -> int:
        rounds = 0

        async def play() -> None:
            nonlocal rounds
            while True:
                rounds += 1
                await asyncio.sleep(0)

        playing = asyncio.create_task(play())
        described = await describe(games())
        playing.cancel()
        assert [game["name"] for game in described] == [game.name for game in games().values()]
        return rounds

    assert asyncio.run(work()) > len(games())


def test_requests_wait_for_a_fixed_answer_and_one_that_goes_away_ends_alone() -> None:
    async def work() -> None:
        made = asyncio.Event()

        async def value() -> list[int]:
            await made.wait()
            return [1, 2]

        async with FixedAnswer(value) as answer:
            request = make_mocked_request("GET", "/games.json")
            gone, waits = (asyncio.create_task(answer.handler(request)) for _ in range(2))
            await asyncio.sleep(0)
            gone.cancel()
            await asyncio.gather(gone, return_exceptions=True)
            assert not waits.done()
            made.set()
            response = await waits
            assert isinstance(response, web.Response)
            assert response.body == b"[1, 2]"

    asyncio.run(work())


def test_a_fixed_answer_that_is_not_needed_any_more_is_not_made() -> None:
    async def work() -> None:
        async with FixedAnswer(asyncio.Event().wait):
            await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(work())
