"""The database of a hall is made under the name in its address, and what keeps it from being opened is said."""

import asyncio
import socket
import ssl
from urllib.parse import quote

import asyncpg
import pytest

from hall.commands import init
from hall.database import DatabaseError, connect
from tests.hall.postgres import Postgres


@pytest.mark.parametrize("name", ["hall", 'the "Crown" hall', "Hälle"])
def test_a_missing_database_is_made_whatever_it_is_called(
    postgres: Postgres, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A server in another language quotes the name in another way.
    monkeypatch.setattr(
        asyncpg.InvalidCatalogNameError, "__str__", lambda _error: f"Datenbank »{name}« existiert nicht"
    )
    url = postgres.url(quote(name))
    assert init(url) == 0

    async def found() -> object:
        db = await connect(url)
        try:
            return await db.fetchval("SELECT current_database()")
        finally:
            await db.close()

    assert asyncio.run(found()) == name


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "Name or service not known"),
        (ssl.SSLError(1, "certificate verify failed"), "certificate verify failed"),
        (ConnectionRefusedError(111, "Connect call failed"), "Connection refused"),
    ],
)
def test_what_keeps_it_from_being_opened_is_said(error: Exception, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_args: object, **_how: object) -> None:
        raise error

    monkeypatch.setattr(asyncpg, "connect", fail)
    with pytest.raises(DatabaseError, match=f"cannot be opened: {text}"):
        asyncio.run(connect("postgresql:///hall"))


def test_who_has_no_role_is_told_for_whom_the_commands_are(postgres: Postgres) -> None:
    """The message of the server is all that a user gets who forgot `sudo -u oche-hall`."""
    url = postgres.url("hall").replace("hall@", "ann@", 1)
    with pytest.raises(DatabaseError, match=r'role "ann" does not exist\. .*: sudo -u oche-hall oche hall'):
        asyncio.run(connect(url))
