"""The PostgreSQL of the hall's tests: one server for each module."""

from collections.abc import Iterator

import pytest

from tests.hall.postgres import NOT_INSTALLED, Postgres, programs


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """A running server."""
    if programs() is None:
        pytest.skip(NOT_INSTALLED)
    server = Postgres()
    try:
        yield server.start()
    finally:
        server.close()
