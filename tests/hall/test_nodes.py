"""Which nodes may send anything to the hall: those that have joined and are not shut out, each under its own name."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator

from hall import nodes
from hall.ingest import BODY_SECONDS, LARGE_AT_ONCE
from tests.hall.centre import LINES, MATCH, Centre, HandMadeNode, reason, run


def test_only_a_node_that_has_joined_sends_anything(url: str) -> None:
    async def test(hall: Centre) -> None:
        stranger = HandMadeNode(hall.http, hall.at, "crown")
        assert reason(await stranger.ship(MATCH, 1, *LINES)) == "bad_token"
        assert reason(await stranger.join("AAAA-AAAA-AAAA")) == "bad_code"
        code = await nodes.new_code(hall.db)
        assert code is not None
        assert (await stranger.join(code.lower().replace("-", " ")))[0] == 200
        # Its answer can have been lost; for another node the code is used.
        assert (await stranger.join(code))[0] == 200
        assert (await stranger.ship(MATCH, 1, *LINES))[0] == 200
        assert reason(await HandMadeNode(hall.http, hall.at, "swan").join(code)) == "bad_code"
        await hall.db.execute("UPDATE code SET expires = now()")
        assert reason(await stranger.join(code)) == "bad_code"

    run(url, test)


def test_a_name_is_one_nodes_until_a_code_replaces_it(url: str) -> None:
    async def test(hall: Centre) -> None:
        crown = await hall.node("crown")
        assert (await crown.finish(MATCH))[0] == 200
        again = HandMadeNode(hall.http, hall.at, "crown")
        code = await nodes.new_code(hall.db)
        assert code is not None
        assert reason(await again.join(code)) == "name_taken"
        assert await nodes.new_code(hall.db, "nobody") is None
        code = await nodes.new_code(hall.db, "crown")
        assert code is not None
        assert reason(await HandMadeNode(hall.http, hall.at, "swan").join(code)) == "bad_code"
        assert (await again.join(code))[0] == 200
        assert (await again.finish("another"))[0] == 200
        assert await hall.rows("SELECT cardinality(former_keys) FROM node") == [(1,)]

    run(url, test)


def test_a_node_that_is_shut_out_sends_nothing_more(url: str) -> None:
    async def test(hall: Centre) -> None:
        node = await hall.node("crown")
        assert (await node.ship(MATCH, 1, *LINES))[0] == 200
        assert await nodes.revoke(hall.db, "crown")
        assert not await nodes.revoke(hall.db, "swan")
        # A process believes a token that it has just looked up.
        answers = [await node.ship("another", 1)]
        while answers[-1][0] == 200:
            answers.append(await node.ship("another", 1))
        assert reason(answers[-1]) == "revoked"
        assert reason(await node.finish(MATCH)) == "revoked"
        code = await nodes.new_code(hall.db)
        assert code is not None
        assert reason(await node.join(code)) == "revoked"

    run(url, test)


def test_a_code_that_was_used_enrols_no_other_name_and_nobody_who_is_shut_out(url: str) -> None:
    async def test(hall: Centre) -> None:
        crown = HandMadeNode(hall.http, hall.at, "crown")
        swan = HandMadeNode(hall.http, hall.at, "swan", crown.key)
        used = await nodes.new_code(hall.db)
        assert used is not None
        assert [(await crown.join(used))[0] for _ in range(2)] == [200, 200]
        assert reason(await swan.join(used)) == "bad_code"
        replacing = await nodes.new_code(hall.db, "crown")
        assert replacing is not None
        assert [(await crown.join(replacing))[0] for _ in range(2)] == [200, 200]
        left = await nodes.new_code(hall.db, "crown")
        assert left is not None
        assert await nodes.revoke(hall.db, "crown")
        for code in (used, replacing, left):
            assert reason(await crown.join(code)) == "bad_code"
        assert await hall.rows("SELECT name FROM node WHERE revoked IS NULL") == []

    run(url, test)


def test_requests_without_a_body_to_join_keep_no_match_out(url: str) -> None:
    async def test(hall: Centre) -> None:
        node = await hall.node("crown")
        host, port = hall.at.removeprefix("http://").split(":")
        waiting = [await asyncio.open_connection(host, int(port)) for _ in range(LARGE_AT_ONCE)]
        for _, writer in waiting:
            writer.write(b"POST /v1/join HTTP/1.1\r\nHost: hall\r\nTransfer-Encoding: chunked\r\n\r\n")
            await writer.drain()
        async with asyncio.timeout(BODY_SECONDS / 2):
            # A body of unknown length, which is read as a large one.
            headers = {"Authorization": f"Bearer {node.token}"}

            async def body() -> AsyncIterator[bytes]:
                yield json.dumps({"match": MATCH, "first": 4, "waiting": 0, "live": True}).encode()

            async with hall.http.post(hall.at + "/v1/ship", data=body(), headers=headers) as response:
                assert response.status == 200
        for _, writer in waiting:
            writer.close()
            await writer.wait_closed()

    run(url, test)


def test_a_token_of_any_bytes_is_refused(url: str) -> None:
    async def test(hall: Centre) -> None:
        host, port = hall.at.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = b"POST /v1/ship HTTP/1.1\r\nHost: hall\r\nContent-Length: 0\r\nAuthorization: Bearer \xff\r\n\r\n"
        writer.write(head)
        assert (await reader.readline()).split()[1] == b"401"
        writer.close()
        await writer.wait_closed()

    run(url, test)


def test_a_compressed_body_is_not_unpacked(url: str) -> None:
    """Anyone can send one: a few KiB would hold up the darts of all nodes while they become many MiB."""

    async def test(hall: Centre) -> None:
        node = await hall.node("crown")
        body = json.dumps({"match": MATCH, "first": 4, "waiting": 0, "live": True}).encode()
        headers = {"Authorization": f"Bearer {node.token}"}
        for sent, more, status in ((body, {}, 200), (gzip.compress(body), {"Content-Encoding": "gzip"}, 400)):
            async with hall.http.post(hall.at + "/v1/ship", data=sent, headers=headers | more) as response:
                assert response.status == status

    run(url, test)
