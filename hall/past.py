"""What the pages read of finished matches, players and nodes: one query for each, bounded, never written.

Names come from `shown_seat` alone, so whoever is forgotten is gone from every page with the next request.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from league.ratings import SURE, Rating

MOST_MATCHES: Final = 50
"""How many matches a page lists: the latest."""
MOST_RANKED: Final = 100
"""How many players a ladder has."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat of a finished match. `name` is None for someone who is forgotten, `player` also for a bot."""

    seat: int
    name: str | None
    player: str | None
    won: bool


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match in a list."""

    node: str
    match: str
    board: str
    game: str
    started: str
    finished: bool
    drawn: bool
    seats: tuple[Seated, ...]


@dataclass(frozen=True, slots=True)
class MatchFile:
    """A finished match with its file."""

    played: Played
    edition: int
    digest: str
    text: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player over some matches. `average` is that of X01, per three darts; None without any.

    `mean` and `deviation` are those of the rating, which is over all matches; None without one.
    """

    player: str
    name: str
    matches: int
    won: int
    drawn: int
    average: float | None
    mean: float | None = None
    deviation: float | None = None

    @property
    def rating(self) -> Rating | None:
        """The rating over all games; None before a match has counted for it."""
        return None if self.mean is None or self.deviation is None else Rating(self.mean, self.deviation)

    @property
    def points(self) -> int:
        """Two for a win, one for a draw."""
        return 2 * self.won + self.drawn


@dataclass(frozen=True, slots=True)
class NodeShown:
    """A node as its league sees it."""

    name: str
    seen: datetime | None
    waiting: int
    revoked: bool
    refusals: int
    last_refusal: str | None
    matches: int


_PLAYED: Final = """
SELECT match.number, match.node, match.id, match.board, chosen.started,
    result.seat, result.game, result.finished, result.won, result.drawn, shown_seat.name, shown_seat.player
FROM (
    SELECT match.number, file.started FROM match JOIN file ON file.match = match.number
    WHERE file.refused IS NULL AND ({where}) ORDER BY file.started DESC, match.number DESC LIMIT {limit}
) AS chosen
JOIN match ON match.number = chosen.number
LEFT JOIN result ON result.match = chosen.number
LEFT JOIN shown_seat ON shown_seat.match = result.match AND shown_seat.seat = result.seat
ORDER BY chosen.started DESC, chosen.number DESC, result.seat
"""
_ALL: Final = _PLAYED.format(where="TRUE", limit=MOST_MATCHES)
_OF_NODE: Final = _PLAYED.format(where="match.node = $1", limit=MOST_MATCHES)
_OF_PLAYER: Final = _PLAYED.format(
    where="match.number IN (SELECT s.match FROM shown_seat AS s WHERE s.player = $1)", limit=MOST_MATCHES
)
_ONE: Final = _PLAYED.format(where="match.node = $1 AND match.id = $2", limit=1)
_FILE: Final = """
SELECT edition, digest, text FROM file JOIN match ON match.number = file.match WHERE node = $1 AND id = $2
"""
_RANKED: Final = """
SELECT s.player, max(s.name) AS name, count(*) AS matches,
    count(*) FILTER (WHERE r.won) AS won, count(*) FILTER (WHERE r.drawn) AS drawn,
    sum(r.average * r.darts) FILTER (WHERE r.game = 'x01')
        / nullif(sum(r.darts) FILTER (WHERE r.game = 'x01' AND r.average IS NOT NULL), 0) AS average,
    max(rating.mean) AS mean, max(rating.deviation) AS deviation
FROM result AS r JOIN shown_seat AS s ON s.match = r.match AND s.seat = r.seat
LEFT JOIN rating ON rating.player = s.player
WHERE r.finished AND s.player IS NOT NULL AND {where}
GROUP BY s.player
ORDER BY {first}2 * count(*) FILTER (WHERE r.won) + count(*) FILTER (WHERE r.drawn) DESC, count(*),
    max(s.name), s.player
LIMIT {limit}
"""
_SOME: Final = "($1 = '' OR r.game = $1) AND r.started >= $2"
_BY_RATING: Final = f"max(rating.mean - {SURE} * rating.deviation) DESC NULLS LAST, "
_LADDER: Final = _RANKED.format(where=_SOME, limit=MOST_RANKED, first="")
_RATING_LADDER: Final = _RANKED.format(where=_SOME, limit=MOST_RANKED, first=_BY_RATING)
_PLAYER: Final = _RANKED.format(where="s.player = $1", limit=1, first="")
_GAMES: Final = """
SELECT r.game, count(*) AS matches, count(*) FILTER (WHERE r.won) AS won
FROM result AS r JOIN shown_seat AS s ON s.match = r.match AND s.seat = r.seat
WHERE r.finished AND s.player = $1 GROUP BY r.game ORDER BY count(*) DESC, r.game
"""
_PLAYER_NAME: Final = "SELECT max(name) FROM shown_seat WHERE player = $1"
_NODES: Final = """
SELECT node.name, node.seen, node.waiting, node.revoked IS NOT NULL AS revoked, node.refusals, node.last_refusal,
    (SELECT count(*) FROM match WHERE match.node = node.name) AS matches
FROM node ORDER BY node.name
"""
_UNCONFIRMED: Final = """
SELECT forgotten.at, match.node, count(DISTINCT forgotten.player) AS players
FROM forgotten JOIN seat ON seat.player = forgotten.player JOIN match ON match.number = seat.match
WHERE match.node <> forgotten.node AND forgotten.everywhere
    AND NOT EXISTS (SELECT FROM forgotten AS own WHERE own.player = seat.player AND own.node = match.node)
GROUP BY forgotten.at, match.node ORDER BY forgotten.at, match.node
"""


