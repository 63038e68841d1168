"""The ratings of players over the matches of all nodes, by the same rules as at a node (`league/ratings.py`).

They depend on the order of the matches, and a match can come weeks late. So they are worked out from the start whenever
results have changed: from the latest `MOST_MATCHES`, which bounds the time to seconds.
"""

import asyncio
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from league.nameless import seat_name
from league.ratings import Ranking, Rating, ranking, rate

MOST_MATCHES: Final = 100_000
"""How many matches count: the latest. Rating them takes 4 s of a processor."""
PIECE: Final = 200
"""How many matches are rated before darts are taken again."""
IDLE_TIMES: Final = 20
"""How many times as long as it took nothing is rated after it: at most a twentieth of a processor is used."""
_LOCK: Final = 0x72617465

_MATCHES: Final = """
SELECT chosen.figures, array_agg(shown_seat.seat) AS seats, array_agg(shown_seat.player) AS players
FROM (
    SELECT file.match, file.figures, file.started FROM file WHERE (file.figures ->> 'finished')::BOOLEAN
    ORDER BY file.started DESC, file.digest DESC LIMIT $1
) AS chosen
JOIN match ON match.number = chosen.match
JOIN shown_seat ON shown_seat.match = chosen.match
WHERE shown_seat.player IS NOT NULL
GROUP BY chosen.match, chosen.figures, chosen.started, match.node, match.id
ORDER BY chosen.started, match.node, match.id
"""


class Ratings:
    """Works the ratings out again when it is due; one process does so at a time."""

    def __init__(self) -> None:
        self._not_before = 0.0

    async def step(self, db: Any) -> bool:
        """Works them out if it is due. Whether it was."""
        if time.monotonic() < self._not_before:
            return False
        began = time.monotonic()
        async with db.transaction():
            # First: a change that comes meanwhile has a place of its own.
            places = [row["place"] for row in await db.fetch("SELECT place FROM to_rate")]
            if not places or not await db.fetchval("SELECT pg_try_advisory_xact_lock($1)", _LOCK):
                return False
            ratings = await _worked_out(db)
            await db.execute("DELETE FROM to_rate WHERE place = ANY($1)", places)
            await db.execute("DELETE FROM rating")
            rows = [(player, one.mean, one.deviation, one.matches) for player, one in ratings.items()]
            await db.copy_records_to_table("rating", records=rows)
        self._not_before = time.monotonic() + IDLE_TIMES * (time.monotonic() - began)
        return True


async def forget(db: Any, players: Sequence[str]) -> None:
    """Deletes the ratings of players who are forgotten everywhere; those of the others are worked out again."""
    await db.execute(
        "DELETE FROM rating WHERE player = ANY($1) AND EXISTS "
        "(SELECT FROM forgotten WHERE forgotten.player = rating.player AND forgotten.everywhere)",
        list(players),
    )
    # Also those that are being worked out, which began with what was known before.
    await db.execute("INSERT INTO to_rate DEFAULT VALUES")


async def _worked_out(db: Any) -> dict[str, Rating]:
    ratings: dict[str, Rating] = {}
    piece: list[Ranking] = []
    async for row in db.cursor(_MATCHES, MOST_MATCHES):
        seats = dict(zip(row["seats"], row["players"], strict=True))
        if (found := ranking_of(json.loads(row["figures"]), seats)) is not None:
            piece.append(found)
        if len(piece) == PIECE:
            await asyncio.to_thread(_rate_all, ratings, piece)
            piece = []
    await asyncio.to_thread(_rate_all, ratings, piece)
    return ratings


def _rate_all(ratings: dict[str, Rating], piece: Iterable[Ranking]) -> None:
    for one in piece:
        ratings |= rate(ratings, one)


def ranking_of(figures: Mapping[str, Any], players: Mapping[int, str]) -> Ranking | None:
    """What a match counts, from the figures beside its file, for the ids of its players by seat; None if it does not.

    A seat without a player, as that of a bot or of somebody who is forgotten, is left out with its side.
    """
    sides: dict[str, list[str]] = {}
    for seat in figures["seats"]:
        sides.setdefault(str(seat.get("team", seat["seat"])), []).append(seat_name(seat["seat"]))
    names = {seat_name(seat): player for seat, player in players.items()}
    found = ranking(
        [tuple(side) for side in sides.values()],
        [seat_name(seat) for seat in figures["winners"]],
        {seat_name(seat["seat"]): seat["place"] for seat in figures["seats"] if isinstance(seat.get("place"), int)},
        [name for side in sides.values() for name in side if name not in names],
        figures["options"],
    )
    # One person in two seats, by two cards, beats nobody.
    if found is None or len(set(names.values())) < len(names):
        return None
    return Ranking(tuple(tuple(names[name] for name in side) for side in found.sides), found.places)
