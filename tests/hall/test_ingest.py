"""What the hall takes from nodes, and what it refuses: each with its reason, and nothing stored."""

import asyncio
import json
from typing import Any

import pytest

from hall import nodes, past
from hall.checks import faults
from hall.commands import rebuild
from hall.database import epoch
from league.digests import Seat
from league.signatures import new_key, sign
from tests.hall.centre import ANN, BOB, FILE, HEADER, LINES, MATCH, Centre, HandMadeNode, reason, run
from tests.rig import LIMIT_SECONDS


def test_lines_are_taken_once_and_a_finished_match_takes_their_place(url: str) -> None:
    async def test(hall: Centre) -> None:
        node = await hall.node("crown")
        assert (await node.ship(MATCH, 1, LINES[0]))[1]["have"] == 1
        assert (await node.ship(MATCH, 1, *LINES[:2]))[1]["have"] == 2
        assert (await node.ship(MATCH, 9, LINES[2]))[1]["have"] == 2
        assert await hall.rows("SELECT n, line FROM line ORDER BY n") == [(1, LINES[0]), (2, LINES[1])]
        assert await hall.rows("SELECT seat, player, name FROM seat ORDER BY seat") == [
            (1, ANN, "Ann"),
            (2, BOB, "Bob"),
        ]
        for _ in range(2):
            assert (await node.finish(MATCH))[0] == 200
            assert await hall.rows("SELECT is_over, have FROM match") == [(True, 3)]
            assert await hall.rows("SELECT * FROM line") == []
            assert await hall.rows("SELECT text FROM file") == [(FILE,)]
        # What still comes for a match that is over is known.
        assert (await node.ship(MATCH, 2, *LINES[1:]))[1]["have"] == 3
        assert await hall.rows("SELECT * FROM line") == []

    run(url, test)


def test_a_node_goes_on_from_what_the_index_has(url: str) -> None:
    async def test(hall: Centre) -> None:
        node = await hall.node("crown")
        epoch = (await node.ship(MATCH, 1, *LINES))[1]["epoch"]
        await hall.db.execute("TRUNCATE match CASCADE")
        await hall.db.execute("UPDATE hall SET epoch = epoch + 1")
        status, answer = await node.send(
            "POST", "/v1/ship", json.dumps({"match": MATCH, "first": 4, "waiting": 0, "live": True})
        )
        assert (status, answer["have"]) == (200, 0)
        assert answer["epoch"] != epoch
        assert (await node.ship(MATCH, 1, *LINES))[1]["have"] == 3

    run(url, test)


