"""Flips random bits in a journal and its log, or cuts them, and checks that each damage is reported.

A journal as a daemon leaves it: two boards, matches that are over, one in progress on each board, one import, hits,
replies, stored states; if the daemon was killed, part of it is in the log alone. In a copy one bit is flipped or one
file cut. The rows before and after are compared as SQLite reads them after recovery:

- `same`: nothing that is read has changed (a free page, a page or a frame of the log that a later one replaces);
- `said`: a start reports what is damaged or gone;
- `silent`: something has changed and is not reported, which fails the test.
"""

import asyncio
import contextlib
import os
import random
import shutil
import sqlite3
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

from daemon.record.journal import Entry, Imported, Journal
from daemon.record.journal_file import DATABASE_ERRORS, JournalError
from daemon.record.reader import BoardRow, MatchRow
from daemon.record.salvage import salvage

Verdict = Literal["same", "said", "silent"]

FILES: Final = ("oche.db", "oche.db-wal")
CONTENT: Final = {
    "board": "SELECT name, seq, revision, match, mark FROM board ORDER BY name",
    "match": "SELECT id, board, header, bots, started, ended, result, winners FROM match ORDER BY id",
    "action": "SELECT match, n, line FROM action ORDER BY match, n",
    "hit": "SELECT board, seq, payload FROM hit ORDER BY board, seq",
    "snapshot": "SELECT match, n, state FROM snapshot ORDER BY match",
    "command": "SELECT board, id, reply FROM command ORDER BY n",
}
"""Everything that is read from the journal, without checksums."""


def evening(folder: Path, seed: int, *, killed: bool) -> None:
    """Leaves the data directory of a daemon: its database, its marks, and, if `killed`, the log."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        with contextlib.closing(Journal(work)) as journal:
            asyncio.run(_play(journal, random.Random(seed)))
            if not killed:
                with contextlib.closing(sqlite3.connect(journal.path)) as db:
                    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            for path in work.iterdir():
                if not path.name.endswith("-shm"):
                    shutil.copy(path, folder / path.name)


async def _play(journal: Journal, chance: random.Random) -> None:
    header = '{"match":1,"rules":1,"game":"x01","players":["Ann","Bob"],"options":{"start":501}}'
    old = MatchRow("20200101-120000-aaaaaa", "imported", header, "{}", "2020-01-01T12:00:00+00:00", result="stopped")
    lines = tuple(f'{{"throw":"T{n % 20 + 1}","at_ms":{1577880000000 + n}}}' for n in range(200))
    await journal.write(Imported(old, lines))
    rows = {name: BoardRow(name) for name in ("den", "lounge")}
    last: dict[str, MatchRow] = {}
    at = 1_790_000_000_000
    for part in range(3):
        for name, row in rows.items():
            match = MatchRow(f"2026112{part}-{name}", name, header, "{}", f"2026-11-2{part}T20:00:00+00:00")
            before = last.get(name)
            ended = None if before is None else replace(before, ended=match.started, result="stopped")
            row = replace(row, revision=row.revision + 1, match=match.id)
            await journal.write(Entry(row, match, reply=(f'"start-{part}"', '{"ok":true}'), ended=ended))
            for n in range(1, chance.randint(60, 140)):
                at += chance.randint(2_000, 9_000)
                line = f'{{"throw":"{chance.choice("SDT")}{chance.randint(1, 20)}","by":"board","at_ms":{at}}}'
                row = replace(row, seq=row.seq + 1, revision=row.revision + 1, mark=f"00-{n}")
                state = (n, f'{{"left":{chance.randint(2, 501)}}}') if n % 64 == 0 else None
                await journal.write(Entry(row, match, ((n, line),), state, hit=f'{{"id":"{name}-{row.seq}"}}'))
            rows[name], last[name] = row, match


def content(folder: Path) -> dict[str, list[tuple[Any, ...]]] | str:
    """The rows of the journal by table, or SQLite's error if it cannot be read."""
    try:
        with contextlib.closing(sqlite3.connect(folder / "oche.db")) as db:
            db.text_factory = bytes
            return {table: db.execute(query).fetchall() for table, query in CONTENT.items()}
    except DATABASE_ERRORS as error:
        return str(error)


