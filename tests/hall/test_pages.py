"""The pages of a hall: what they show of matches, that whoever is forgotten is gone from all, and who may read what."""

import asyncio
import json
from base64 import b64encode

from engine.texts import LANGUAGES
from hall import upkeep
from hall.pages.look import day, decimal
from league.digests import Seat
from tests.hall.centre import ANN, BOB, LINES, Centre, run
from tests.hall.evening import finished, header, node, player_id, running, won_by_first
from tests.hall.postgres import Postgres
from tests.hall.programs import oche
from tests.hall.reading import changes, counted, get, seen
from tests.rig import LIMIT_SECONDS

MATCH = "20260101-193000-4f2a1c"
PAGES = ("/", "/wall", "/matches", "/nodes/crown", "/ladder", f"/players/{ANN}", f"/matches/crown/{MATCH}")


def test_a_board_is_live_from_its_first_dart_to_its_result(url: str) -> None:
    async def test(hall: Centre) -> None:
        crown = await hall.node("crown")
        await crown.ship(MATCH, 1, LINES[0])
        page = await seen(hall, "/", lambda text: "lounge" in text)
        assert "Ann" in page
        assert "Bob" in page
        assert '<span class="score">50</span>' in page
        since = page.split('data-since="')[1].split('"')[0]
        await crown.ship(MATCH, 2, LINES[1])
        news = await changes(hall, since)
        assert list(news["boards"]) == ["crown/lounge"]
        assert "DB" in news["boards"]["crown/lounge"]
        assert json.loads((await get(hall, f"/live?since={news['since']}"))[1])["boards"] == {}
        assert json.loads((await get(hall, "/live?since=another-1"))[1])["again"]
        await crown.finish(MATCH)
        won = await seen(hall, "/", lambda text: 'class="won"' in text)
        assert "Ann" in won
        # A board that is new changes the list: the page is asked for again.
        await (await hall.node("anchor")).ship("other", 1)
        await seen(hall, f"/live?since={news['since']}", lambda text: json.loads(text).get("again", False))

    run(url, test)


def test_times_and_numbers_are_written_as_in_the_language() -> None:
    times = [day(language, "2026-11-29T15:37:59+00:00") for language in LANGUAGES]
    assert times == ["2026-11-29 15:37", "29.11.2026, 15:37", "29/11/2026 15:37"]
    assert day("de", "last Sunday") == "last Sunday"
    assert [decimal(language, 151.46) for language in LANGUAGES] == ["151.5", "151,5", "151,5"]


def test_a_match_that_ended_long_before_somebody_looks_again_is_not_shown(url: str) -> None:
    async def test(hall: Centre) -> None:
        crown = await hall.node("crown")
        await crown.ship(MATCH, 1, LINES[0])
        await seen(hall, "/", lambda text: '<span class="score">50</span>' in text)
        await crown.finish(MATCH)
        await hall.db.execute("UPDATE match SET changed = now() - interval '2 hours'")
        page = await seen(hall, "/", lambda text: '<span class="score">50</span>' not in text)
        assert 'class="won"' not in page
        assert "lounge" not in page

    run(url, test)


def test_whoever_is_forgotten_is_gone_from_every_page_at_once(url: str) -> None:
    async def test(hall: Centre) -> None:
        crown, anchor = await hall.node("crown"), await hall.node("anchor")
        await crown.finish(MATCH)
        await crown.ship("running", 1, LINES[0])
        # With a card a person has one id in every pub.
        await anchor.finish("there", seats=anchor.seats("there", Seat(1, "Ann", ANN)))
        await counted(hall)
        for path in PAGES:
            assert "Ann" in await seen(hall, path, lambda text: "Ann" in text), path
        status, _ = await crown.send("POST", "/v1/forget", json.dumps({"players": [ANN]}))
        assert status == 200
        for path in (*PAGES, "/nodes/anchor", "/matches/anchor/there"):
            status, text = await get(hall, path)
            if path.startswith("/players/"):
                assert status == 404
            elif path in ("/", "/wall", "/nodes/crown"):
                await seen(hall, path, lambda text: "Ann" not in text)
            else:
                assert status == 200, path
                assert "Ann" not in text, path
        assert "Player 1" in (await get(hall, f"/matches/crown/{MATCH}"))[1]

    run(url, test)


