"""The cards of a league's players: the key that signs them, who has one, and what nodes need to check them offline."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from league.cards import Card, card_text
from league.nameless import is_seat_name
from league.signatures import key_text, new_key, public_key

MOST_TOLD: Final = 10_000
"""How many revoked cards a node is told of, the latest ones."""
MOST_REFUSED: Final = 100
"""How many of its refused matches a node is told of, the latest ones."""
REASON_LENGTH: Final = 200
"""Characters of the reason of each."""

_REVOKED: Final = """
SELECT player, EXISTS (SELECT FROM forgotten AS f WHERE f.player = card.player AND f.everywhere) AS forgotten
FROM card WHERE revoked IS NOT NULL ORDER BY revoked DESC LIMIT $1
"""
_REFUSED: Final = """
SELECT match.id, left(file.refused, $3) AS refused FROM file JOIN match ON match.number = file.match
WHERE match.node = $1 AND file.refused IS NOT NULL ORDER BY file.started DESC LIMIT $2
"""


@dataclass(frozen=True, slots=True)
class Listed:
    """A card in the list of the league. `matches`: how many matches the player has at all nodes."""

    player: str
    name: str
    until: date
    revoked: bool
    matches: int


async def league_key(db: Any) -> bytes:
    """The private key of the league; made with the first call."""
    key: bytes | None = await db.fetchval("SELECT league_key FROM hall")
    # Every node asks again and again: it is written once.
    return key or await db.fetchval(
        "UPDATE hall SET league_key = coalesce(league_key, $1) RETURNING league_key", new_key()
    )


async def make(db: Any, name: str, until: date) -> tuple[Card, str]:
    """Makes a card for a new player. Returns it with its text. ValueError for a name or a day that no card can have."""
    if is_seat_name(name):
        raise ValueError(f"a player without a name is called {name}")
    card = Card(secrets.token_hex(16), name, until)
    text = card_text(card, await league_key(db))
    await db.execute("INSERT INTO card (player, name, until) VALUES ($1, $2, $3)", card.player, name, until)
    return card, text


async def renew(db: Any, player: str, until: date) -> tuple[Card, str] | None:
    """The card of a player once more, until another day. None for a player without a card, or with a revoked one."""
    name = await db.fetchval("SELECT name FROM card WHERE player = $1 AND revoked IS NULL", player)
    if name is None:
        return None
    card = Card(player, name, until)
    text = card_text(card, await league_key(db))
    await db.execute("UPDATE card SET until = $2 WHERE player = $1", player, until)
    return card, text


async def revoke(db: Any, player: str) -> bool:
    """Takes a card back: no node accepts it once it has asked the hall. False if there is no such card."""
    query = "UPDATE card SET revoked = coalesce(revoked, now()) WHERE player = $1 RETURNING TRUE"
    return bool(await db.fetchval(query, player))


async def forget(db: Any, players: Sequence[str]) -> None:
    """Ends the cards of players who are forgotten everywhere, and deletes their names."""
    await db.execute(
        "UPDATE card SET name = '', revoked = coalesce(revoked, now()) WHERE player = ANY($1) AND EXISTS "
        "(SELECT FROM forgotten WHERE forgotten.player = card.player AND forgotten.everywhere)",
        list(players),
    )


async def listed(db: Any) -> list[Listed]:
    """Every card, by name; without those of forgotten players."""
    rows = await db.fetch(
        "SELECT player, name, until, revoked IS NOT NULL AS revoked, "
        "(SELECT count(*) FROM seat WHERE seat.player = card.player) AS matches "
        "FROM card WHERE name <> '' ORDER BY name, player"
    )
    return [Listed(**row) for row in rows]


async def told_to_nodes(db: Any, node: str) -> dict[str, Any]:
    """What a node needs to check cards offline: the key of the league, and which cards do not count any more. And which
    of its own matches the rules refuse, with the reason of each."""
    rows = await db.fetch(_REVOKED, MOST_TOLD)
    refused = await db.fetch(_REFUSED, node, MOST_REFUSED, REASON_LENGTH)
    return {
        "refused": {row["id"]: row["refused"] for row in refused},
        "league": key_text(public_key(await league_key(db))),
        "revoked": [row["player"] for row in rows if not row["forgotten"]],
        "forgotten": [row["player"] for row in rows if row["forgotten"]],
    }
