"""The nodes of a hall: the codes with which they join, their keys and tokens, and who is shut out."""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final

from league.digests import is_node_name, join_text, plain_code
from league.hall_refusals import HallRefusal
from league.signatures import is_signed, public_key

CODE_HOURS: Final = 24
_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without those that look alike."""
_USED: Final = HallRefusal("bad_code", "The code is not known, was used, or is too old. Ask for a new one.")


@dataclass(frozen=True, slots=True)
class Node:
    """A node that has joined."""

    name: str
    public_key: bytes
    league: bytes | None = None
    """The public key of the league's cards; None before there is one."""


def token_hash(token: str) -> bytes:
    """What is stored of a token or a code."""
    return sha256(token.encode(errors="surrogatepass")).digest()  # A header can have bytes that are not UTF-8.


async def new_code(db: Any, replaces: str | None = None) -> str | None:
    """Makes a code for one node, which works once, within a day. None if the node that it replaces does not exist."""
    if replaces is not None and not await db.fetchval("SELECT TRUE FROM node WHERE name = $1", replaces):
        return None
    code = "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(3))
    await db.execute("DELETE FROM code WHERE expires < now()")
    await db.execute(
        "INSERT INTO code (code_hash, expires, replaces) VALUES ($1, now() + $2, $3)",
        *(token_hash(plain_code(code)), timedelta(hours=CODE_HOURS), replaces),
    )
    return code


async def join(db: Any, code: str, name: str, key: bytes, signature: str) -> str | HallRefusal:
    """Enrols a node by a code and the signature of `join_text`. Returns its token; Refusal otherwise.

    The node that used a code may use it again, for the same name and until it is shut out: the answer can get lost.
    """
    if not is_node_name(name):
        return HallRefusal("bad_value", "A node's name has 1 to 32 of a to z, 0 to 9 and hyphens.")
    if not is_signed(key, join_text(code, name), signature):
        return HallRefusal("bad_signature", "The request is not signed with the key that it names.")
    async with db.transaction():
        found = await db.fetchrow(
            "SELECT replaces, used_by FROM code WHERE code_hash = $1 AND expires > now() FOR UPDATE",
            token_hash(plain_code(code)),
        )
        if found is None or found["used_by"] not in (None, key):
            return _USED
        if found["replaces"] not in (None, name):
            return HallRefusal("bad_code", f"The code is for the node {found['replaces']}.")
        held = await db.fetchrow("SELECT public_key, revoked FROM node WHERE name = $1 FOR UPDATE", name)
        if found["used_by"] is not None and (held is None or held["public_key"] != key or held["revoked"] is not None):
            return _USED
        if held is not None and found["replaces"] is None:
            if held["public_key"] != key:
                return HallRefusal("name_taken", f"Another node is called {name}. Join with --name and another one.")
            if held["revoked"] is not None:
                return HallRefusal("revoked", f"The node {name} is shut out. Ask for a code that replaces it.")
        token = secrets.token_urlsafe(32)
        await db.execute(
            "INSERT INTO node (name, public_key, token_hash) VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET "
            "former_keys = CASE WHEN node.public_key = $2 THEN node.former_keys "
            "ELSE node.former_keys || node.public_key END, public_key = $2, token_hash = $3, revoked = NULL",
            *(name, key, token_hash(token)),
        )
        await db.execute("UPDATE code SET used_by = $2 WHERE code_hash = $1", token_hash(plain_code(code)), key)
    return token


async def node_of(db: Any, token: str) -> Node | HallRefusal:
    """The node of a token. Refusal `bad_token` or `revoked`."""
    query = (
        "SELECT name, public_key, revoked, (SELECT league_key FROM hall) AS league_key FROM node WHERE token_hash = $1"
    )
    found = await db.fetchrow(query, token_hash(token))
    if found is None:
        return HallRefusal("bad_token", "The hall does not know this node. Join it again with a new code.")
    if found["revoked"] is not None:
        return HallRefusal("revoked", f"The node {found['name']} is shut out of the hall.")
    private = found["league_key"]
    return Node(found["name"], found["public_key"], None if private is None else public_key(private))


async def revoke(db: Any, name: str) -> bool:
    """Shuts a node out, and ends the codes that replace it. False if there is no such node."""
    await db.execute("DELETE FROM code WHERE replaces = $1", name)
    query = "UPDATE node SET revoked = coalesce(revoked, now()) WHERE name = $1 RETURNING TRUE"
    return bool(await db.fetchval(query, name))
