"""The lights of a board follow its match: a real session, the real link, and a board that bumble emulates."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from daemon.links.link import chunk
from daemon.links.supervisor import Opened
from daemon.mqtt.bus import Bus
from daemon.people.users import Users
from daemon.record.journal import Journal
from daemon.session import lamps
from daemon.session.board_session import BoardSession
from daemon.session.bot_advice import thinker
from daemon.session.commands import Start
from daemon.session.node_boards import NodeBoards
from daemon.session.scorer import Scorer
from daemon.system.catalogue import faces, games
from drivers import DRIVERS
from drivers.granboard_lights import EFFECTS, GREEN, PLACES
from engine.matchfile import header_from_json
from engine.refusals import Refusal
from tests.daemon.test_bluetooth import Room, in_a_room
from tests.drivers.boards import model


def lit(number: int) -> bytes:
    """The ring with one number that scores in any bed."""
    return bytes(GREEN if each == number else 0 for each in range(1, 21))


class Played:
    """The session of a board that is connected over the radio of a room."""

    def __init__(self, room: Room, kind: str, folder: Path, journal: Journal) -> None:
        self.board = model(kind)
        self.bus = Bus("test", lambda _: None)
        scorer = Scorer("lounge", self.board, journal, games(), faces())
        driver = DRIVERS[self.board.dialect]
        self.session = BoardSession(scorer, driver, journal, self.bus, Users(folder), thinker(), NodeBoards())
        self._room, self._kind = room, kind

    async def run(self) -> None:
        """Connects, and puts what arrives into the inbox, until cancelled."""
        running = asyncio.create_task(self.session.run())
        try:
            link = await self._room.open("ble://", self._kind)
            try:
                await self.session.inbox.put(Opened(link, chunk(b"")))
                while True:
                    await self.session.inbox.put(await link.read())
            finally:
                link.close()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def start(self, game: str, **options: object) -> None:
        header = header_from_json({"match": 1, "game": game, "players": ["Ann"], "options": options})
        assert not isinstance(header, Refusal), header
        await self.session.inbox.put(Start(header, {}))


@contextlib.asynccontextmanager
async def playing(played: Played) -> AsyncIterator[None]:
    running = asyncio.create_task(played.run())
    try:
        yield
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


def test_the_ring_follows_the_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shanghai: the number of the round is lit, a dart flashes, the take-out is shown, then the next number."""
    monkeypatch.setattr(lamps, "FLASH_SECONDS", 0.1)

    async def act(room: Room) -> None:
        board = await room.board("granboard", "GRANBOARD")

        async def shows(frame: bytes) -> None:
            await board.until(lambda: board.written[-1:] == [frame])

        with contextlib.closing(Journal(tmp_path)) as journal:
            played = Played(room, "granboard", tmp_path, journal)
            async with playing(played):
                await shows(bytes(20))
                await played.start("shanghai")
                await shows(lit(1))
                for report, op, place in ((b"2.3@", 1, 0x1C), (b"3.6@", 2, 0x19)):
                    await board.say(report)
                    await board.until(lambda o=op, p=place: (o, p) in [(f[0], f[10]) for f in board.written if f[15:]])  # type: ignore[misc]
                    await shows(lit(1))
                await board.say(b"0.1@")
                await shows(EFFECTS["takeout"])
                await board.say(b"BTN@")
                await shows(lit(2))
        assert {len(frame) for frame in board.written} == {20, 16}

    in_a_room(act)


def test_a_bust_is_shown(tmp_path: Path) -> None:
    async def act(room: Room) -> None:
        board = await room.board("granboard", "GRANBOARD")
        with contextlib.closing(Journal(tmp_path)) as journal:
            played = Played(room, "granboard", tmp_path, journal)
            async with playing(played):
                await board.until(lambda: bytes(20) in board.written)
                await played.start("x01", start=101)
                await board.say(b"3.4@")
                await board.until(lambda: any(frame[15:] and frame[10] == PLACES[19] for frame in board.written))
                await board.say(b"6.0@")
                await board.until(lambda: EFFECTS["bust"] in board.written)
                await board.until(lambda: board.written[-1:] == [EFFECTS["takeout"]])

    in_a_room(act)


def test_a_board_that_comes_back_is_told_again(tmp_path: Path) -> None:
    async def act(room: Room) -> None:
        board = await room.board("granboard", "GRANBOARD")
        with contextlib.closing(Journal(tmp_path)) as journal:
            played = Played(room, "granboard", tmp_path, journal)
            async with playing(played):
                await played.start("shanghai")
                await board.until(lambda: lit(1) in board.written)
            await board.until(lambda: "gone" in board.log)
            board.written.clear()
            async with playing(Played(room, "granboard", tmp_path, journal)):
                await board.until(lambda: lit(1) in board.written)

    in_a_room(act)


def test_a_battery_is_in_the_status(tmp_path: Path) -> None:
    async def act(room: Room) -> None:
        board = await room.board("unicorn", "Unicorn", battery=81)
        with contextlib.closing(Journal(tmp_path)) as journal:
            played = Played(room, "unicorn", tmp_path, journal)

            async def is_told(level: int) -> None:
                topic = "board/lounge/status"
                while json.loads(played.bus._retained.get(topic, "{}")).get("battery") != level:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)

            async with playing(played):
                await is_told(81)
                await board.charge(80)
                await is_told(80)

    in_a_room(act)