def test_a_node_hides_nobody_who_has_never_played_there(url: str) -> None:
    async def test(hall: Centre) -> None:
        crown, anchor = await hall.node("crown"), await hall.node("anchor")
        await crown.finish(MATCH)
        await counted(hall)
        for _ in range(2):
            assert (await anchor.send("POST", "/v1/forget", json.dumps({"players": [ANN, BOB]})))[0] == 200
        # At the node itself they are forgotten.
        await anchor.finish("there")
        await counted(hall)
        assert "Ann" not in (await get(hall, "/matches/anchor/there"))[1]
        for path in (f"/players/{ANN}", f"/matches/crown/{MATCH}", "/ladder"):
            status, text = await get(hall, path)
            assert (status, "Ann" in text) == (200, True), path

    run(url, test)


def test_a_ladder_adds_up_what_was_played_to_its_end(url: str) -> None:
    async def test(hall: Centre) -> None:
        await node(hall.db, "crown")
        await finished(hall.db, "crown", "1", won_by_first(), ["Ann", "Bob"])
        await finished(hall.db, "crown", "2", won_by_first(), ["Ann", "Eve"])
        await finished(hall.db, "crown", "3", won_by_first(), ["Eve", "Bob"])
        stopped = header("x01", 2, {"start": 101}) + '\n{"throw":"T20"}\n'
        await finished(hall.db, "crown", "4", stopped, ["Bob", "Eve"])
        await counted(hall)
        for query, names in (
            ("", ["Ann", "Eve", "Bob"]),
            ("?game=x01&when=day", ["Ann", "Eve", "Bob"]),
            ("?game=cricket", []),
        ):
            _, text = await get(hall, f"/ladder{query}")
            places = [text.find(f"/players/{player_id(name)}") for name in ("Ann", "Eve", "Bob")]
            assert [place > 0 for place in places] == [name in names for name in ("Ann", "Eve", "Bob")]
            assert places == sorted(places)
        _, text = await get(hall, f"/players/{player_id('Bob')}")
        assert "<dt>Played</dt><dd>2</dd>" in text
        assert "<dt>Won</dt><dd>0</dd>" in text
        assert "stopped" in text

    run(url, test)


def test_a_match_is_told_visit_by_visit(url: str) -> None:
    async def test(hall: Centre) -> None:
        await (await hall.node("crown")).finish(MATCH)
        await counted(hall)
        _, text = await get(hall, f"/matches/crown/{MATCH}", **{"Accept-Language": "de-AT,fr;q=0.5"})
        assert "<span>T17</span><span>DB</span>" in text
        assert 'lang="de"' in text
        assert "Aufnahmen" in text

    run(url, test)


def test_a_name_is_text_and_no_page_runs_code_of_others(url: str) -> None:
    async def test(hall: Centre) -> None:
        crown, evil = await hall.node("crown"), '<img src=x onerror="alert(1)">'
        await crown.finish(MATCH, seats=crown.seats(MATCH, Seat(1, evil, ANN)))
        await counted(hall)
        for path in PAGES:
            async with hall.http.get(hall.at + path) as response:
                assert response.headers["Content-Security-Policy"].startswith("default-src 'self';"), path
                assert response.headers["X-Content-Type-Options"] == "nosniff"
                assert "<img" not in await response.text(), path

    run(url, test)


def test_what_does_not_exist_is_404_in_plain_words(url: str) -> None:
    async def test(hall: Centre) -> None:
        await hall.node("crown")
        for path in (
            *("/nothing", "/nodes/anchor", "/nodes/%00", "/matches/crown/1", "/players/x", f"/players/{ANN}"),
            *("/static/none.css", "/static/%2e%2e%2fpackage.json", "/static/index.html", "/ladder?when=never", "/%00"),
        ):
            status, text = await get(hall, path)
            assert (status, "There is no such page" in text) == (404, True), path
        assert (await get(hall, "/static/hall.css"))[0] == 200
        assert (await get(hall, "/static/hall.js"))[0] == 200

    run(url, test)


