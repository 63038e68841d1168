"""A PostgreSQL of its own for tests: on a Unix socket, without a port, never as root, which it refuses."""

import asyncio
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Final, Self

import asyncpg

from tests.rig import LIMIT_SECONDS

NOT_INSTALLED: Final = "PostgreSQL is not installed; `scripts/setup test` installs Debian's package postgresql."


def programs() -> Path | None:
    """The folder with `initdb` and `postgres`; None if PostgreSQL is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def _unprivileged() -> dict[str, Any]:
    """The arguments of `subprocess` that drop root; none for other users."""
    if os.geteuid() != 0:
        return {}
    user = pwd.getpwnam("postgres")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Postgres:
    """A server with databases. Commits are not flushed to the disk unless `flushed`: a killed process loses nothing."""

    _listens: tuple[str, ...] = ("-h", "")
    """On no port."""

    def __init__(self, *, flushed: bool = False) -> None:
        self._prepare([] if flushed else ["-F"])
        command: list[str | Path] = [self._bin / "initdb", "-D", self.folder / "data", "--no-sync", "--auth=trust"]
        options = ["--username=hall", "--encoding=UTF8", "--locale=C"]
        subprocess.run([*command, *options], check=True, stdout=subprocess.DEVNULL, cwd="/", **self._as)

    def _prepare(self, options: list[str]) -> None:
        found = programs()
        assert found is not None, NOT_INSTALLED
        self._bin = found
        self.folder = Path(tempfile.mkdtemp(prefix="hall-pg-"))  # A path of a Unix socket has 107 bytes at most.
        self._as = _unprivileged()
        if self._as:
            os.chown(self.folder, self._as["user"], self._as["group"])
        self._options = options
        self._process: subprocess.Popen[Any] | None = None

    def url(self, database: str = "postgres") -> str:
        """The address of a database."""
        return f"postgresql://hall@/{database}?host={self.folder}"

    def start(self) -> Self:
        """Starts the server, and returns when it answers."""
        limit = time.monotonic() + LIMIT_SECONDS
        while not self._answers():
            assert time.monotonic() < limit, "PostgreSQL does not start"
            if self._process is None or self._process.poll() is not None:
                # Also after an exit: what a killed server left can still be in use for a moment.
                command: list[str | Path] = [
                    self._bin / "postgres",
                    "-D",
                    self.folder / "data",
                    "-k",
                    self.folder,
                    *self._listens,
                    "-B",
                    "32MB",
                    # In its folder: a server that was killed would leave what it shares in `/dev/shm`.
                    "-c",
                    "dynamic_shared_memory_type=mmap",
                ]
                log = (self.folder / "log").open("ab")
                with log:
                    self._process = subprocess.Popen(
                        [*command, *self._options], stdout=log, stderr=log, cwd="/", **self._as
                    )
            time.sleep(0.02)  # Between two looks.
        return self

    def _answers(self) -> bool:
        async def connect() -> bool:
            try:
                db = await asyncpg.connect(self.url(), timeout=LIMIT_SECONDS)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                return False
            await db.close()
            return True

        return self._process is not None and self._process.poll() is None and asyncio.run(connect())

    def kill(self) -> None:
        """Kills the server with SIGKILL; its own processes end when they notice."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Stops the server."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()

    def close(self) -> None:
        """Stops the server and deletes its files."""
        self.stop()
        shutil.rmtree(self.folder)

    def ask(self, *queries: str) -> Any:
        """The first value of the last query."""

        async def ask() -> Any:
            db = await asyncpg.connect(self.url())
            try:
                return [await db.fetchval(query) for query in queries][-1]
            finally:
                await db.close()

        return asyncio.run(ask())

    def new_database(self, name: str) -> str:
        """Makes an empty database, and returns its address."""
        self.ask(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)', f'CREATE DATABASE "{name}"')
        return self.url(name)

    def run_program(self, program: str, *words: str | Path) -> None:
        """Runs a program of PostgreSQL for this server."""
        command: list[str | Path] = [self._bin / program, "-h", self.folder, "-U", "hall", *words]
        subprocess.run(command, check=True, cwd="/", **self._as)


class Standby(Postgres):
    """A server that follows another one by streaming replication, until it is promoted."""

    def __init__(self, primary: Postgres) -> None:
        self._prepare(["-F"])
        command: list[str | Path] = [self._bin / "pg_basebackup", "-D", self.folder / "data", "-h", primary.folder]
        options = ["-U", "hall", "--write-recovery-conf", "--checkpoint=fast", "--no-sync"]
        subprocess.run([*command, *options], check=True, cwd="/", **self._as)

    def stop_following(self) -> None:
        """Receives nothing more from the primary, and returns when that is so."""
        self.ask("ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()")
        while self.ask("SELECT count(*) FROM pg_stat_wal_receiver"):
            time.sleep(0.02)  # Between two looks.

    def promote(self) -> None:
        """Makes it a server that takes writes, and returns when it does."""
        assert self.ask("SELECT pg_promote()")
