"""What a hall tells a node of its own matches: a match that the rules refuse after it was taken is named there too."""

import json
from pathlib import Path

import pytest

from daemon.main import main
from daemon.shipping.membership import load
from hall import upkeep
from tests.hall.centre import LINES, Centre
from tests.hall.house import House, settled
from tests.hall.joined import run_with_house
from tests.hall.test_league_cards import hear


def test_a_node_is_told_of_a_match_that_the_rules_refuse_after_it_was_taken(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def test(hall: Centre, house: House) -> None:
        def status() -> tuple[int, dict[str, str]]:
            code = main(["hall", "status", "--json", "--data", str(house.folder)])
            return code, json.loads(capsys.readouterr().out).get("refused", {})

        async with house.shipping():
            wrong, right = house.begin(start=101), house.begin(start=101, board="garage")
            # One dart after the end of the match: nobody has played that by the rules.
            await house.write(wrong, *LINES, '{"throw":"T20"}')
            await house.write(right, *LINES)
            for match in (wrong, right):
                await house.end(match, "won")
            await settled(url, [house])
            while await upkeep.step(hall.db):
                pass
        await hear(house)
        code, refused = status()
        assert code == 1
        assert list(refused) == [wrong]
        assert refused[wrong].startswith("rules: The rules refuse line 5.")
        # A version whose rules take the line, or a corrected edition: the next answer does not name it.
        await hall.db.execute("UPDATE file SET refused = NULL")
        await hear(house)
        assert status()[1] == {}

    run_with_house(url, tmp_path, test)


def test_a_node_that_asks_says_how_much_it_has_left(url: str, tmp_path: Path) -> None:
    """It counts the lines of running and of finished matches in the requests for both: without this the list of nodes
    keeps what the last of these left, also overnight."""

    async def test(hall: Centre, house: House) -> None:
        async def left() -> list[tuple[int]]:
            return await hall.rows("SELECT waiting FROM node WHERE seen IS NULL")

        await hear(house, waiting=8)
        assert await left() == [(8,)]
        await hear(house)
        assert await left() == [(0,)]
        member = load(house.folder)
        assert member is not None
        headers = {"Authorization": f"Bearer {member.token}"}
        for wrong in ("-1", "x", "9" * 19, "1.0", "\u0663"):
            async with hall.http.get(f"{hall.at}/v1/cards", params={"waiting": wrong}, headers=headers) as response:
                assert response.status == 400, wrong
                assert (await response.json())["reason"] == "bad_value"
        assert await left() == [(0,)]

    run_with_house(url, tmp_path, test)
