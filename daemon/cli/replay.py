"""`oche replay`: plays match files and prints how they end."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

from daemon.system.catalogue import faces, games
from daemon.system.named_file import open_named
from engine import jsontext
from engine.jsontext import MAX_BYTES
from engine.match import Match
from engine.matchfile import CANNOT_BE_ONE, open_match, read_action, read_header
from engine.play import apply
from engine.refusals import Refusal


def replay(arguments: argparse.Namespace) -> int:
    """Plays each file; returns the highest of their exit codes."""
    return max(_replay_file(name, arguments) for name in arguments.files)


class _UnreadableError(Exception):
    """A file cannot be opened or read. The text says why, without a full stop."""


def _replay_file(name: str, arguments: argparse.Namespace) -> int:
    try:
        return _replay_lines(name, _lines(name), arguments)
    except _UnreadableError as error:
        print(f"{name}: cannot be read: {error}.", file=sys.stderr)
        return 2


def _replay_lines(name: str, lines: Iterator[tuple[int, bytes]], arguments: argparse.Namespace) -> int:
    number, line = next(lines, (1, b""))
    header = read_header(line)
    match = header if isinstance(header, Refusal) else open_match(header, games(), faces())
    if isinstance(match, Refusal):
        _print_refusal(name, number, match)
        return 2 if match.reason in CANNOT_BE_ONE else 1
    for number, line in lines:
        action = read_action(line)
        outcome = action if isinstance(action, Refusal) else apply(match, action)
        if isinstance(outcome, Refusal):
            _print_refusal(name, number, outcome)
            _print(name, match, arguments, last=True)
            return 1
        match = outcome
        _print(name, match, arguments, last=False)
    _print(name, match, arguments, last=True)
    return 0


def _lines(name: str) -> Iterator[tuple[int, bytes]]:
    """Yields the lines that are not blank, with their numbers; those of stdin for `-`. _UnreadableError if it fails.

    A line that is too long is cut off and ends the file: it is refused anyway, and its end could be endlessly far away.
    """
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else open_named(Path(name)) as stream:
            yield from _numbered(stream)
    except OSError as error:
        # Of reading alone: what the caller does with a line does not raise here.
        raise _UnreadableError(error.strerror) from error


def _numbered(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := stream.readline(MAX_BYTES + 1):
        number += 1
        too_long = len(line) > MAX_BYTES
        if stripped := line if too_long else line.strip():
            yield number, stripped
        if too_long:
            return


def _print_refusal(name: str, number: int, refusal: Refusal) -> None:
    print(f"{name}:{number}: {refusal}", file=sys.stderr)


def _print(name: str, match: Match, arguments: argparse.Namespace, *, last: bool) -> None:
    if last == arguments.every:
        return
    view = _open_hands(match) if arguments.private else match.view()
    print(jsontext.dump(view) if arguments.json or arguments.every else _summary(name, view), flush=True)


def _open_hands(match: Match) -> dict[str, Any]:
    """The public state with each player's entry as that player sees it."""
    own = {player: match.view(player) for player in match.header.players}
    public = match.view()
    entries = [
        next((mine for mine in own[entry["name"]]["players"] if mine["name"] == entry["name"]), entry)
        if entry["name"] in own
        else entry
        for entry in public["players"]
    ]
    return public | {"players": entries}


def _summary(name: str, view: dict[str, Any]) -> str:
    turn = view["turn"]
    now = "won by " + ", ".join(view["winners"]) if view["finished"] else f"{turn['actor']} to {turn['awaits']}"
    scores = ", ".join(f"{player['name']} {player['score']}" for player in view["players"])
    darts = f" (darts: {' '.join(turn['darts'])})" if turn["darts"] else ""
    return f"{name}: {view['game']}, {now}{darts}; {scores}"
