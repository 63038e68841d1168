"""Every parser that meets bytes from outside, as one function each: bytes in, nothing out, and no exception ever."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from zlib import crc32

from boards.board import Board
from boards.board_files import board_from_toml
from boards.face_files import face_from_toml
from daemon.session.commands import Fair, Hint, Screens, Start, Stop, read_command
from daemon.session.house_asks import Accept, Adjourn, Invite, Resume
from daemon.system.catalogue import FOLDER, faces, games, models
from daemon.system.config_parser import parse
from daemon.system.urls import UsageError, board_spec, broker_url, http_address
from drivers import DRIVERS, shapes
from drivers.frames import frame
from drivers.pipeline import Pipeline
from drivers.session_mark import Say
from engine.match import Match
from engine.matchfile import open_match, read_action, read_header
from engine.play import apply, replayed
from engine.refusals import Refusal
from engine.visit_total import VisitTotal, visit_actions
from tests.drivers.boards import RIGS
from tests.drivers.contacts import Contacts, session

MATCHES: Final = Path(__file__).parent.parent / "matches"
SHIPPED: Final = Path(__file__).parent.parent.parent / "systemd" / "oche.toml"

Parser = Callable[[bytes], int]
"""What it gives is how many bytes were really read: those behind a refused header, for one, were not."""

PENDING: Final = 4096
"""The most bytes of an unfinished line that a decoder may hold."""
SIZES: Final = (1, 512, 7, 64, 2, 256, 33, 1024)
"""Bytes arrive in pieces of these sizes, in turn."""
PAUSES_MS: Final = (0, 0, 1, 20, 60, 206, 301, 500, 750, 3100, 11_000)
"""And these times pass before them, by their first byte: what firmware waits, and what debounce does."""


def dialect(name: str) -> Parser:
    """A board of that dialect: bytes, in pieces, with time passing, the port lost and opened in between.

    One input in sixteen goes on through debounce and table. The others meet the decoder alone, which is what reads
    bytes: a contact of every byte, as noise makes them, costs debounce thirty times as much.
    """
    board = next(model for model in models().values() if model.dialect == name)

    def parse(data: bytes) -> int:
        kind = crc32(data)
        if name == "oche-matrix" and kind & 16:
            # What is in a frame matters only where its checksum is right.
            data = b"".join(frame(payload) for payload in data.split(b"\n"))
        (_through_the_table if kind & 15 == 0 else _decoded)(board, data)
        return len(data)

    return parse


def _pieces(data: bytes) -> Iterator[tuple[bytes, int]]:
    """The bytes in pieces, and when each arrives, in ns."""
    at = now = turn = 0
    while at < len(data):
        size = SIZES[turn % len(SIZES)]
        now += 1_000_000 * PAUSES_MS[data[at] % len(PAUSES_MS)]
        yield data[at : at + size], now
        at, turn = at + size, turn + 1


def _decoded(board: Board, data: bytes) -> None:
    decoder = DRIVERS[board.dialect].decoder()
    for piece, now in _pieces(data):
        decoder.feed(piece, now)
        assert decoder.pending <= PENDING
        if piece[0] % 97 == 3:
            decoder.reset()


def _through_the_table(board: Board, data: bytes) -> None:
    pipeline = Pipeline(board, DRIVERS[board.dialect])
    pipeline.opened(0)
    for piece, arrived in _pieces(data):
        now = arrived
        pipeline.feed(piece, now)
        assert pipeline.pending <= PENDING
        assert len(pipeline.answers()) <= PENDING
        if piece[0] % 97 == 3:
            pipeline.lost(now)
            pipeline.opened(now)
        if piece[0] % 5 == 1 and (due := pipeline.due_ns) is not None:
            pipeline.tick(max(now, due))
    json.dumps([pipeline.stuck, pipeline.fault, dict(pipeline.counters)])


def match_file(data: bytes) -> int:
    """A match file, played as far as it goes, and looked at."""
    first, *lines = data.split(b"\n")[:200]
    read = len(first)
    header = read_header(first)
    match = header if isinstance(header, Refusal) else open_match(header, games(), faces())
    if isinstance(match, Refusal):
        return read
    for line in lines:
        read += len(line) + 1
        action = read_action(line)
        outcome = action if isinstance(action, Refusal) else apply(match, action)
        if not isinstance(outcome, Refusal):
            match = outcome
    json.dumps(match.view(), allow_nan=False).encode()
    return read


def command(data: bytes) -> int:
    """A command, carried out as far as rules go."""
    command_id, read = read_command(data)
    json.dumps(command_id, ensure_ascii=False).encode()
    if isinstance(read, Refusal):
        str(read).encode()
        return len(data)
    match read.ask:
        case Start(header):
            opened = open_match(header, games(), faces())
            if isinstance(opened, Match):
                json.dumps(opened.view(), allow_nan=False, ensure_ascii=False).encode()
        case Fair() | Stop() | Hint() | Screens() | Invite() | Accept() | Adjourn() | Resume():
            pass
        case VisitTotal() as total:
            for match in _MATCHES:
                actions = visit_actions(match, total)
                assert isinstance(actions, Refusal) or isinstance(replayed(match, actions), Match)
        case action:
            for match in _MATCHES:
                outcome = apply(match, action)
                if not isinstance(outcome, Refusal):
                    json.dumps(outcome.view(), allow_nan=False, ensure_ascii=False).encode()
    return len(data)


def board_file(data: bytes) -> int:
    board_from_toml(data.decode(errors="replace"), "x.toml", shapes())
    return len(data)


def face_file(data: bytes) -> int:
    face_from_toml(data.decode(errors="replace"), "x.toml")
    return len(data)


def configuration(data: bytes) -> int:
    """What a configuration file may hold, through the daemon's own reader."""
    text = data.decode(errors="replace")
    reads: tuple[Callable[[str], object], ...] = (
        lambda text: parse(text, "x.toml"),
        board_spec,
        broker_url,
        http_address,
    )
    for read in reads:
        try:
            read(text)
        except UsageError as error:
            assert str(error)
    return len(data)


