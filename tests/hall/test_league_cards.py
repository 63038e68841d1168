"""Cards of a league: one person at several nodes, checked offline, refused with a reason, forgotten everywhere."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from daemon.history.forgetting import without_player
from daemon.people import cards as node_cards
from daemon.people.league_cards import shown_cards
from daemon.shipping.forgetting import forgetting_at_hall
from daemon.shipping.hall_client import HallClient
from daemon.shipping.league import ask, take_card, to_forget
from daemon.shipping.membership import load
from daemon.shipping.sent_file import SentFile
from daemon.system.catalogue import faces, games
from engine.refusals import Refusal
from hall import card_commands, cards, nodes, past, upkeep
from hall.card_commands import Paper
from hall.database import DatabaseError
from league.cards import Card, card_text, read_card
from league.digests import Seat
from league.signatures import new_key, public_key
from tests.hall.centre import LINES, Centre, centre
from tests.hall.house import House, settled
from tests.hall.joined import until

TODAY = datetime.now(UTC).date()
LATER = TODAY + timedelta(days=365)


def run(url: str, folder: Path, test: Callable[[Centre, House, House], Awaitable[None]]) -> None:
    """Runs a test with an empty hall and two houses that have joined it."""

    async def work() -> None:
        async with centre(url) as hall:
            await hall.db.execute("TRUNCATE card")
            houses = [House(folder, name) for name in ("crown", "harp")]
            try:
                for house in houses:
                    code = await nodes.new_code(hall.db)
                    assert code is not None
                    await house.join(hall.at, code)
                await test(hall, houses[0], houses[1])
            finally:
                for house in houses:
                    house.close()

    asyncio.run(work())


async def hear(*houses: House, waiting: int = 0) -> None:
    """Has nodes ask the hall about cards once, with this many lines that are still to be sent."""
    for house in houses:
        member = load(house.folder)
        assert member is not None
        client = HallClient(member)
        try:
            await ask(client, SentFile(house.folder), waiting)
        finally:
            await client.close()


async def play(house: House, url: str, houses: list[House]) -> None:
    """Plays a match to its end at a house, and waits until the hall has it."""
    async with house.shipping():
        match = house.begin(start=101)
        await house.write(match, *LINES)
        await house.end(match, "won")
        await settled(url, houses)


async def forget(house: House, name: str) -> None:
    """Forgets a player at a house, as its daemon does."""
    changes = without_player(name, house.journal, games(), faces())
    assert changes and not isinstance(changes, Refusal)
    with forgetting_at_hall(house.folder, name):
        await house.journal.write(*changes)
    assert node_cards.revoke(house.folder, name) == []


async def ladder(hall: Centre, *wanted: tuple[str, int]) -> None:
    """Returns when the players of the ladder, with their matches, are those; the hall counts in the background."""

    async def found() -> bool:
        while await upkeep.step(hall.db):
            pass
        return sorted((row.name, row.matches) for row in await past.ladder(hall.db, "", "")) == list(wanted)

    await until(found, f"the ladder {wanted}")


def test_a_card_makes_one_person_of_a_player_at_two_nodes(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, crown: House, harp: House) -> None:
        houses = [crown, harp]
        await play(crown, url, houses)
        await play(harp, url, houses)
        await ladder(hall, ("Ann", 1), ("Ann", 1), ("Bob", 1), ("Bob", 1))  # Without a card they are four.

        card, text = await cards.make(hall.db, "Ann", LATER)
        await hear(*houses)
        assert [take_card(house.folder, text, TODAY) for house in houses] == ["Ann", "Ann"]
        await play(harp, url, houses)
        # What was played before the card was shown counts as well: it is sent again.
        async with crown.shipping():
            await ladder(hall, ("Ann", 3), ("Bob", 1), ("Bob", 2))
        [about] = await cards.listed(hall.db)
        assert (about.player, about.matches) == (card.player, 3)

        # Revoked at a node alone, its matches are those of somebody else again.
        assert node_cards.revoke(harp.folder, "Ann") == []
        async with harp.shipping():
            await ladder(hall, ("Ann", 1), ("Ann", 2), ("Bob", 1), ("Bob", 2))

    run(url, tmp_path, test)


def test_a_node_without_the_card_gives_nobody_a_match(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, _crown: House, _harp: House) -> None:
        card, text = await cards.make(hall.db, "Ann", LATER)
        forged = card_text(Card(card.player, "Ann", LATER), new_key())
        node = await hall.node("thief")
        for number, shown in enumerate((None, forged, 1, text)):
            [seat] = node.seats(f"m{number}", Seat(1, "Ann", card.player))
            assert (await node.finish(f"m{number}", seats=[seat | {"card": shown}]))[0] == 200
        assert await hall.rows("SELECT id FROM seat JOIN match ON number = match WHERE player IS NOT NULL") == [("m3",)]

    run(url, tmp_path, test)


def test_a_card_that_does_not_count_is_refused_with_a_reason(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, crown: House, _harp: House) -> None:
        card, text = await cards.make(hall.db, "Ann", LATER)
        assert reason(tmp_path, text) == "not_a_card", "a node in no hall cannot check it"
        assert reason(crown.folder, text) == "not_a_card", "nor can one that has just joined"
        await hear(crown)
        assert reason(crown.folder, "oche-card-1:AAAA") == "not_a_card"
        assert reason(crown.folder, card_text(card, new_key())) == "bad_signature"
        assert reason(crown.folder, text, LATER + timedelta(days=1)) == "expired"
        assert take_card(crown.folder, text, TODAY) == "Ann"
        assert await cards.revoke(hall.db, card.player)
        assert take_card(crown.folder, text, TODAY) == "Ann", "the node has not asked yet"
        await hear(crown)
        assert reason(crown.folder, text) == "revoked"
        assert not await cards.revoke(hall.db, "0" * 32)

    run(url, tmp_path, test)


def reason(data: Path, text: str, today: date = TODAY) -> str:
    """Why a node refuses a card."""
    found = take_card(data, text, today)
    assert isinstance(found, Refusal)
    return found.reason


def test_two_players_of_one_name_are_two_at_a_node(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, crown: House, _harp: House) -> None:
        await hear(crown)
        made = [(await cards.make(hall.db, "Ann", LATER))[1] for _ in range(3)]
        assert [take_card(crown.folder, text, TODAY) for text in made] == ["Ann", "Ann 2", "Ann 3"]
        assert [take_card(crown.folder, f" {text}\n", TODAY) for text in made] == ["Ann", "Ann 2", "Ann 3"]
        # A card of the node stays beside that of the league, and neither replaces the other.
        own = node_cards.make(crown.folder, "Ann")
        assert isinstance(own, str)
        assert isinstance(node_cards.make(crown.folder, "Ann"), str)
        assert node_cards.player_of(crown.folder, own) is None
        assert {shown.name for shown in shown_cards(crown.folder)} == {"Ann", "Ann 2", "Ann 3"}

    run(url, tmp_path, test)


def test_forgetting_at_one_node_reaches_the_others_and_is_confirmed(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, crown: House, harp: House) -> None:
        houses = [crown, harp]
        card, text = await cards.make(hall.db, "Ann", LATER)
        await hear(*houses)
        for house in houses:
            take_card(house.folder, text, TODAY)
            await play(house, url, houses)
        await ladder(hall, ("Ann", 2), ("Bob", 1), ("Bob", 1))
        assert to_forget(harp.folder) == []

        await forget(crown, "Ann")
        assert reason(crown.folder, text) == "revoked", "before the hall has heard it"
        async with crown.shipping():
            query = "SELECT TRUE FROM forgotten WHERE player = $1"
            await until(lambda: hall.db.fetchval(query, card.player), "the hall forgets Ann")
        await ladder(hall, ("Bob", 1), ("Bob", 1))  # Also in the matches of the other node.
        assert [row["node"] for row in await past.unconfirmed(hall.db)] == ["harp"]
        assert await cards.listed(hall.db) == []

        await hear(harp)
        assert (reason(harp.folder, text), to_forget(harp.folder)) == ("revoked", ["Ann"])
        await forget(harp, "Ann")
        assert to_forget(harp.folder) == []
        async with harp.shipping():
            await until(lambda: confirmed(hall), "the other node has confirmed it")
        tables = [name for (name,) in await hall.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
        for table in tables:
            assert await hall.rows(f"SELECT TRUE FROM {table} AS t WHERE t::TEXT ~ '\\mAnn\\M'") == [], table
        for house in houses:
            assert not [path for path in house.folder.rglob("*.json") if "Ann" in path.read_text()]

    run(url, tmp_path, test)


async def confirmed(hall: Centre) -> bool:
    """Whether every node has forgotten whom it is to forget."""
    return not await past.unconfirmed(hall.db)


async def without_cards(url: str) -> bytes:
    """Empties a hall; returns the key of its league."""
    async with centre(url) as hall:
        await hall.db.execute("TRUNCATE card")
        return public_key(await cards.league_key(hall.db))


def test_the_command_makes_lists_renews_and_revokes(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    league = asyncio.run(without_cards(url))
    svg = tmp_path / "ann.svg"
    card_commands.make(url, "Ann", Paper(LATER, svg))
    card = read_card(capsys.readouterr().out, league, TODAY)
    assert isinstance(card, Card) and (card.name, card.until) == ("Ann", LATER)
    assert "<svg" in svg.read_text()
    card_commands.renew(url, card.player, Paper())
    again = read_card(capsys.readouterr().out, league, LATER + timedelta(days=1))
    assert isinstance(again, Card) and again.player == card.player
    card_commands.list_all(url, as_json=True)
    assert json.loads(capsys.readouterr().out) == {
        "player": card.player,
        "name": "Ann",
        "until": again.until.isoformat(),
        "matches": 0,
    }
    card_commands.revoke(url, card.player)
    card_commands.list_all(url, as_json=False)
    assert capsys.readouterr().out.endswith(f"{card.player}  Ann, revoked, 0 matches\n")
    for player, paper in ((card.player, Paper()), ("0" * 32, Paper())):
        with pytest.raises(DatabaseError):
            card_commands.renew(url, player, paper)
    with pytest.raises(DatabaseError):
        card_commands.revoke(url, "0" * 32)
    for name, paper in ((" Ann", Paper()), ("Player 1", Paper()), ("Ann", Paper(date(2019, 1, 1)))):
        with pytest.raises(DatabaseError):
            card_commands.make(url, name, paper)


def test_no_card_is_made_whose_picture_cannot_be_written(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who tries again in another folder would make a second person of the same name."""
    asyncio.run(without_cards(url))
    for name, why in (("none/ann.svg", "No such file or directory"), ("n" * 300, "File name too long")):
        with pytest.raises(DatabaseError, match=rf"cannot be written: {why}\. No card was made\."):
            card_commands.make(url, "Ann", Paper(LATER, tmp_path / name))
    card_commands.list_all(url, as_json=False)
    assert capsys.readouterr().out == ""
    with pytest.raises(DatabaseError, match="cannot be on a card"):
        card_commands.make(url, " Ann", Paper(LATER, tmp_path / "ann.svg"))
    assert not list(tmp_path.iterdir())


def test_a_card_that_was_made_is_printed_also_if_the_disk_has_no_room_for_its_picture(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    league = asyncio.run(without_cards(url))
    with pytest.raises(DatabaseError, match=r"cannot be written: No space left on device\. The card is made"):
        card_commands.make(url, "Ann", Paper(LATER, Path("/dev/full")))
    card = read_card(capsys.readouterr().out, league, TODAY)
    assert isinstance(card, Card)
    with pytest.raises(DatabaseError, match="cannot be on a card"):
        card_commands.renew(url, card.player, Paper(date(2019, 1, 1)))


def test_a_node_that_asks_writes_nothing(url: str, tmp_path: Path) -> None:
    async def test(hall: Centre, crown: House, _harp: House) -> None:
        await hear(crown)  # The key of the league is made by then.
        written = await hall.rows("SELECT xmin::TEXT, ctid::TEXT FROM hall")
        await hear(crown)
        assert await hall.rows("SELECT xmin::TEXT, ctid::TEXT FROM hall") == written

    run(url, tmp_path, test)
