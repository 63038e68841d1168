"""The token with which the league reads the page of its nodes, `/league`."""

import secrets
from typing import Any

from hall.nodes import token_hash


async def new_token(db: Any) -> str:
    """Makes the token, in place of the one before."""
    token = secrets.token_urlsafe(24)
    async with db.transaction():
        await db.execute("DELETE FROM reader")
        await db.execute("INSERT INTO reader (token_hash) VALUES ($1)", token_hash(token))
    return token


async def may_read(db: Any, token: str) -> bool:
    """Whether a token is the present one."""
    return bool(await db.fetchval("SELECT TRUE FROM reader WHERE token_hash = $1", token_hash(token)))
