"""Match files worked out by hand from the rules: each plays to the expected end state or refusal.

`NAME.jsonl` is the match file. `NAME.expected.json` has some fields of the end state:
the others are not compared, `null` means absent, `about` is a comment.
`NAME.refused.json` has the line and the reason of the refused action; the expected
state is then the one before it.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from engine import match as matches
from engine.actions import Undo
from engine.games import GAMES
from engine.match import Match
from engine.matchfile import open_match, read_action, read_header
from engine.refusals import Refusal
from tests.games.setups import FACES

FOLDER: Final = Path(__file__).parent.parent / "matches"
FILES: Final = sorted(FOLDER.glob("*/*.jsonl"))


def play(lines: list[bytes]) -> tuple[Match | None, int, Refusal | None]:
    """The match after the lines; if one is refused, the match before it, the number of the line and the refusal."""
    header = read_header(lines[0])
    match = header if isinstance(header, Refusal) else open_match(header, GAMES, FACES)
    if isinstance(match, Refusal):
        return None, 1, match
    for number, line in enumerate(lines[1:], 2):
        action = read_action(line)
        outcome = action if isinstance(action, Refusal) else matches.apply(match, action)
        if isinstance(outcome, Refusal):
            return match, number, outcome
        match = outcome
    return match, 0, None


def differences(expected: Any, found: Any, where: str = "state") -> Iterator[str]:
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
    match, line, refusal = play(file.read_bytes().splitlines())
    expected, refused = (file.with_name(f"{file.stem}.{kind}.json") for kind in ("expected", "refused"))
    assert expected.exists() or refused.exists(), "the match file has no expectation"
    if refused.exists():
        promise = json.loads(refused.read_text("utf-8"))
        assert refusal is not None, "nothing was refused"
        assert (line, refusal.reason) == (promise["line"], promise["reason"]), refusal
    else:
        assert refusal is None, f"line {line}: {refusal}"
    if expected.exists():
        assert match is not None
        promise = json.loads(expected.read_text("utf-8"))
        promise.pop("about", None)
        assert promise
        assert list(differences(promise, match.view())) == []
        _assert_goes_back_to_the_start(match)


def _assert_goes_back_to_the_start(match: Match) -> None:
    while match.edits:
        outcome = matches.apply(match, Undo())
        assert not isinstance(outcome, Refusal)
        match = outcome
    assert match.state == match.turns[0].state


def test_expectations_have_their_match_file() -> None:
    for file in FOLDER.glob("*/*.json"):
        assert file.with_name(file.name.split(".")[0] + ".jsonl").exists(), file
