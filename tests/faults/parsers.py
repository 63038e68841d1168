"""Every parser that meets bytes from outside, as one function each: bytes in, nothing out, and no exception ever."""

import json
from collections.abc import Callable
from typing import Final

from boards.board_files import board_from_toml
from boards.face_files import face_from_toml
from daemon.commands import Start, Stop, read_command
from daemon.config import parse
from daemon.shelf import FOLDER, faces, games, models
from daemon.urls import UsageError, board_spec, broker_url, http_address
from drivers import DRIVERS
from drivers.reading import Reading
from engine.match import Match, apply
from engine.matchfile import open_match, read_action, read_header
from engine.refusals import Refusal

Parser = Callable[[bytes], None]

PENDING: Final = 4096
"""The most bytes of an unfinished line that a decoder may hold."""


def dialect(name: str) -> Parser:
    """A board of that dialect: bytes, in pieces, with time passing, the port lost and opened in between."""
    board = next((model for model in models().values() if model.dialect == name), None)

    def parse(data: bytes) -> None:
        driver = DRIVERS[name]
        if board is None:
            decoder = driver.decoder()
            decoder.feed(data, 0)
            assert decoder.pending <= PENDING
            return
        reading, now = Reading(board, driver), 0
        reading.opened(now)
        for piece in data.split(b"\xfe"):
            now += 1_000_000 * (len(piece) % 300)
            reading.feed(piece, now)
            assert reading.pending <= PENDING
            if len(piece) % 7 == 3:
                reading.lost(now)
                reading.opened(now)
            if (due := reading.due_ns) is not None and len(piece) % 5 == 1:
                now = max(now, due)
                reading.tick(now)
            json.dumps([reading.stuck, reading.fault, dict(reading.counters)])

    return parse


def match_file(data: bytes) -> None:
    """A match file, played as far as it goes, and looked at."""
    first, *lines = data.split(b"\n")[:200]
    header = read_header(first)
    match = header if isinstance(header, Refusal) else open_match(header, games(), faces())
    if isinstance(match, Refusal):
        return
    for line in lines:
        action = read_action(line)
        outcome = action if isinstance(action, Refusal) else apply(match, action)
        if not isinstance(outcome, Refusal):
            match = outcome.match
    json.dumps(match.view(), allow_nan=False).encode()


def command(data: bytes) -> None:
    """A command, carried out as far as rules go."""
    command_id, read = read_command(data)
    json.dumps(command_id, ensure_ascii=False).encode()
    if isinstance(read, Refusal):
        str(read).encode()
        return
    match read.ask:
        case Start(header):
            opened = open_match(header, games(), faces())
            if isinstance(opened, Match):
                json.dumps(opened.view(), allow_nan=False, ensure_ascii=False).encode()
        case Stop():
            pass
        case action:
            for match in _MATCHES:
                outcome = apply(match, action)
                if not isinstance(outcome, Refusal):
                    json.dumps(outcome.match.view(), allow_nan=False, ensure_ascii=False).encode()


def board_file(data: bytes) -> None:
    board_from_toml(data.decode(errors="replace"), "x.toml", {name: d.shape for name, d in DRIVERS.items()})


def face_file(data: bytes) -> None:
    face_from_toml(data.decode(errors="replace"), "x.toml")


def configuration(data: bytes) -> None:
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
        return [b"20;3\r\n", b'{"segment":"T20"}\n', b"T20\n", b"1,2\n", bytes(range(32)), b"\xfe1\xfe\r\n"]
    match name:
        case "match-file":
            return [
                header + b'\n{"throw": "T20"}\n{"undo": true}\n{"correct": {"dart": 1, "throw": "S5"}}'
                for header in _HEADERS
            ]
        case "command":
            return [
                b'{"id": 1, "revision": 2, "throw": {"at": [0.1, -0.4]}}',
                b'{"id": "x", "start": {"game": "x01", "players": ["A"], "options": {}, "bots": {"A": 20}}}',
                b'{"throw": {"points": 18, "candidates": ["T6", "D9"]}}',
            ]
        case "board-file":
            return [path.read_bytes() for path in sorted((FOLDER / "models").glob("*.toml"))[:3]]
        case "face-file":
            return [path.read_bytes()[:4000] for path in sorted((FOLDER / "faces").glob("*.toml"))[:2]]
    return [
        b'node = "x"\nhttp = "localhost:1"\n[boards]\na = "b@sim:"',
        b"a=maddarts@tcp://h:1?baud=9",
        b"mqtts://u:p@[::1]:1/x",
    ]
