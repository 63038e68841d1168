"""Runs the commands of docs/hall.md for a standby and a backup as they are written there, with two real servers.

Only what names the machine is replaced: paths, addresses, the password, and who starts the servers.
"""

import asyncio
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import asyncpg
import pytest

from hall import nodes
from tests.hall.guide import GUIDE, commands_of, section
from tests.hall.house import House, settled
from tests.hall.postgres import NOT_INSTALLED, Postgres, programs
from tests.hall.programs import oche
from tests.rig import OCHE, free_port, takes_connections, until

ROLE = Path(__file__).parents[2] / "systemd/debian-hall/make-role"


class Server(Postgres):
    """A server of Debian's package: it listens where its settings say, and asks for passwords over the network."""

    _listens = ()

    def __init__(self) -> None:
        super().__init__()
        self.port = free_port()
        self._options += ["-p", str(self.port)]
        self.at = f"127.0.0.1:{self.port}"
        self._allow()

    def _allow(self) -> None:
        (self.folder / "data/pg_hba.conf").write_text("local all all trust\nlocal replication all trust\n")

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://hall@/{database}?host={self.folder}&port={self.port}"

    def run(self, command: str) -> None:
        """Runs a command of the guide on the machine of this server, as its user of PostgreSQL."""
        data = self.folder / "data"
        command = command.replace("/etc/postgresql/15/main", str(data)).replace(
            "/var/lib/postgresql/15/main", str(data)
        )
        match shlex.split(command):
            case ["sudo", "apt", "install", "postgresql"]:
                assert programs() is not None
            case ["sudo", "systemctl", what, "postgresql" | "postgresql@15-main" as unit]:
                # Debian's `postgresql` starts and stops the servers, and does not wait until they have stopped.
                assert (what, unit) != ("stop", "postgresql")
                if what != "start":
                    self.stop()
                if what != "stop":
                    self.start()
            case ["sudo", "-u", "postgres", "rm", "-r", path]:
                # Of the test itself; Debian keeps this file elsewhere.
                assert Path(path) == data
                shutil.rmtree(data)
            case _:
                own = {"PGHOST": str(self.folder), "PGPORT": str(self.port), "PGUSER": "hall", "PGDATABASE": "postgres"}
                path = f"{programs()}:{os.environ['PATH']}"
                words = command.replace("sudo -u postgres ", "")
                subprocess.run(["sh", "-euc", words], check=True, cwd="/", env={**own, "PATH": path}, **self._as)


@pytest.fixture
def servers() -> Iterator[tuple[Server, Server]]:
    if programs() is None:
        pytest.skip(NOT_INSTALLED)
    with ExitStack() as stack:
        made = []
        for _ in range(2):
            made.append(Server())
            stack.callback(made[-1].close)
            made[-1].start()
        yield made[0], made[1]


def test_a_standby_takes_over_and_a_backup_is_restored(servers: tuple[Server, Server], tmp_path: Path) -> None:
    first, second = servers
    left = iter(commands_of(section("A standby")))

    def replaced(line: str) -> str:
        addresses = {"FIRST/32": "127.0.0.1/32", "SECOND/32": "127.0.0.1/32", "'*'": "'127.0.0.1'"}
        for word, instead in {**addresses, "FIRST": first.at, "SECOND": second.at, "SECRET": "s3cret"}.items():
            line = line.replace(word, instead)
        return line

    # The role that the package makes; twice, as at each start of the service. Its text: another user may not read the
    # checkout.
    for _ in range(2):
        first.run(ROLE.read_text())
    for server, last in ((first, "sudo systemctl restart postgresql"), (second, "sudo systemctl start postgresql")):
        for line in left:
            server.run(replaced(line))
            if line == last:
                break
    port = free_port()
    command = shlex.split(replaced(next(left)))[1:]
    with subprocess.Popen([OCHE, *command, "--http", f"127.0.0.1:{port}"], stderr=subprocess.DEVNULL) as hall:
        try:
            until(lambda: takes_connections(port), "the hall's port")
            asyncio.run(_play(first, second, f"http://127.0.0.1:{port}", tmp_path, replaced(next(left))))
        finally:
            hall.terminate()
    assert hall.returncode == 0
    assert list(left) == []
    _restore(second)


async def _play(first: Server, second: Server, at: str, folder: Path, promote: str) -> None:
    """Plays at a node before, while and after the first server is lost."""
    db = await asyncpg.connect(first.url("hall"))
    try:
        code = await nodes.new_code(db)
    finally:
        await db.close()
    house = House(folder, "crown")
    try:
        assert code is not None
        await house.join(at, code)
        async with house.shipping():
            match = house.begin()
            await house.throw(match, 10)
            await settled(second.url("hall"), [house])
            first.kill()
            await house.throw(match, 10)
            await asyncio.to_thread(second.run, promote)
            await house.throw(match, 10)
            await settled(second.url("hall"), [house])
    finally:
        house.close()


def _restore(server: Server) -> None:
    """Makes a backup with the command of the guide, and restores it into a database without a hall."""
    dump, *restore = [line for line in commands_of(section("When something is lost")) if "sudo -u postgres" in line]
    place = str(server.folder / "hall.dump")
    server.run(dump.replace("/var/lib/postgresql/hall.dump", place))
    before = server.ask("SELECT count(*) FROM pg_database"), _lines(server)
    server.ask("DROP DATABASE hall WITH (FORCE)")
    for line in restore:
        server.run(line.replace("/var/lib/postgresql/hall.dump", place))
    assert (server.ask("SELECT count(*) FROM pg_database"), _lines(server)) == before
    code, out, _ = asyncio.run(oche("hall", "nodes", "--db", server.url("hall")))
    assert (code, out.startswith("crown, joined")) == (0, True)


def _lines(server: Server) -> list[tuple[int, str]]:
    async def ask() -> list[tuple[int, str]]:
        db = await asyncpg.connect(server.url("hall"))
        try:
            return [tuple(row) for row in await db.fetch("SELECT n, line FROM line ORDER BY match, n")]
        finally:
            await db.close()

    found = asyncio.run(ask())
    assert len(found) == 30
    return found


def test_the_guide_has_a_way_to_a_league() -> None:
    assert "oche hall join https://" in section("A league of pubs")
    assert GUIDE.index("\n## A standby") < GUIDE.index("\n## A league of pubs")