def test_a_node_that_has_sent_everything_is_not_late(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hall.ingest.SEEN_SECONDS", 0.01)

    async def waiting(hall: Centre, lines: int) -> None:
        async with asyncio.timeout(LIMIT_SECONDS):
            while await hall.rows("SELECT waiting FROM node WHERE seen IS NOT NULL") != [(lines,)]:
                pass  # Each look asks the server, and waits for its answer.

    async def test(hall: Centre) -> None:
        node = await hall.node("crown")
        # A node counts what it sends, for it does not know yet that it arrives.
        await node.ship(MATCH, 1, *LINES[:2], waiting=3)
        await waiting(hall, 1)
        # That something cannot be written ends nothing.
        with monkeypatch.context() as broken:
            broken.setattr("hall.ingest._SEEN", "SELECT 1 / cardinality($1::TEXT[]) - cardinality($2::BIGINT[]) / 0")
            await node.ship(MATCH, 3, LINES[2], waiting=1)
            await asyncio.sleep(0.2)
        assert await hall.rows("SELECT waiting FROM node") == [(1,)]
        await node.finish(MATCH, waiting=5)
        await waiting(hall, 2)

    run(url, test)


def test_forged_and_foreign_matches_are_refused(url: str) -> None:
    async def test(hall: Centre) -> None:
        crown, swan = await hall.node("crown"), await hall.node("swan")
        record = crown.record(MATCH)
        forged = {"signature": sign(new_key(), record.signed_text())}
        assert reason(await crown.finish(MATCH, **forged)) == "bad_signature"
        other = {"record": record.to_json() | {"ended": "2026-01-01T23:59:00+00:00"}}
        assert reason(await crown.finish(MATCH, **other)) == "bad_signature"
        assert reason(await crown.finish(MATCH, file=FILE.replace("T17", "T20"))) == "bad_digest"
        lines = FILE.split("\n")
        reordered = "\n".join((lines[0], lines[2], lines[1], *lines[3:]))
        assert reason(await crown.finish(MATCH, file=reordered)) == "bad_digest"
        assert reason(await crown.finish(MATCH, file=FILE[:-20])) == "bad_digest"
        assert reason(await swan.finish(MATCH, record=record.to_json())) == "foreign"
        assert reason(await crown.finish(MATCH, seats=swan.seats(MATCH))) == "bad_signature"
        assert reason(await crown.ship(MATCH, 1, opening=_opening(crown.seats("another")))) == "bad_signature"
        assert await hall.rows("SELECT * FROM match") == []
        assert (await hall.rows("SELECT refusals FROM node ORDER BY name")) == [(7,), (1,)]

    run(url, test)


def test_a_rebuild_makes_an_epoch_that_no_node_has_also_when_a_backup_is_restored_twice(url: str) -> None:
    async def test(hall: Centre) -> None:
        ((held_id, held),) = await hall.rows("SELECT id, epoch FROM hall")
        epochs = {await epoch(hall.db)}
        for _ in range(2):
            await hall.db.execute("UPDATE hall SET id = $1, epoch = $2", held_id, held)
            assert await asyncio.to_thread(rebuild, url, "nodes") == 0
            epochs.add(await epoch(hall.db))
        assert len(epochs) == 3

    run(url, test)


def _opening(seats: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    return {"board": "lounge", "header": HEADER, "started": "2026", "seats": seats} | changes


def test_what_the_rules_refuse_is_refused_although_it_is_signed(url: str) -> None:
    async def test(hall: Centre) -> None:
        node = await hall.node("crown")
        assert reason(await node.finish(MATCH, FILE[:-1])) == "half"
        assert reason(await node.finish(MATCH, FILE.replace("Player 1", "Ann"))) == "bad_value"
        assert reason(await node.finish(MATCH, "{}\n")) == "rules"
        assert await hall.rows("SELECT * FROM match") == []

    run(url, test)


def test_a_line_that_the_rules_refuse_is_found_after_the_match_was_stored(url: str) -> None:
    """It is kept as it was signed, and neither shown nor counted; the nodes of the hall are listed with the reason."""

    async def test(hall: Centre) -> None:
        node = await hall.node("crown")
        wrong = {MATCH: FILE.replace("T17", "T99"), "later": FILE + '{"throw":"T20"}\n'}
        for match, text in wrong.items():
            assert (await node.finish(match, text))[0] == 200
        assert (await node.finish("whole"))[0] == 200
        await checked(hall)
        assert await hall.rows("SELECT DISTINCT id FROM match JOIN result ON result.match = number") == [("whole",)]
        assert [match.match for match in await past.latest(hall.db)] == ["whole"]
        ((refusals, last),) = await hall.rows("SELECT refusals, last_refusal FROM node")
        assert refusals == 2
        assert last.startswith("rules: The rules refuse line ")
        found = [fault.match async for fault in faults(hall.db)]
        assert sorted(found) == sorted(wrong)
        # A later edition that the rules accept takes the place of a refused one.
        assert (await node.finish(MATCH, FILE, 2))[0] == 200
        await checked(hall)
        assert len(await past.latest(hall.db)) == 2

    run(url, test)


async def checked(hall: Centre) -> None:
    """Returns when the rules have read every match."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while await hall.rows("SELECT 1 FROM file WHERE figures_version = 0 AND refused IS NULL"):
            pass  # Each look asks the server, and waits for its answer.


def test_an_older_edition_never_replaces_a_later_one(url: str) -> None:
    async def test(hall: Centre) -> None:
        node = await hall.node("crown")
        later = FILE.replace('"T17","at_ms":5', '"T17","at_ms":6')
        assert (await node.finish(MATCH, FILE, 1))[0] == 200
        taken = await node.finish(MATCH, later, 1)
        assert (reason(taken), taken[1]["edition"]) == ("edition_taken", 1)
        assert (await node.finish(MATCH, later, 2))[0] == 200
        stale = await node.finish(MATCH, FILE, 1)
        assert (reason(stale), stale[1]["edition"]) == ("stale_edition", 2)
        assert await hall.rows("SELECT edition, text FROM file") == [(2, later)]
        assert await hall.rows("SELECT edition FROM edition ORDER BY edition") == [(1,), (2,)]

    run(url, test)


def test_cards_do_not_leave_a_running_match(url: str) -> None:
    async def test(hall: Centre) -> None:
        node = await hall.node("crown")
        assert reason(await node.ship(MATCH, 1, '{"deck":["2H","TD"]}')) == "hidden_cards"
        assert await hall.rows("SELECT * FROM line") == []

    run(url, test)


def test_a_forgotten_player_is_gone_and_stays_gone(url: str) -> None:
    async def test(hall: Centre) -> None:
        crown, swan = await hall.node("crown"), await hall.node("swan")
        for node in (crown, swan):
            assert (await node.finish(MATCH))[0] == 200
        status, answer = await crown.send("POST", "/v1/forget", json.dumps({"players": [ANN]}))
        assert (status, answer["gone"]) == (200, [ANN])
        # Neither a repetition nor another match brings the name back.
        assert (await crown.finish(MATCH))[0] == 200
        assert (await crown.ship("running", 1))[0] == 200
        found = await hall.rows(
            "SELECT node, seat.name FROM seat JOIN match ON number = match WHERE seat.name <> 'Bob'"
        )
        assert found == [("swan", "Ann")]
        assert reason(await crown.send("POST", "/v1/forget", '{"players": ["Ann"]}')) == "bad_value"

    run(url, test)


@pytest.mark.parametrize(
    "head",
    [
        "",
        "[]",
        "{",
        '{"match": "m", "first": 0, "waiting": 0, "live": true}',
        '{"match": "m", "first": true, "waiting": 0, "live": true}',
        '{"match": "a\\nb", "first": 1, "waiting": 0, "live": true}',
        '{"match": "m", "first": 1, "waiting": -1, "live": true}',
        '{"match": "m", "first": 1, "waiting": 0, "live": true, "opening": 7}',
        json.dumps({"match": "m", "first": 1, "waiting": 0, "live": True, "opening": _opening([{}])}),
        json.dumps({"match": "m", "first": 1, "waiting": 0, "live": True, "opening": _opening([], header="{}")}),
        json.dumps({"match": "m", "first": 1, "waiting": 0, "live": True, "opening": _opening([], board="")}),
    ],
)
def test_what_is_not_a_chunk_is_refused(head: str) -> None:
    from hall.requests import read_chunk
    from league.hall_refusals import HallRefusal

    found = read_chunk(nodes.Node("crown", b""), head.encode() + b'\n{"next":true}')
    assert isinstance(found, HallRefusal)
    assert found.reason == "bad_value"


def test_a_body_that_is_too_long_is_refused_before_it_is_read(url: str) -> None:
    async def answer(node: HandMadeNode, method: str, path: str, length: int) -> str:
        """The status of an answer to the headers of a request alone."""
        host, port = node.at.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = f"{method} {path} HTTP/1.1\r\nHost: hall\r\nAuthorization: Bearer {node.token}\r\n"
        writer.write(f"{head}Content-Length: {length}\r\n\r\n".encode())
        status = (await reader.readline()).decode().split()[1]
        writer.close()
        await writer.wait_closed()
        return status

    async def test(hall: Centre) -> None:
        node = await hall.node("crown")
        for path in ("/v1/ship", "/v1/forget", "/v1/join"):
            assert await answer(node, "POST", path, 600 * 1024) == "413"
        assert await answer(node, "PUT", "/v1/match/0", 9 * 1024 * 1024) == "413"

    run(url, test)


def test_a_bot_has_a_seat_without_a_player(url: str) -> None:
    async def test(hall: Centre) -> None:
        node = await hall.node("crown")
        seats = node.seats(MATCH, Seat(1, "Ann", ANN), Seat(2, "Robin", None, 25.0))
        assert (await node.finish(MATCH, seats=seats))[0] == 200
        assert await hall.rows("SELECT player, name, bot FROM seat ORDER BY seat") == [
            (ANN, "Ann", None),
            (None, "Robin", 25),
        ]

    run(url, test)
