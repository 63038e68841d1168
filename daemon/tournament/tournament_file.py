"""The file of a tournament: a line for each event, flushed to the disk before anybody sees what it changes.

A line is the CRC-32 of the rest in eight hexadecimal digits, a space, and JSON. Not a table of the journal: a
tournament is small, is read whole, and can be carried to another node as the file that it is.
"""

import contextlib
import os
import secrets
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from daemon.system.secure_files import give_to_owner, sync
from engine import jsontext
from engine.refusals import Refusal
from league.events import event_from_json
from league.record import Record

FOLDER: Final = "tournaments"
"""The folder in the data directory: a file for each tournament, named by the time when it was made, UTC."""
ENDING: Final = ".jsonl"
TIME: Final = "%Y%m%d-%H%M%S"
MOST_LINES: Final = 10_000
"""Events of a tournament; more are refused. One of 128 players has about 600."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a file says: the record, how many lines it has, the ids of commands, and the lines that are damaged."""

    record: Record
    lines: int
    ids: tuple[str, ...]
    damaged: tuple[int, ...]
    whole_bytes: int
    """Where the last whole line ends: what follows was being written when the machine stopped."""


def newest(data: Path) -> Path | None:
    """The file of the tournament that was made last; `None` if there is none. OSError if the folder cannot be read."""
    try:
        files = [path for path in (data / FOLDER).iterdir() if path.suffix == ENDING]
    except FileNotFoundError:
        return None
    return max(files, key=lambda path: path.stem, default=None)


def new_name(data: Path, at: float) -> str:
    """The name of a file that is made at a time in seconds since 1970. OSError if the folder cannot be read.

    It is behind all others in the order of their names, also after the clock was set back.
    """
    last, now = newest(data), datetime.fromtimestamp(at, UTC)
    if last is not None:
        with contextlib.suppress(ValueError):
            now = max(now, datetime.strptime(last.stem[:15], TIME).replace(tzinfo=UTC) + timedelta(seconds=1))
    return f"{now:{TIME}}-{secrets.token_hex(3)}"


def create(data: Path, name: str) -> Path:
    """Makes the file of a new tournament, empty. OSError if that fails, or if it is there already."""
    folder = data / FOLDER
    folder.mkdir(exist_ok=True, mode=0o700)
    give_to_owner(folder, data)
    path = folder / f"{name}{ENDING}"
    path.touch(mode=0o600, exist_ok=False)
    give_to_owner(path, data)
    sync(folder)
    sync(data)
    return path


def append(path: Path, line: dict[str, Any], at: int) -> int:
    """Writes a line at the byte `at`, flushes it, and returns where it ends. OSError if the disk does not take it.

    What lies behind `at` is cut off: half a line from a write that failed, or from before a power cut.
    """
    whole = line_of(line)
    number = os.open(path, os.O_WRONLY)
    try:
        os.ftruncate(number, at)
        os.lseek(number, at, os.SEEK_SET)
        left = memoryview(whole)
        while left:
            left = left[os.write(number, left) :]
        os.fsync(number)
    finally:
        os.close(number)
    return at + len(whole)


def load(path: Path) -> Loaded:
    """Reads a file; of one that was closed only its end. OSError if that fails."""
    content = path.read_bytes()
    *before, last, _ = [b"", *content.split(b"\n")]
    match value_of(last):
        case {"event": {"close": True}, **more}:
            # Its matches would be worked out again at every start.
            done = more.get("id")
            ids = (done,) if isinstance(done, str) else ()
            return Loaded(Record(), len(before), ids, (), content.rfind(b"\n") + 1)
    return read(content)


def read(content: bytes) -> Loaded:
    """What the content of a file says. A damaged line is left out and named; an unfinished one at the end was never
    answered."""
    whole = content[: content.rfind(b"\n") + 1]
    record, ids, damaged = Record(), [], []
    lines = 0
    for value in map(value_of, whole.split(b"\n")[:-1]):
        lines += 1
        if isinstance(value, dict):
            event, at = event_from_json(value.get("event")), _number(value.get("at"))
            after = event if isinstance(event, Refusal) else record.act(event, at)
            if isinstance(value.get("id"), str):
                ids.append(value["id"])
            if not isinstance(after, Refusal):
                record = after
                continue
        damaged.append(lines)
    return Loaded(record, lines, tuple(ids), tuple(damaged), len(whole))


def line_of(value: dict[str, Any]) -> bytes:
    """The line of a JSON value, with its end."""
    text = jsontext.dump(value).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def value_of(line: bytes) -> Any:
    """The JSON value of a line without its end; a `Refusal` for one that is not as it was written."""
    check, _, text = line.partition(b" ")
    if check != b"%08x" % zlib.crc32(text):
        return Refusal("damaged", "This line is damaged.")
    return jsontext.parse(text)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
