"""The commands of a hall. Each returns an exit code, or raises DatabaseError with what to do."""

import asyncio
import os
import sys
from dataclasses import dataclass
from datetime import UTC, date, datetime
from secrets import token_hex
from typing import Any, Final

from engine import jsontext
from hall import checks, nodes, readers, upkeep
from hall.cards import league_key
from hall.counting import DATABASE_VARIABLE
from hall.database import DatabaseError, connect, opened
from hall.processes import run
from hall.schema import NoSchema, migrate
from hall.season_matches import season_matches as season_matches_of
from hall.server import TlsFiles, allow_connections, listen, stop_event

LOCAL_DATABASE: Final = "postgresql:///hall"
DONE: Final = 0
FAILED: Final = 1

_NODES: Final = """
SELECT node.*, (SELECT count(*) FROM match WHERE match.node = node.name AND is_over) AS matches,
    (SELECT count(*) FROM match WHERE match.node = node.name AND NOT is_over) AS running
FROM node ORDER BY name
"""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the hall listens. `processes`: how many serve it."""

    host: str
    port: int
    processes: int
    tls: TlsFiles | None


def database(url: str | None) -> str:
    """The address of the database: the one that is given, else that of the environment, else `hall` on this machine."""
    return url or os.environ.get(DATABASE_VARIABLE) or LOCAL_DATABASE


async def _prepare(url: str) -> int:
    db = await connect(url, create=True)
    try:
        made = await migrate(db)
        await league_key(db)
        return made
    except NoSchema as error:
        raise DatabaseError(str(error)) from error
    finally:
        await db.close()


def init(url: str) -> int:
    """Makes the database and its tables, or brings them to this version."""
    made = asyncio.run(_prepare(url))
    print("The tables of the hall are ready." if made else "The tables of the hall were ready.")
    return DONE


def serve(url: str, address: Address) -> int:
    """Prepares the database, and serves the hall until SIGTERM or SIGINT.

    OSError if the address or the certificate cannot be used.
    """

    async def work() -> None:
        stop = stop_event()
        allow_connections()
        await _prepare(url)
        if address.tls is not None:
            address.tls.context()
        with listen(address.host, address.port) as listener:
            scheme = "http" if address.tls is None else "https"
            host = f"[{address.host}]" if ":" in address.host else address.host
            at = f"{scheme}://{host}:{listener.getsockname()[1]}"
            print(f"The hall is at {at} - stop it with Ctrl-C.", file=sys.stderr, flush=True)
            await run(url, listener, address.processes, address.tls, stop)

    asyncio.run(work())
    return DONE


def code(url: str, replaces: str | None) -> int:
    """Prints a code with which one node can join."""

    async def work() -> str | None:
        async with opened(url) as db:
            return await nodes.new_code(db, replaces)

    made = asyncio.run(work())
    if made is None:
        raise DatabaseError(f"No node is called {replaces}; `oche hall nodes` lists them.")
    print(made)
    print(f"It works once, within {nodes.CODE_HOURS} hours. At the node: oche hall join URL {made}", file=sys.stderr)
    return DONE


def list_nodes(url: str, *, as_json: bool) -> int:
    """Prints the nodes: when each was last seen, how much it has left, and what was refused."""

    async def work() -> list[Any]:
        async with opened(url) as db:
            found: list[Any] = await db.fetch(_NODES)
            return found

    for row in asyncio.run(work()):
        about = _about(row)
        print(jsontext.dump(about) if as_json else _line(about))
    return DONE


def revoke(url: str, name: str) -> int:
    """Shuts a node out."""

    async def work() -> bool:
        async with opened(url) as db:
            return await nodes.revoke(db, name)

    if not asyncio.run(work()):
        raise DatabaseError(f"No node is called {name}; `oche hall nodes` lists them.")
    print(f"The node {name} is shut out. Its matches stay. A new machine of that name: oche hall code --replace {name}")
    return DONE


def token(url: str) -> int:
    """Prints a token with which the league reads the page of its nodes."""

    async def work() -> str:
        async with opened(url) as db:
            return await readers.new_token(db)

    print(asyncio.run(work()))
    print(
        "With it open /league on the pages of the hall; any user name will do. An earlier token has ended.",
        file=sys.stderr,
    )
    return DONE


def verify(url: str) -> int:
    """Checks every match; exit code 1 if one is not as it was signed."""

    async def work() -> int:
        found = 0
        async with opened(url) as db:
            async for fault in checks.faults(db):
                found += 1
                print(f"{fault.node} {fault.match}: {fault.message}")
        return found

    found = asyncio.run(work())
    print(f"{found} matches are not as they were signed." if found else "Every match is as it was signed.")
    return FAILED if found else DONE


def season_matches(url: str, since: date) -> int:
    """Prints the finished matches of two named sides from a day on, one a line, for `oche season results`."""

    async def work() -> None:
        async with opened(url) as db:
            async for match in season_matches_of(db, since):
                print(jsontext.dump(match.to_json()))

    asyncio.run(work())
    return DONE


def rebuild(url: str, source: str) -> int:
    """Has the nodes send everything again, or makes the figures of all files again."""

    async def from_nodes() -> None:
        async with opened(url) as db:
            # The counter alone can be one that nodes have: the same backup may have been restored before.
            await db.execute("UPDATE hall SET epoch = epoch + 1, id = $1", token_hex(8))

    async def from_files() -> int:
        async with opened(url) as db:
            changed = await checks.count_again(db)
            await upkeep.queue_all(db)
            return changed

    if source == "nodes":
        asyncio.run(from_nodes())
        print("Each node sends everything again the next time that it calls.")
    else:
        print(f"The figures of {asyncio.run(from_files())} matches have changed.")
    return DONE


def _about(row: Any) -> dict[str, Any]:
    about = {
        "node": row["name"],
        "state": "revoked" if row["revoked"] else "joined",
        "matches": row["matches"],
        "running": row["running"],
        "waiting": row["waiting"],
    }
    about |= {} if row["seen"] is None else {"seen": row["seen"].astimezone(UTC).isoformat(timespec="seconds")}
    return about | ({"refused": row["refusals"], "last_refusal": row["last_refusal"]} if row["refusals"] else {})


def _line(about: dict[str, Any]) -> str:
    said = [about["node"], about["state"]]
    if "seen" in about:
        away = datetime.now(UTC) - datetime.fromisoformat(about["seen"])
        said.append(f"seen {max(0, int(away.total_seconds()))} s ago")
    else:
        said.append("never seen")
    said += [f"{about['matches']} matches", f"{about['running']} running", f"{about['waiting']} lines to send"]
    if "refused" in about:
        said.append(f"{about['refused']} refused, the last: {about['last_refusal']}")
    return ", ".join(said)
