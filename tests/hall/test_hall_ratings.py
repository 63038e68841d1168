"""The ratings of a hall: as a node works them out of the same matches, over all nodes, and again after a change."""

import asyncio

import pytest

from hall import past, upkeep
from hall.ratings import Ratings, ranking_of
from league.digests import Seat
from league.ratings import NEW, Ranking, Rating, rate
from tests.hall.centre import ANN, BOB, Centre, run

CLEO = "c" * 32


async def ranked(hall: Centre, *, by_rating: bool = False) -> list[past.Ranked]:
    """The ladder, once everything is counted; another process of the hall may be at it."""
    query = "SELECT EXISTS (SELECT FROM to_count) OR EXISTS (SELECT FROM to_rate)"
    while await hall.db.fetchval(query):
        if not await upkeep.step(hall.db) and not await Ratings().step(hall.db):
            await asyncio.sleep(0.02)
    return await past.ladder(hall.db, "", "", by_rating=by_rating)


def test_ratings_are_over_all_nodes_and_in_the_order_of_the_matches(url: str) -> None:
    async def test(hall: Centre) -> None:
        crown, harp = await hall.node("crown"), await hall.node("harp")
        # In every match the player in seat 1 wins.
        assert (await crown.finish("m1"))[0] == 200
        assert (await harp.finish("m2", seats=harp.seats("m2", Seat(1, "Cleo", CLEO), Seat(2, "Bob", BOB))))[0] == 200
        ratings: dict[str, Rating] = {}
        for winner in (ANN, CLEO):
            ratings |= rate(ratings, Ranking(((winner,), (BOB,)), (1, 2)))
        found = await ranked(hall, by_rating=True)
        assert {one.player: one.rating.points for one in found if one.rating} == {
            player: one.points for player, one in ratings.items()
        }
        assert [one.player for one in found] == sorted(ratings, key=lambda player: -ratings[player].least)

        # Who played changes without the file, and whoever is forgotten has no rating.
        assert (await harp.finish("m2", seats=harp.seats("m2", Seat(1, "Ann", ANN), Seat(2, "Bob", BOB))))[0] == 200
        assert {one.player for one in await ranked(hall)} == {ANN, BOB}
        assert await hall.rows("SELECT matches FROM rating ORDER BY player") == [(2,), (2,)]
        assert (await crown.send("POST", "/v1/forget", f'{{"players": ["{ANN}"]}}'))[0] == 200
        await ranked(hall)
        # Bob has played against nobody else, and what was worked out meanwhile brings nobody back.
        assert await hall.rows("SELECT player FROM rating") == []

    run(url, test)


@pytest.mark.parametrize(
    ("figures", "players", "expected"),
    [
        ({"winners": [2]}, {1: ANN, 2: BOB}, Ranking(((BOB,), (ANN,)), (1, 2))),
        ({"winners": []}, {1: ANN, 2: BOB}, Ranking(((ANN,), (BOB,)), (1, 1))),
        ({"winners": [1]}, {1: ANN}, None),
        ({"winners": [1]}, {1: ANN, 2: ANN}, None),
        ({"winners": [1], "options": {"handicap": {"Player 2": 100}}}, {1: ANN, 2: BOB}, None),
        (
            {"winners": [1, 2], "seats": [{"seat": 1, "team": "A"}, {"seat": 2, "team": "A"}, {"seat": 3}]},
            {1: ANN, 2: BOB, 3: CLEO},
            Ranking(((ANN, BOB), (CLEO,)), (1, 2)),
        ),
    ],
)
def test_a_match_counts_as_it_does_at_a_node(
    figures: dict[str, object], players: dict[int, str], expected: Ranking | None
) -> None:
    assert ranking_of({"seats": [{"seat": 1}, {"seat": 2}], "options": {}} | figures, players) == expected
    assert NEW.points == 1500
