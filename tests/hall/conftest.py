"""The PostgreSQL of the hall's tests: one server for each worker, one database for each module."""

from collections.abc import Iterator

import pytest

from tests.hall.postgres import NOT_INSTALLED, Postgres, programs


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running server. A test that stops it starts it again."""
    if programs() is None:
        pytest.skip(NOT_INSTALLED)
    server = Postgres()
    try:
        yield server.start()
    finally:
        server.close()


@pytest.fixture(scope="module")
def url(postgres: Postgres, request: pytest.FixtureRequest) -> str:
    """The address of a database that is empty when the first test of a module gets it."""
    name: str = request.module.__name__
    return postgres.new_database(name.rpartition(".")[2])