_HEADERS: Final = (
    b'{"match": 1, "game": "x01", "players": ["A", "B"]}',
    b'{"match": 1, "game": "cricket", "players": ["A", "B"]}',
    b'{"match": 1, "game": "yatzy_dart", "players": ["A", "B"]}',
)


def _open(header: bytes) -> Match:
    read = read_header(header)
    assert not isinstance(read, Refusal)
    match = open_match(read, games(), faces())
    assert isinstance(match, Match)
    return match


_MATCHES: Final = tuple(_open(header) for header in _HEADERS)

PARSERS: Final[dict[str, Parser]] = {f"dialect:{name}": dialect(name) for name in DRIVERS} | {
    "match-file": match_file,
    "command": command,
    "board-file": board_file,
    "face-file": face_file,
    "configuration": configuration,
}


def seeds(name: str) -> list[bytes]:
    """A few good inputs, from which mutations start."""
    if name.startswith("dialect:"):
        return _said(name.removeprefix("dialect:"))
    match name:
        case "match-file":
            short = [
                header + b'\n{"throw": "T20"}\n{"undo": true}\n{"correct": {"dart": 1, "throw": "S5"}}'
                for header in _HEADERS
            ]
            return short + [path.read_bytes() for path in sorted(MATCHES.rglob("*.jsonl"))[:40]]
        case "command":
            return [
                b'{"id": 1, "revision": 2, "throw": {"at": [0.1, -0.4]}}',
                b'{"id": "x", "start": {"game": "x01", "players": ["A"], "options": {}, "bots": {"A": 20}}}',
                b'{"throw": {"points": 18, "candidates": ["T6", "D9"]}}',
                b'{"id": "u", "revision": 7, "undo": true}',
                b'{"id": "n", "next": true}',
                b'{"id": "c", "correct": {"dart": 2, "throw": "D16"}}',
                b'{"id": "d", "visit": {"points": 85, "bed": "DB", "darts": 3}}',
                b'{"id": "s", "stop": true}',
            ]
        case "board-file":
            return [path.read_bytes() for path in sorted((FOLDER / "models").glob("*.toml"))]
        case "face-file":
            return [path.read_bytes()[:4000] for path in sorted((FOLDER / "faces").glob("*.toml"))[:2]]
    return [
        b'node = "x"\nhttp = "localhost:1"\n[boards]\na = "b@sim:"',
        b"a=maddarts@tcp://h:1?baud=9",
        b"mqtts://u:p@[::1]:1/x",
        SHIPPED.read_bytes(),
    ]


def _said(dialect: str) -> list[bytes]:
    """What boards of a dialect put on the wire: an evening of each firmware, and frames of ours."""
    chance = random.Random(dialect)
    rigs = [rig for rig in RIGS.values() if rig.board.dialect == dialect]
    evenings = [(rig, session(chance, sorted(rig.beds), 60)) for rig in rigs]
    said = [b"".join(sent.data for sent in rig.firmware(Contacts(thrown), chance)) for rig, thrown in evenings]
    match dialect:
        case "oche-matrix":
            hello = bytes([Say.HELLO, 1, 0, 8, 12, 4, 0, 0, 5, 1, 0, 2, 9, 9, 9, 9, *b"12345678"])
            edges = [bytes([(Say.CLOSED, Say.OPENED)[n % 2], n, n // 2 * 7 % 128, n, n, 0]) for n in range(100)]
            beat = bytes([Say.HEARTBEAT, 1, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0])
            payloads = [hello, *edges, beat]
            # Framed already, and as the parser above frames them.
            return [b"".join(frame(payload) for payload in payloads), b"\n".join(payloads)]
        case "usb-bits":
            return [b"\x00\x02\x01\x80" + b"".join(bytes([2, 1 << n % 8, 0, 2, 0, 0]) for n in range(50))]
        case "usb-codes":
            return [b"\x00\x03\x04\x05\x00" + b"".join(bytes([3, 4 + n, 0, 9, 1, 0]) for n in range(50))]
        case "json-segment":
            return [*said, b'{"at":[0.0,0.6]}\n{"segment":"PLAYERBUTTON"}{"segment":"MISSDART"}\n' * 9]
        case "hundreds" | "hundreds-2":
            return [*said, b"KNOPF\r\nFEHLWURF\r\nPFEILE\r\nb\r\nm\r\nu\r\n0\r\n"]
        case "hundreds-3":
            return [*said, b"996\n997\n998\n999\n0\n"]
        case "num-zone":
            return [*said, b'next-player {"board_id":7}\nback\n{"num":0,"zone":2}\n' * 9]
        case "row-col":
            return [*said, b"OpenDarts\r\nundo\r\nnext\r\nmissb\r\nmiss\r\n"]
    assert said, dialect
    return said