async def latest(db: Any) -> list[Played]:
    """The latest finished matches of all nodes."""
    return _played(await db.fetch(_ALL))


async def of_node(db: Any, node: str) -> list[Played] | None:
    """The latest finished matches of a node; None if there is no such node."""
    if not await db.fetchval("SELECT TRUE FROM node WHERE name = $1", node):
        return None
    return _played(await db.fetch(_OF_NODE, node))


async def of_player(db: Any, player: str) -> list[Played]:
    """The latest finished matches of a player."""
    return _played(await db.fetch(_OF_PLAYER, player))


async def match_file(db: Any, node: str, match: str) -> MatchFile | None:
    """A finished match; None if there is none of this id."""
    file, found = await db.fetchrow(_FILE, node, match), _played(await db.fetch(_ONE, node, match))
    if file is None or not found:
        return None
    return MatchFile(found[0], file["edition"], file["digest"], file["text"])


async def names_of(db: Any, node: str, match: str) -> dict[int, str]:
    """The names in the seats of a match."""
    query = "SELECT seat, name FROM shown_seat JOIN match ON number = match WHERE node = $1 AND id = $2"
    return {row["seat"]: row["name"] for row in await db.fetch(query, node, match)}


async def ladder(db: Any, game: str, since: str, *, by_rating: bool = False) -> list[Ranked]:
    """Players by points or by rating, of one game or of all (an empty text), in matches from `since` on."""
    return [Ranked(**row) for row in await db.fetch(_RATING_LADDER if by_rating else _LADDER, game, since)]


async def player(db: Any, player: str) -> tuple[str, Ranked | None, list[tuple[str, int, int]]] | None:
    """The name of a player, all their matches as one, and each game with how often they played and won it.

    None for an unknown player and for one who is forgotten.
    """
    name = await db.fetchval(_PLAYER_NAME, player)
    if name is None:
        return None
    whole, by_game = await db.fetchrow(_PLAYER, player), await db.fetch(_GAMES, player)
    return (
        name,
        None if whole is None else Ranked(**whole),
        [(row["game"], row["matches"], row["won"]) for row in by_game],
    )


async def games_played(db: Any) -> list[str]:
    """The games that ladders can be of."""
    return [row["game"] for row in await db.fetch("SELECT DISTINCT game FROM result WHERE finished ORDER BY game")]


async def nodes(db: Any) -> list[NodeShown]:
    """Every node."""
    return [NodeShown(**row) for row in await db.fetch(_NODES)]


async def unconfirmed(db: Any) -> list[Mapping[str, Any]]:
    """Which nodes still have players who were forgotten elsewhere: since when, the node, and how many. Never names."""
    return [dict(row) for row in await db.fetch(_UNCONFIRMED)]


def _played(rows: Sequence[Any]) -> list[Played]:
    """Rows of seats as matches. A match that is not counted yet has no seats."""
    found: dict[int, list[Any]] = {}
    for row in rows:
        found.setdefault(row["number"], []).append(row)
    return [_one(some) for some in found.values()]


def _one(rows: Sequence[Any]) -> Played:
    first = rows[0]
    seats = tuple(
        Seated(row["seat"], row["name"], row["player"], row["won"]) for row in rows if row["seat"] is not None
    )
    about = (first["node"], first["id"], first["board"], first["game"] or "", first["started"])
    return Played(*about, bool(first["finished"]), bool(first["drawn"]), seats)