def test_the_leagues_page_needs_its_token(url: str) -> None:
    async def test(hall: Centre) -> None:
        crown, anchor = await hall.node("crown"), await hall.node("anchor")
        await crown.finish(MATCH)
        await anchor.finish(MATCH)
        await crown.send("POST", "/v1/forget", json.dumps({"players": [ANN]}))
        # A node that sends nothing: when others were last seen is written every few seconds.
        await node(hall.db, "bell")
        await hall.db.execute("UPDATE node SET seen = now() - interval '3 days' WHERE name = 'bell'")
        old, token = [(await oche("hall", "token", "--db", url))[1].strip() for _ in range(2)]

        def basic(password: str) -> str:
            return "Basic " + b64encode(f"league:{password}".encode()).decode()

        for wrong in ("", "Basic", "Basic ###", basic(""), basic(old), f"Bearer {token}"):
            assert (await get(hall, "/league", Authorization=wrong))[0] == 401, wrong
        status, text = await get(hall, "/league", Authorization=basic(token))
        assert status == 200
        assert "has not answered for 3 days" in text
        assert "anchor still has 1 of those who were forgotten" in text
        assert "Ann" not in text

    run(url, test)


def test_counting_is_the_same_once_twice_and_again_from_the_files(url: str) -> None:
    rows = (
        "SELECT m.id, r.seat, r.game, r.won, r.darts FROM result AS r JOIN match AS m ON number = match ORDER BY 1, 2"
    )

    async def test(hall: Centre) -> None:
        await node(hall.db, "crown")
        for n in range(5):
            await finished(hall.db, "crown", str(n), won_by_first(), ["Ann", "Bob"])
        await counted(hall)
        first = await hall.rows(rows)
        assert len(first) == 10
        # A kill in the middle of a step is a transaction that did not end.
        await upkeep.queue_all(hall.db)
        killed = hall.db.transaction()
        await killed.start()
        await upkeep.step(hall.db)
        await killed.rollback()
        await counted(hall)
        assert await hall.rows(rows) == first
        await hall.db.execute("TRUNCATE result")
        await hall.db.execute("UPDATE file SET figures = NULL, figures_version = 0")
        await counted(hall)
        assert await hall.rows(rows) == first
        await hall.db.execute("DELETE FROM match WHERE id = '3'")
        assert len(await hall.rows(rows)) == 8

    run(url, test)


def test_a_running_match_shows_no_hand(url: str) -> None:
    suits, ranks = "HSDC", "A23456789TJQK"
    cards = [rank + suit for suit in suits for rank in ranks]

    async def test(hall: Centre) -> None:
        await node(hall.db, "crown")
        # Nodes send no cards before the end, and the hall refuses them: a line in the index is the worst case.
        lines = [json.dumps({"deck": cards})]
        await running(hall.db, "crown", "lounge", "m", lines, ["Ann", "Bob"], header("dards", 2, {"order": "listed"}))
        for path in ("/", "/wall", "/nodes/crown", "/live?since=x-0"):
            page = await seen(hall, path, lambda text: "since" in text)
            assert not [card for card in cards if card in page], path
        page = await seen(hall, "/", lambda text: "lounge" in text)
        assert "Dards" in page
        assert "Ann" in page
        assert (await get(hall, "/matches/crown/m"))[0] == 404

    run(url, test)


def test_a_match_that_these_rules_refuse_harms_no_other(url: str) -> None:
    async def test(hall: Centre) -> None:
        await node(hall.db, "crown")
        first = header("x01", 2, {})
        await running(hall.db, "crown", "one", "m1", ['{"throw":"T99"}', '{"next":true}'], ["Ann", "Bob"], first)
        await running(hall.db, "crown", "two", "m2", ['{"throw":"T20"}'], ["Eve", "Fred"], first)
        await running(hall.db, "crown", "three", "m3", [], ["Jo"], header("of another package", 1, {}))
        page = await seen(hall, "/", lambda text: "three" in text)
        assert page.count("The score comes at the end") == 2
        assert '<span class="score">441</span>' in page

    run(url, test)


def test_pages_say_so_while_the_database_is_away(postgres: Postgres) -> None:
    url = postgres.new_database("away")

    async def test(hall: Centre) -> None:
        await (await hall.node("crown")).finish(MATCH)
        assert (await get(hall, "/matches"))[0] == 200
        await asyncio.to_thread(postgres.kill)
        async with asyncio.timeout(LIMIT_SECONDS):
            # A process of the killed server can answer once more before it notices.
            while (answer := await get(hall, "/matches"))[0] == 200:
                pass
        assert answer[0] == 503
        assert "Nothing is lost" in answer[1]
        await asyncio.to_thread(postgres.start)
        async with asyncio.timeout(LIMIT_SECONDS):
            while (await get(hall, "/matches"))[0] != 200:
                pass  # Each look is a request, which waits for its answer.

    run(url, test)
