"""The connection to the PostgreSQL of a hall, and the epoch of its index."""

import os
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import asyncpg

from hall.schema import NoSchema, check_schema

CONNECT_SECONDS: Final = 10.0
COMMAND_SECONDS: Final = 60.0
"""How long one statement may take; beyond that the node sends its lines again."""
CONNECTIONS: Final = 6
"""How many connections a process has at most for what nodes send, and as many for the pages."""

UNREACHABLE: Final = (OSError, asyncpg.PostgresConnectionError, asyncpg.InterfaceError, TimeoutError)
"""What asyncpg raises while the server is away, starts, or is replaced by another one."""
AWAY: Final = (
    *UNREACHABLE,
    asyncpg.InsufficientResourcesError,
    asyncpg.InternalClientError,
    asyncpg.OperatorInterventionError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.TransactionRollbackError,
)
"""The same inside a transaction: the server stops, lacks connections, memory or disk, is a standby that can only be
read, or two transactions waited for each other. An InternalClientError is what a connection raises whose server was
killed while it was idle. Trying again helps."""

_EPOCH: Final = """
SELECT concat_ws('-', (SELECT id FROM hall), (SELECT epoch FROM hall),
    (SELECT system_identifier FROM pg_control_system()),
    (SELECT oid FROM pg_database WHERE datname = current_database()),
    pg_relation_filenode('match'), pg_relation_filenode('file'),
    substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))
"""
"""What changes when the index may have lost lines that it had acknowledged: the counter of `oche hall rebuild`, the
database, the server's own identity, the files of the tables, which are others after a backup was restored in place or
the tables were truncated, and the server's timeline, which the promotion of a standby raises."""


class DatabaseError(Exception):
    """The database cannot be used; the text says why and what to do."""


async def epoch(db: Any) -> str:
    """The epoch of the index, 16 hexadecimal digits: when it changes, nodes send everything again."""
    return sha256(str(await db.fetchval(_EPOCH)).encode()).hexdigest()[:16]


async def connect(url: str, *, create: bool = False) -> asyncpg.Connection:
    """Opens one connection; with `create` to a database that is made if it is missing. DatabaseError if that fails."""
    try:
        try:
            return await asyncpg.connect(url, timeout=CONNECT_SECONDS, command_timeout=COMMAND_SECONDS)
        except asyncpg.InvalidCatalogNameError:
            # The message has the name too, and is in the language of the server.
            name = unquote(urlsplit(url).path.removeprefix("/"))
            if not create or not name:
                raise
            await _create(url, name)
            return await asyncpg.connect(url, timeout=CONNECT_SECONDS, command_timeout=COMMAND_SECONDS)
    except asyncpg.InvalidAuthorizationSpecificationError as error:
        raise DatabaseError(
            f"The database cannot be opened: {_why(error)}. Check --db. Where the hall is a service, its commands are "
            "for its user: sudo -u oche-hall oche hall."
        ) from error
    except (*UNREACHABLE, asyncpg.PostgresError, ValueError) as error:
        raise DatabaseError(
            f"The database cannot be opened: {_why(error)}. Check --db and that PostgreSQL runs."
        ) from error


def _why(error: Exception) -> str:
    """The reason without the number of the system's error, which says nothing to people."""
    if isinstance(error, socket.gaierror | ssl.SSLError):
        return error.strerror or str(error)  # Their numbers are not the system's.
    if isinstance(error, OSError) and error.errno is not None:
        return os.strerror(error.errno)
    return str(error) or type(error).__name__


async def _create(url: str, name: str) -> None:
    db = await asyncpg.connect(url, database="postgres", timeout=CONNECT_SECONDS)
    try:
        await db.execute('CREATE DATABASE "{}"'.format(name.replace('"', '""')))
    except asyncpg.DuplicateDatabaseError:
        pass  # Another process was quicker.
    finally:
        await db.close()


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[asyncpg.Connection]:
    """One connection to a database with the tables of this version. DatabaseError without them."""
    db = await connect(url)
    try:
        await check_schema(db)
        yield db
    except NoSchema as error:
        raise DatabaseError(str(error)) from error
    finally:
        await db.close()


@asynccontextmanager
async def pool(url: str) -> AsyncIterator[Any]:
    """Connections that are made when needed, and again after the server was away."""
    async with opened(url):
        pass
    made = asyncpg.create_pool(
        url,
        min_size=0,
        max_size=CONNECTIONS,
        timeout=CONNECT_SECONDS,
        command_timeout=COMMAND_SECONDS,
        # A standby that was promoted must not be written to by connections to the old server.
        max_inactive_connection_lifetime=60,
    )
    await made
    try:
        yield made
    finally:
        made.terminate()
