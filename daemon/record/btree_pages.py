"""Reads the rows in the pages of an SQLite file and its log without SQLite, for files that it refuses.

Each page is read by itself, so a damaged header or inner page costs no row elsewhere. Outdated rows are found as well,
because the log has older copies of pages; checksums tell which rows count.

Format: https://www.sqlite.org/fileformat2.html, sections 1.5 to 1.6 (pages), 2.1 (records) and 4.1 (the log).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

LEAF_OF_TABLE: Final = 0x0D
KEYED: Final = {0x0A: 0, 0x02: 4}
"""Leaf and inner pages of an index or a table WITHOUT ROWID, with the number of bytes before each row in them."""
USUAL_PAGE_SIZE: Final = 4096
MOST_COLUMNS: Final = 64
LONGEST_ROW: Final = 16 * 1024 * 1024
LOG_HEADER: Final = 32
FRAME_HEADER: Final = 24
_INTEGER_BYTES: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows of tables (`table`) and of indexes and tables WITHOUT ROWID (`keyed`), in the order of the files.

    `unreadable` is the number of pages that should have rows and cannot be read.
    """

    table: list[Row] = field(default_factory=list)
    keyed: list[Row] = field(default_factory=list)
    unreadable: int = 0


def rows_of(database: bytes, log: bytes) -> Rows:
    """The rows in a database file and its log."""
    size = page_size(database, log)
    pages = {n + 1: database[n * size : (n + 1) * size] for n in range(len(database) // size)}
    images = list(pages.items())
    for number, page in _frames(log, size):
        images.append((number, page))
        pages[number] = page
    table, keyed, unreadable = [], [], 0
    for number, page in images:
        start = 100 if number == 1 else 0
        try:
            kind = page[start]
            if kind == LEAF_OF_TABLE:
                table += list(_cells(page, start, pages, size))
            elif kind in KEYED:
                keyed += list(_cells(page, start, pages, size))
        except (IndexError, ValueError):
            unreadable += 1
    return Rows(table, keyed, unreadable)


def page_size(database: bytes, log: bytes) -> int:
    """The page size in bytes from the log or the database, or the usual one if both are damaged."""
    if log[:3] == b"\x37\x7f\x06" and _is_size(size := int.from_bytes(log[8:12], "big")):
        return size
    size = int.from_bytes(database[16:18], "big")
    return size if database[:15] == b"SQLite format 3" and _is_size(size) else USUAL_PAGE_SIZE


def _is_size(size: int) -> bool:
    return 512 <= size <= 65536 and size & (size - 1) == 0


def _frames(log: bytes, size: int) -> Iterator[tuple[int, bytes]]:
    """Page numbers and pages in the log, including frames after a damaged one, which SQLite ignores."""
    for at in range(LOG_HEADER, len(log) - size - FRAME_HEADER + 1, FRAME_HEADER + size):
        yield int.from_bytes(log[at : at + 4], "big"), log[at + FRAME_HEADER : at + FRAME_HEADER + size]


def _cells(page: bytes, start: int, pages: dict[int, bytes], size: int) -> Iterator[Row]:
    """The rows of one page without unreadable ones. IndexError if the page header is damaged."""
    kind = page[start]
    inner = 12 if kind == 0x02 else 8
    count = int.from_bytes(page[start + 3 : start + 5], "big")
    for n in range(min(count, size // 4)):
        pointer = start + inner + 2 * n
        at = int.from_bytes(page[pointer : pointer + 2], "big") + KEYED.get(kind, 0)
        try:
            length, at = _varint(page, at)
            if kind == LEAF_OF_TABLE:
                _, at = _varint(page, at)
            yield _record(_payload(page, at, length, pages, size, of_table=kind == LEAF_OF_TABLE))
        except (IndexError, ValueError):
            continue


def _payload(page: bytes, at: int, length: int, pages: dict[int, bytes], size: int, *, of_table: bool) -> bytes:
    if length > LONGEST_ROW:
        raise ValueError("the row is longer than any that we write")
    most = size - 35 if of_table else (size - 12) * 64 // 255 - 23
    if length <= most:
        return page[at : at + length]
    least = (size - 12) * 32 // 255 - 23
    here = least + (length - least) % (size - 4)
    here = here if here <= most else least
    payload = bytearray(page[at : at + here])
    number = int.from_bytes(page[at + here : at + here + 4], "big")
    while len(payload) < length:
        rest = pages.get(number)
        if rest is None:
            raise ValueError("the overflow page of the row is gone")
        payload += rest[4:]
        number = int.from_bytes(rest[:4], "big")
    return bytes(payload[:length])


def _record(payload: bytes) -> Row:
    end, at = _varint(payload, 0)
    kinds = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
        if len(kinds) > MOST_COLUMNS:
            raise ValueError("the row has more columns than any table")
    values: list[Any] = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at != len(payload):
        raise ValueError("the length of the row does not fit its columns")
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind == 0:
        return None, at
    if kind in (8, 9):
        return kind - 8, at
    if kind in _INTEGER_BYTES:
        end = at + _INTEGER_BYTES[kind]
        return int.from_bytes(payload[at:end], "big", signed=True), end
    if kind < 12:
        raise ValueError("the type of a value is reserved")
    end = at + (kind - 12) // 2
    data = payload[at:end]
    return (data if kind % 2 == 0 else data.decode(errors="replace")), end


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for n in range(9):
        byte = data[at + n]
        if n == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + n + 1
    raise AssertionError("the ninth byte always ends it")