def change(folder: Path, statement: str, *values: Any) -> None:
    """Changes a row as a bad disk would: its checksum stays."""
    with contextlib.closing(sqlite3.connect(folder / "oche.db")) as db:
        assert db.execute(statement, values).rowcount == 1
        db.commit()


def kept_aside(folder: Path) -> Path:
    """The folder with the damaged journal; fails if there are none or several."""
    [aside] = folder.glob("damaged-*")
    return aside


def flip(folder: Path, at: int, bit: int = 0x80) -> None:
    content = bytearray((folder / "oche.db").read_bytes())
    content[at] ^= bit
    (folder / "oche.db").write_bytes(content)


def said(folder: Path) -> list[str]:
    """The damage that a start reports, and the check of all matches that follows in the background.

    AssertionError if damage ends the start. A schema that a newer version could have written may end it.
    """
    try:
        with contextlib.closing(Journal(folder)) as journal:
            return [damage.message for damage in (*journal.found, *journal.damage())]
    except JournalError as error:
        assert "newer oche" in str(error), f"the start ends: {error}"
        return [str(error)]


def damaged(folder: Path, chance: random.Random) -> str:
    """Flips one bit or cuts one file in the data directory; returns a description."""
    file = folder / chance.choice([name for name in FILES if (folder / name).stat().st_size > 0])
    size = file.stat().st_size
    at = chance.randrange(size)
    if chance.random() < 0.3:
        os.truncate(file, at)
        return f"{file.name} cut to {at} of {size} bytes"
    text, bit = bytearray(file.read_bytes()), chance.randrange(8)
    text[at] ^= 1 << bit
    file.write_bytes(text)
    return f"{file.name} bit {bit} of byte {at}"


def tried(whole: Path, before: object, folder: Path, chance: random.Random) -> tuple[Verdict, str]:
    """Damages a copy in `folder` of the data directory `whole`, whose content was `before`."""
    shutil.copytree(whole, folder)
    try:
        done = damaged(folder, chance)
        looked = folder / "looked"
        looked.mkdir()
        for name in FILES:
            shutil.copy(folder / name, looked / name)
        after, saved = content(looked), salvage(folder)
        assert isinstance(before, dict)
        played: dict[str, list[str]] = {}
        for match_id, _, line in before["action"]:
            played.setdefault(match_id.decode(), []).append(line.decode())
        for match in saved.matches:
            lines = played.get(match.id, match.lines)  # A damaged id is not in it.
            proved = 0 if match.row is not None else 1  # Without its header nothing proves the first action.
            invented = match.lines[proved:] != lines[proved : len(match.lines)]
            assert not invented, f"{done}: salvage invents actions of {match.id}"
            assert match.bad is not None or match.lines == lines, f"{done}: salvage calls {match.id} whole"
        assert saved.damaged or after == before, f"{done}: salvage does not report it"
        words = said(folder)
        if words:
            return "said", f"{done}: {words[0]}"
        return ("same" if after == before else "silent"), done
    finally:
        shutil.rmtree(folder)


def damages(count: int, seed: int) -> Counter[str]:
    """Returns the verdicts on this many damages, half of them after a kill; AssertionError if one is silent."""
    chance = random.Random(seed)
    verdicts: Counter[str] = Counter()
    for killed, share in ((True, count // 2), (False, count - count // 2)):
        with tempfile.TemporaryDirectory() as name:
            whole, copy, read = Path(name) / "whole", Path(name) / "copy", Path(name) / "read"
            whole.mkdir()
            evening(whole, seed, killed=killed)
            shutil.copytree(whole, read)  # In a copy: reading checkpoints the log, and the files must not change.
            before = content(read)
            assert said(read) == [], "a whole journal is called damaged"
            for _ in range(share):
                verdict, done = tried(whole, before, copy, chance)
                assert verdict != "silent", f"seed {seed}: {done}: not reported"
                verdicts[verdict] += 1
    return verdicts
