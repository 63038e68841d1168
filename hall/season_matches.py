"""What a season needs of the matches in the index: who played whom, who won, legs and 180s, of named players alone."""

import json
from collections.abc import AsyncIterator
from datetime import date, timedelta
from typing import Any, Final

from league.season_matches import PlayedMatch, evening_of, played_from_view

_FINISHED: Final = """
SELECT file.started, file.figures, array_agg(shown_seat.name ORDER BY shown_seat.seat) AS names,
    array_agg(shown_seat.seat ORDER BY shown_seat.seat) AS seats
FROM file JOIN shown_seat ON shown_seat.match = file.match
WHERE file.refused IS NULL AND file.figures IS NOT NULL AND file.started >= $1
GROUP BY file.match, file.started, file.figures ORDER BY file.started, file.match
"""


async def season_matches(db: Any, since: date) -> AsyncIterator[PlayedMatch]:
    """The finished matches of two named sides from a day on, the oldest first."""
    # Journals have the time in UTC: east of it a day begins on the day before.
    first = since if since == date.min else since - timedelta(1)
    async with db.transaction():
        async for row in db.cursor(_FINISHED, first.isoformat()):
            if (day := evening_of(row["started"])) < since:
                continue
            figures = json.loads(row["figures"]) if isinstance(row["figures"], str) else row["figures"]
            names = dict(zip(row["seats"], row["names"], strict=True))
            players = [seat | {"name": names.get(seat["seat"])} for seat in figures["seats"]]
            if not figures["finished"] or any(player["name"] is None for player in players):
                continue
            if (found := played_from_view(day, {"players": players})) is not None:
                yield found
