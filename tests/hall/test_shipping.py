"""The way out of a node: what is committed there comes to the hall, whatever happens between them."""

import asyncio
import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from daemon.shipping.membership import Membership, load
from daemon.shipping.sent_file import SentFile
from daemon.shipping.unsent_matches import AT_ONCE, LINES, UnsentMatches
from daemon.system.catalogue import faces, games
from daemon.system.hall_config import hall_url
from daemon.system.urls import UsageError
from hall import nodes
from tests.hall.centre import Centre
from tests.hall.house import House, settled
from tests.hall.joined import run_with_house, until

DECK = json.dumps({"deck": [f"{rank}{suit}" for suit in "HDSC" for rank in "23456789TJQKA"]})


async def no_rows(hall: Centre, query: str) -> bool:
    """Whether a query finds nothing."""
    return not await hall.rows(query)


def test_darts_come_as_they_are_thrown_and_the_match_when_it_is_over(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, house: House) -> None:
        async with house.shipping():
            first = house.begin()
            for _ in range(5):
                await house.throw(first)
                await settled(url, [house])
            await house.end(first)
            second = house.begin()
            await house.throw(second, 450)
            await settled(url, [house])
            assert [row[0] for row in await hall.rows("SELECT name FROM seat ORDER BY match, seat")] == [
                "Ann",
                "Bob",
            ] * 2

    run_with_house(url, tmp_path, test)


def test_darts_that_follow_soon_are_sent_together(url: str, tmp_path: Path) -> None:
    """The first dart is sent at once, a backlog as well, and no further dart within the hour."""

    async def test(hall: Centre, house: House) -> None:
        await house.throw(match := house.begin())
        await house.throw(house.begin(board="garage"), LINES + 1)
        have = "SELECT have FROM match ORDER BY have"
        async with house.shipping(gather=3600.0) as shipper:
            await until(lambda: no_rows(hall, f"SELECT 1 HAVING {LINES} NOT IN ({have})"), "the backlog is sent")
            for _ in range(3):
                await house.throw(match)
                shipper.written()
                # Each look into the hall takes longer than a request of the shipper.
                assert [row[0] for row in await hall.rows(have)] == [1, LINES]
        async with house.shipping():
            await settled(url, [house])

    run_with_house(url, tmp_path, test)


def test_a_backlog_is_sent_when_the_hall_is_back_and_only_once(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, house: House) -> None:
        for _ in range(8):
            match = house.begin()
            await house.throw(match, 21)
            await house.end(match)
        running = house.begin()
        await house.throw(running, 300)
        async with house.shipping():
            await settled(url, [house])
        # The hall counts a file once it has it, which changes the row too.
        uncounted = "SELECT match FROM file WHERE figures_version = 0 AND refused IS NULL"
        await until(lambda: no_rows(hall, uncounted), "every file is counted")
        before = await hall.rows("SELECT xmin::TEXT, match FROM file ORDER BY match")
        async with house.shipping():
            await house.throw(running)
            await settled(url, [house])
        assert await hall.rows("SELECT xmin::TEXT, match FROM file ORDER BY match") == before

    run_with_house(url, tmp_path, test)


def test_an_index_that_is_empty_or_old_becomes_whole_again(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, house: House) -> None:
        over, running = house.begin(), ""
        await house.throw(over, 30)
        await house.end(over)
        async with house.shipping():
            running = house.begin()
            await house.throw(running, 10)
            await settled(url, [house])
            await hall.db.execute("TRUNCATE match CASCADE")
            await hall.db.execute("UPDATE hall SET epoch = epoch + 1")
            await house.throw(running)
            await settled(url, [house])
            # An old backup: a match is back at its first lines, and its end is missing.
            await hall.db.execute("DELETE FROM file")
            await hall.db.execute("UPDATE match SET is_over = FALSE, have = 0")
            await hall.db.execute("DELETE FROM line")
            await hall.db.execute("UPDATE hall SET epoch = epoch + 1")
            await house.throw(running)
            await settled(url, [house])

    run_with_house(url, tmp_path, test)


def test_lines_of_many_matches_are_sent_at_once_and_live_ones_alone(tmp_path: Path) -> None:
    async def work() -> None:
        house = House(tmp_path, "crown")
        try:
            for n in range(AT_ONCE + 4):
                await house.throw(house.begin(board=f"board-{n}"), 3)
            await house.throw(long := house.begin(board="long"), LINES + 50)
            member = Membership("https://hall", "crown", b"1" * 32, "token")
            unsent = UnsentMatches(house.journal, SentFile(house.folder), member, games(), faces())
            sent: list[list[str]] = []
            while chunks := unsent.lines():
                sent.append([chunk.match for chunk in chunks])
                assert len({chunk.live for chunk in chunks}) == 1
                for chunk in chunks:
                    assert unsent.taken(chunk, chunk.first + chunk.body.count("\n"))
            assert [len(matches) for matches in sent] == [AT_ONCE, 4, 1, 1]
            assert sent[2:] == [[long], [long]]
        finally:
            house.close()

    asyncio.run(work())


