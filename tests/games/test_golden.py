"""Match files worked out by hand from the rules, each with its expectation in its last lines.

`{"about": …}` says what the file shows, and ends the part that `oche replay` plays. `{"state": …}` is a part of the end
state: each value it names must be equal, and `null` means absent. `{"refused": {"line": …, "reason": …}}` names the
action that is refused; the state is then the one before it. `{"after": {"5": …}}` is a part of the state after
line 5; in it `players` may be an object from names to parts.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from engine.actions import Undo
from engine.games import GAMES
from engine.match import Match
from engine.matchfile import open_match, read_action, read_header
from engine.play import apply
from engine.refusals import Refusal
from tests.games.setups import FACES

FILES: Final = sorted((Path(__file__).parent.parent / "matches").glob("*/*.jsonl"))


def split(lines: list[bytes]) -> tuple[list[bytes], dict[str, Any]]:
    """The header and actions of a match file, and its expectation."""
    end = next(number for number, line in enumerate(lines) if line.startswith(b'{"about":'))
    expectation: dict[str, Any] = {}
    for line in lines[end:]:
        expectation |= json.loads(line)
    return lines[:end], expectation


def play(lines: list[bytes]) -> tuple[list[Match], dict[str, Any] | None]:
    """The state after each line, none if the header is refused, and the line and reason of a refusal."""
    header = read_header(lines[0])
    match = header if isinstance(header, Refusal) else open_match(header, GAMES, FACES)
    if isinstance(match, Refusal):
        return [], {"line": 1, "reason": match.reason}
    states = [match]
    for number, line in enumerate(lines[1:], 2):
        action = read_action(line)
        after = action if isinstance(action, Refusal) else apply(match, action)
        if isinstance(after, Refusal):
            return states, {"line": number, "reason": after.reason}
        match = after
        states.append(match)
    return states, None


def differences(expected: Any, found: Any, where: str = "state") -> Iterator[str]:
    """What the found state contradicts in the expected part of it, one sentence each."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            if value is None:
                if key in found:
                    yield f"{where}.{key} is {found[key]}, expected absent"
            elif key not in found:
                yield f"{where}.{key} is absent, expected {value}"
            else:
                yield from differences(value, found[key], f"{where}.{key}")
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for number, (value, other) in enumerate(zip(expected, found, strict=True)):
            yield from differences(value, other, f"{where}[{number}]")
    elif expected != found or isinstance(expected, bool) != isinstance(found, bool):
        yield f"{where} is {found}, expected {expected}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_match_file(file: Path) -> None:
    lines, expected = split(file.read_bytes().splitlines())
    assert expected.keys() <= {"about", "after", "state", "refused"}
    assert len(expected) > 1 and all(expected.values()), "a match file without an expectation proves nothing"
    states, refused = play(lines)
    assert refused == expected.get("refused")
    for line, part in expected.get("after", {}).items():
        found = states[int(line) - 1].view()
        if isinstance(part.get("players"), dict):
            found["players"] = {player["name"]: player for player in found["players"]}
        assert list(differences(part, found, f"after line {line}: state")) == []
    if "state" in expected:
        assert list(differences(expected["state"], states[-1].view())) == []
        _assert_undoes_to_the_start(states[-1])


def _assert_undoes_to_the_start(match: Match) -> None:
    while match.edits:
        before = apply(match, Undo())
        assert not isinstance(before, Refusal)
        match = before
    assert match.state == match.turns[0].state
