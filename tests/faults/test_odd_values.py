"""JSON that is as it should be, with a value in one place that nobody would write there.

Bytes that are changed by chance seldom stay JSON and become a list where a number was: here each place is tried.
"""

import asyncio
import contextlib
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.history.archive import Archive
from daemon.history.forgetting import without_player
from daemon.history.match_import import BadLine, read_match_file, same_match
from daemon.history.replays import CACHED_BYTES
from daemon.record.journal import Journal
from daemon.session.commands import Command, Start, read_command
from daemon.system.catalogue import faces, games
from engine import jsontext
from engine.match import Match
from engine.matchfile import header_from_json, open_match
from engine.refusals import Refusal

ODD: Final = (
    *("null", "true", "0", "-1", "1.0", "-0.0", "1e999", "-1e999", "9" * 4000, '""', '"Ann"', '"\\u0000"', '"\\ud83c"'),
    *("[]", "{}", "[[]]", '{"a": []}', '{"Ann": 1e999}', "[1e999]", "[null]", "[" * 300 + "]" * 300, '{"": {"": {}}}'),
)
HEADER: Final[dict[str, Any]] = {
    "match": 1,
    "rules": 1,
    "game": "x01",
    "players": ["Ann", "Bob"],
    "options": {"start": 101},
}
START: Final = {k: v for k, v in HEADER.items() if k != "match"} | {"bots": {"Bob": 25}}
ACTIONS: Final[tuple[dict[str, Any], ...]] = (
    {"throw": "T20"},
    {"throw": [1.5, 2]},
    {"throw": {"points": 20, "candidates": ["S20", "D10"]}},
    {"roll": [1, 2]},
    {"deck": ["2H"]},
    {"choose": {"wild": 20}},
    {"move": {"dart": 1, "from": "a", "to": "b", "pass": True}},
    {"combat": {"zone": "a", "against": "Ann"}},
    {"defend": {"by": "Ann"}},
    {"first": "Ann"},
    {"correct": {"dart": 1, "throw": "T20"}},
    {"next": True},
)
REMARKS: Final = {"by": "ann", "at_ms": 1_700_000_000_000}
HOLE: Final = "\ue000"


def odd(value: Any) -> Iterator[str]:
    """The value as JSON, with each odd one in each place of it."""
    for holed in _holed(value):
        text = json.dumps(holed, ensure_ascii=False)
        yield from (text.replace(f'"{HOLE}"', instead) for instead in ODD)


def _holed(value: Any) -> Iterator[Any]:
    yield HOLE
    if isinstance(value, dict):
        for key in value:
            yield from (value | {key: holed} for holed in _holed(value[key]))
    elif isinstance(value, list):
        for at in range(len(value)):
            yield from ([*value[:at], holed, *value[at + 1 :]] for holed in _holed(value[at]))


def test_what_is_read_can_be_written() -> None:
    for text in ODD:
        value = jsontext.parse(text.encode())
        assert isinstance(value, Refusal) or jsontext.parse(jsontext.dump(value).encode()) == value


def test_no_value_of_a_command_raises() -> None:
    commands: list[dict[str, Any]] = [{"start": START}, {"stop": True}, {"undo": True}, *ACTIONS]
    for text in (text for command in commands for text in odd({"id": "1", "revision": 3} | command)):
        _, command = read_command(text.encode())
        if isinstance(command, Command) and isinstance(command.ask, Start):
            opened = open_match(command.ask.header, games(), faces())
            if isinstance(opened, Match):
                jsontext.dump(opened.header.to_json())


def test_no_option_of_a_game_raises() -> None:
    for game in games().values():
        for option in game.options:
            for text in odd({option.name: []}):
                options = jsontext.parse(text.encode())
                header = header_from_json(HEADER | {"game": game.name, "options": options})
                opened = header if isinstance(header, Refusal) else open_match(header, games(), faces())
                assert isinstance(opened, Refusal) or jsontext.dump(opened.header.to_json())


def test_no_value_of_a_match_file_raises() -> None:
    for text in odd(HEADER):
        read_match_file(f'{text}\n{{"throw": "T20"}}'.encode(), games(), faces())
    for action in ACTIONS:
        for text in odd(action | REMARKS):
            read_match_file(f"{json.dumps(HEADER)}\n{text}".encode(), games(), faces())


@pytest.mark.parametrize("remark", ["by", "at_ms"])
def test_remarks_in_a_match_file_do_no_harm_later(tmp_path: Path, remark: str) -> None:
    with contextlib.closing(Journal(tmp_path)) as journal:
        archive = Archive(journal, games(), faces())
        taken = 0
        for value in ODD:
            file = f'{json.dumps(HEADER)}\n{{"throw": "T20", "{remark}": {value}}}'
            read = read_match_file(file.encode(), games(), faces())
            if not isinstance(read, BadLine) and same_match(read, journal) is None:
                asyncio.run(journal.write(read))
                assert archive.match(read.match.id) is not None
                taken += 1
        assert taken > 0
        forgotten = without_player("Ann", journal, games(), faces())
        assert isinstance(forgotten, list)
        asyncio.run(journal.write(*forgotten))
        assert all("Ann" not in about["players"] for about in archive.matches())
        assert without_player("Ann", journal, games(), faces()) == []


def test_a_long_match_takes_no_more_memory_than_is_stated(tmp_path: Path) -> None:
    """Each state is shown, but not all of them are kept."""
    many = HEADER | {"players": [f"{n}" * 64 for n in range(1, 9)]}
    lines = [json.dumps(many), *['{"throw":"MISS"}', '{"undo":true}'] * 2_999]
    with contextlib.closing(Journal(tmp_path)) as journal:
        archive = Archive(journal, games(), faces())
        read = read_match_file("\n".join(lines).encode(), games(), faces())
        assert not isinstance(read, BadLine)
        asyncio.run(journal.write(read))
        tracemalloc.start()
        try:
            states = [archive.state(read.match.id, at) for at in (0, 5_997, 5_998, 5_999)]
            assert archive.players()
            assert tracemalloc.get_traced_memory()[1] < 2 * CACHED_BYTES
        finally:
            tracemalloc.stop()
        assert [state and json.loads(state)["revision"] for state in states] == [1, 5_998, 5_999, None]
        assert archive.match(read.match.id) is not None
