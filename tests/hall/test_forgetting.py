"""A player who is forgotten at a node is forgotten at the hall."""

from pathlib import Path

import pytest

from daemon.history.forgetting import without_player
from daemon.record.journal_file import JournalError
from daemon.shipping.forgetting import forgetting_at_hall
from daemon.shipping.membership import Membership, save
from daemon.shipping.sent_file import SentFile, Stage
from daemon.system.catalogue import faces, games
from engine.refusals import Refusal
from tests.hall.centre import Centre
from tests.hall.house import House, settled
from tests.hall.joined import run_with_house, until


def test_forgetting_a_player_reaches_the_hall(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, house: House) -> None:
        match = house.begin()
        await house.throw(match, 5)
        await house.end(match)
        other = house.begin()
        async with house.shipping():
            await house.throw(other, 3)
            await house.end(other)
            await settled(url, [house])
            with pytest.raises(SystemExit), forgetting_at_hall(house.folder, "Ann"):
                raise SystemExit  # The process ends before it writes.
            # The journal has the name, so nothing is sent.
            await house.throw(third := house.begin())
            await settled(url, [house])
            await house.end(third)
            await settled(url, [house])
            assert list(SentFile(house.folder).forgotten().values()) == [Stage.NOTED]
            with forgetting_at_hall(house.folder, "Ann"):
                changes = without_player("Ann", house.journal, games(), faces())
                assert not isinstance(changes, Refusal)
                await house.journal.write(*changes)
            await until(lambda: _forgotten(house), "the hall confirms it")
            names = await hall.rows("SELECT DISTINCT name FROM seat")
            assert names == [("Bob",)]
            # The files are the same, and so are their signatures and editions.
            assert await hall.rows("SELECT DISTINCT edition FROM file") == [(1,)]
            # Also a wiped index does not get the name again; somebody else who is called Ann is not forgotten.
            await hall.db.execute("TRUNCATE match CASCADE")
            await hall.db.execute("UPDATE hall SET epoch = epoch + 1")
            again = house.begin()
            await house.throw(again, 2)
            await settled(url, [house])
            await until(lambda: _forgotten(house), "the hall confirms it again")
        found = await hall.rows("SELECT id, name FROM seat JOIN match ON number = match ORDER BY id, seat")
        assert found == [(match, "Bob"), (other, "Bob"), (third, "Bob"), (again, "Ann"), (again, "Bob")]

    run_with_house(url, tmp_path, test)


async def _forgotten(house: House) -> bool:
    found = SentFile(house.folder).forgotten()
    return set(found.values()) == {Stage.GONE}


def test_a_forgetting_that_the_journal_refuses_leaves_the_player_the_id(tmp_path: Path) -> None:
    save(tmp_path, Membership("https://hall", "crown", b"1" * 32, "token"))
    with pytest.raises(JournalError), forgetting_at_hall(tmp_path, "Ann"):
        raise JournalError  # The disk is full.
    assert SentFile(tmp_path).forgotten() == {}


def test_nothing_is_forgotten_while_it_is_unknown_whether_a_hall_has_it(tmp_path: Path) -> None:
    (tmp_path / "hall.json").write_text("{")
    with pytest.raises(JournalError, match="oche hall leave"), forgetting_at_hall(tmp_path, "Ann"):
        pytest.fail("The journal is written.")


def test_the_id_of_a_player_is_known_to_the_node_alone() -> None:
    here, there = Membership("https://hall", "crown", b"1" * 32), Membership("https://hall", "crown", b"2" * 32)
    assert here.player_id("Ann") == here.player_id("Ann")
    assert len({here.player_id("Ann"), here.player_id("Bob"), here.player_id("Ann", 1), there.player_id("Ann")}) == 4
