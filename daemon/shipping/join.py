"""Joins a hall, and leaves it."""

import asyncio
from pathlib import Path

from daemon.shipping.hall_client import HallAway, HallClient, HallRefused
from daemon.shipping.membership import FILE, BadMembership, Membership, load, save
from daemon.shipping.sent_file import SentFile
from league.digests import join_text
from league.signatures import key_text, new_key, public_key, sign


class NotJoined(Exception):
    """The node has not joined; the text says why and what to do."""


def join(data: Path, url: str, code: str, name: str) -> Membership:
    """Joins the hall at an address by a code. NotJoined if that fails; the same code can then be used again."""
    try:
        member = load(data)
    except BadMembership as error:
        raise NotJoined(str(error)) from error
    if member is not None and member.token:
        raise NotJoined(f"This node is in the hall at {member.url} already. Leave it first: oche hall leave")
    # The key is kept before it is sent: if the answer gets lost, the code counts for this key alone.
    member = Membership(url, name, new_key() if member is None else member.key)
    save(data, member)
    body = {
        "code": code,
        "node": name,
        "public_key": key_text(public_key(member.key)),
        "signature": sign(member.key, join_text(code, name)),
    }
    try:
        joined = Membership(url, name, member.key, asyncio.run(_ask(member, body)))
    except (HallAway, HallRefused) as error:
        raise NotJoined(str(error)) from error
    save(data, joined)
    return joined


async def _ask(member: Membership, body: dict[str, str]) -> str:
    client = HallClient(member)
    try:
        return await client.join(body)
    finally:
        await client.close()


def leave(data: Path) -> bool:
    """Removes the key, the token, and what was acknowledged. False if the node was in no hall."""
    path = data / FILE
    was_there = path.exists()
    path.unlink(missing_ok=True)
    SentFile(data).remove()
    return was_there
