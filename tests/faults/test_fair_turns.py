"""One board that floods holds up no other: it is read in short pieces, and each board has its turn and its share."""

import asyncio
import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from daemon.links.link import chunk
from daemon.links.unread import FULL, FULL_BYTES, PIECE_BYTES, Unread
from daemon.mqtt.bus import SHARE, Bus
from daemon.people.users import Users
from daemon.record.journal import Journal
from daemon.session.board_session import BoardSession
from daemon.session.bot_advice import thinker
from daemon.session.node_boards import NodeBoards
from daemon.session.scorer import Scorer
from daemon.system.catalogue import faces, games, model
from daemon.system.urls import broker_url
from drivers import DRIVERS
from drivers.events import BoardEvent
from tests.mqtt_clients import Watcher, watching
from tests.rig import LIMIT_SECONDS, Mosquitto

GARBAGE: Final = b"xyz;" * (PIECE_BYTES // 4)


@given(st.lists(st.binary(max_size=4 * PIECE_BYTES), max_size=30))
def test_long_pieces_are_read_in_short_ones(pieces: list[bytes]) -> None:
    async def play() -> None:
        unread = Unread(lambda: None, lambda: None)
        read = []
        for data in pieces:
            arrived = chunk(data)
            unread.put(arrived)
            while unread.count:
                read.append(await unread.get())
                assert (read[-1].at_ns, read[-1].wall_ns) == (arrived.at_ns, arrived.wall_ns)
        assert b"".join(piece.data for piece in read) == b"".join(pieces)
        assert all(len(piece.data) <= PIECE_BYTES for piece in read)

    asyncio.run(play())


@given(st.lists(st.tuples(st.integers(0, 1500), st.integers(0, 1500)), max_size=12), st.integers(1, 300))
def test_the_device_is_told_to_wait_and_to_go_on(steps: list[tuple[int, int]], size: int) -> None:
    """After any puts and gets: it waits once the bound is passed, and goes on before all of it is read."""

    async def play() -> None:
        told: list[str] = []
        unread = Unread(lambda: told.append("wait"), lambda: told.append("go on"))
        piece = chunk(bytes(min(size, PIECE_BYTES)))
        for puts, gets in steps:
            for _ in range(puts):
                unread.put(piece)
            if unread.count > FULL or unread.count * len(piece.data) > FULL_BYTES:
                assert told[-1] == "wait"
            for _ in range(min(gets, unread.count)):
                await unread.get()
            if not unread.count:
                assert told[-1:] != ["wait"]
        assert told == ["wait", "go on"] * (len(told) // 2) + ["wait"] * (len(told) % 2)

    asyncio.run(play())


def _table(name: str, journal: Journal, bus: Bus, folder: Path) -> BoardSession:
    board = model("maddarts")
    scorer = Scorer(name, board, journal, games(), faces())
    return BoardSession(scorer, DRIVERS[board.dialect], journal, bus, Users(folder), thinker(), NodeBoards())


def test_the_boards_take_turns(tmp_path: Path) -> None:
    """What one board has to say is read after one piece of the other's, however many wait there."""

    async def play(journal: Journal) -> list[int]:
        bus = Bus("test", lambda _: None)
        loud, quiet = _table("loud", journal, bus, tmp_path), _table("quiet", journal, bus, tmp_path)
        read: Mapping[str, list[None]] = {"loud": [], "quiet": []}
        before: list[int] = []

        def counted(table: BoardSession) -> None:
            feed = table._pipeline.feed

            def fed(data: bytes, at_ns: int) -> tuple[BoardEvent, ...]:
                read[table.name].append(None)
                if table is quiet:
                    before.append(len(read["loud"]))
                return feed(data, at_ns)

            table._pipeline.feed = fed  # type: ignore[method-assign]

        for table in (loud, quiet):
            counted(table)
        for _ in range(60):
            await loud.inbox.put(chunk(GARBAGE))
        await quiet.inbox.put(chunk(b"20;3\r\n"))
        tasks = [asyncio.create_task(table.run()) for table in (loud, quiet)]
        async with asyncio.timeout(LIMIT_SECONDS):
            while not before:  # noqa: ASYNC110
                await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return before

    with contextlib.closing(Journal(tmp_path)) as journal:
        assert asyncio.run(play(journal))[0] <= 2


def test_the_messages_of_one_board_leave_room_for_others(broker: Mosquitto) -> None:
    async def play(watcher: Watcher) -> None:
        bus = Bus("test", lambda _: None)
        running = asyncio.create_task(bus.run(broker_url(broker.url), {"state": "online"}))
        await bus.connected.wait()

        async def flood() -> None:
            for n in range(1_000):
                await bus.room_for("loud")
                for _ in range(3):
                    bus.send("board/loud/event", n)

        flooding = asyncio.create_task(flood())
        for n in range(20):
            await asyncio.sleep(0)
            assert bus._by_board["loud"] <= SHARE + 3
            await bus.room_for("quiet")
            bus.send("board/quiet/hit", n)
        await flooding
        bus.retain("board/quiet/last", {})
        await asyncio.to_thread(watcher.wait, lambda m: m.topic.endswith("/last"), "the last of them")
        assert bus._counters.dropped == 0
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert not bus._by_board

    with watching(broker.port, "oche/test/board/quiet/#") as watcher:
        asyncio.run(play(watcher))
        assert watcher.all("/hit") == list(range(20))