def test_a_match_with_secrets_is_sent_when_it_is_over(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, house: House) -> None:
        cards = house.begin("dards", order="listed")
        await house.write(cards, DECK)
        open_match = house.begin()
        async with house.shipping():
            await house.throw(open_match, 3)
            await settled(url, [house], hidden=(cards,))
            assert "deck" not in str(await hall.rows("SELECT line FROM line"))
            await house.end(cards)
            await house.throw(open_match)
            await settled(url, [house])

    run_with_house(url, tmp_path, test)


def test_bots_among_themselves_are_not_sent(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, house: House) -> None:
        demo = house.begin(bots={"Ann": 25.0, "Bob": 30.0})
        await house.throw(demo, 3)
        over = house.begin(bots={"Ann": 25.0, "Bob": 30.0})
        await house.throw(over, 3)
        await house.end(over)
        match = house.begin(bots={"Bob": 30.0})
        async with house.shipping():
            await house.throw(match, 3)
            await settled(url, [house], hidden=(demo, over))
        assert await hall.rows("SELECT name, bot, player IS NULL FROM seat ORDER BY seat") == [
            ("Ann", None, False),
            ("Bob", 30.0, True),
        ]

    run_with_house(url, tmp_path, test)


def test_a_damaged_match_keeps_no_other_from_the_hall(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, house: House) -> None:
        damaged = house.begin()
        await house.throw(damaged, 3)
        with contextlib.closing(sqlite3.connect(house.folder / "oche.db")) as db, db:
            db.execute('UPDATE action SET line = \'{"throw":"T20"}\' WHERE match = ? AND n = 2', (damaged,))
        cut = house.begin()
        await house.write(cut, '{"throw":"S')
        whole = house.begin()
        async with house.shipping():
            await house.throw(whole, 3)
            await settled(url, [house], hidden=(damaged, cut))
            await house.throw(whole)
            await settled(url, [house], hidden=(damaged, cut))

    run_with_house(url, tmp_path, test)


def test_with_ship_finished_nothing_leaves_before_the_end(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, house: House) -> None:
        running, over = house.begin(), ""
        async with house.shipping(running=False):
            await house.throw(running, 5)
            await house.end(running)
            over = house.begin()
            await house.throw(over, 5)
            await settled(url, [house], hidden=(over,))

    run_with_house(url, tmp_path, test)


def test_a_match_that_an_undo_opens_again_is_replaced_at_its_new_end(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, house: House) -> None:
        match = house.begin(start=101)
        async with house.shipping():
            await house.write(match, '{"throw":"T17"}', '{"throw":"DB"}', '{"next":true}')
            await house.end(match, "finished")
            await settled(url, [house])
            # The board goes on with it.
            played = house.played[match]
            played.row = type(played.row)(
                *(getattr(played.row, name) for name in ("id", "board", "header", "bots", "started"))
            )
            await house.write(match, '{"undo":true}', '{"undo":true}', '{"throw":"S1"}')
            await house.end(match)
            await settled(url, [house])
            assert await hall.rows("SELECT edition FROM file") == [(2,)]

    run_with_house(url, tmp_path, test)


async def _said(house: House, key: str, value: object) -> bool:
    return SentFile(house.folder).status().get(key) == value


def test_a_node_that_is_shut_out_says_so_and_loses_nothing(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, house: House) -> None:
        await nodes.revoke(hall.db, "crown")
        match = house.begin()
        async with house.shipping():
            await house.throw(match, 3)
            await until(lambda: _said(house, "state", "refused"), "the node is refused")
        assert await hall.rows("SELECT * FROM match") == []
        replacing = await nodes.new_code(hall.db, "crown")
        assert replacing is not None
        member = load(house.folder)
        assert member is not None
        from daemon.shipping.join import leave

        assert leave(house.folder)
        await house.join(hall.at, replacing)
        async with house.shipping():
            await settled(url, [house])

    run_with_house(url, tmp_path, test)


def test_a_full_disk_is_said_and_waited_for(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[object] = []

    def full(*_values: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    async def test(_hall: Centre, house: House) -> None:
        match = house.begin()
        async with house.shipping() as shipper:
            shipper._told = lambda status: said.append((status["state"], "full" in status.get("message", "")))
            with monkeypatch.context() as patched:
                for name in ("put", "note", "start_over"):
                    patched.setattr(SentFile, name, full)
                await house.throw(match, 3)
                await house.end(match)
                await until(lambda: _has(("away", True)), "the disk is full")
            await settled(url, [house])
            await until(lambda: _said(house, "state", "connected"), "there is room again")
            assert match in SentFile(house.folder).all()

    async def _has(what: object) -> bool:
        return what in said

    run_with_house(url, tmp_path, test)


@pytest.mark.parametrize(
    "text", ["darts.example.org", "ftp://darts.example.org", "http://darts.example.org", "https://"]
)
def test_an_address_that_is_not_one_or_not_encrypted_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        hall_url(text)


@pytest.mark.parametrize(
    "text",
    [
        "https://darts.example.org/",
        "http://localhost:8090",
        "http://192.168.1.4:8090",
        "http://pi.local",
        "http://hall",
    ],
)
def test_an_address_in_the_own_network_needs_no_encryption(text: str) -> None:
    assert hall_url(text) == text.rstrip("/")
