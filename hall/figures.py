"""What the rules make of a finished match: whether every line is legal, who won, and the figures beside its file."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine import jsontext
from engine.actions import Foul, Throw
from engine.faces import Faces
from engine.match import Header, Match
from engine.matchfile import Games, open_match, read_action, read_header
from engine.play import apply
from engine.refusals import Refusal
from league.hall_refusals import HallRefusal

log = logging.getLogger(__name__)

FIGURES_VERSION: Final = 1
"""Raised when figures change: `oche hall rebuild --from files` then counts the matches again."""

RULES_SECONDS: Final = 60.0
"""How long the rules may work on one file: a file of many undos can be short and need hours."""

_OF_PLAYER: Final = ("place", "score", "legs", "sets", "average", "darts", "team", "awards")
"""What is kept of each player in the public state at the end, as far as the game has it."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A match file whose lines the rules accept. `figures` is None for a game that is not installed."""

    lines: int
    figures: dict[str, Any] | None


def check_file(text: str, games: Games, faces: Faces, seconds: float = RULES_SECONDS) -> Checked | HallRefusal:
    """The figures of a nameless match file, or why it is refused. Refusal `half`, `bad_value`, `rules` or `too_large`.

    `seconds`: the processor time that the rules may take. A match at which a game of a package raises has no figures.
    """
    read = read_file(text)
    if isinstance(read, HallRefusal):
        return read
    header, lines = read
    try:
        return _played(header, lines, games, faces, seconds)
    except Exception:
        log.exception("a match of %s cannot be replayed", header.game)
        return Checked(len(lines), None)


def read_file(text: str) -> tuple[Header, list[bytes]] | HallRefusal:
    """The header and the lines of a nameless match file, before any rule. Refusal `half`, `bad_value` or `rules`."""
    if not text.endswith("\n"):
        return HallRefusal("half", "The match file has no line break at its end: a part of it is missing.")
    first, *lines = text.encode().split(b"\n")[:-1]
    header = read_header(first)
    if isinstance(header, Refusal):
        return HallRefusal("rules", f"The first line is refused. {header.message}")
    if list(header.players) != [f"Player {seat}" for seat in range(1, len(header.players) + 1)]:
        return HallRefusal("bad_value", "The match file has names of players; send it without.")
    return header, lines


def _played(
    header: Header, lines: Sequence[bytes], games: Games, faces: Faces, seconds: float
) -> Checked | HallRefusal:
    until = time.thread_time() + seconds
    match = open_match(header, games, faces)
    if isinstance(match, Refusal):
        if match.reason in ("unknown_game", "no_face"):
            return Checked(len(lines), None)
        return HallRefusal("rules", f"The first line is refused. {match.message}")
    for number, line in enumerate(lines, 2):
        if time.thread_time() > until:
            return HallRefusal("too_large", f"The rules need more than {seconds:g} s for this match.")
        action = read_action(line)
        after = action if isinstance(action, Refusal) else apply(match, action)
        if isinstance(after, Refusal):
            return HallRefusal("rules", f"The rules refuse line {number}. {after.message}")
        match = after
    figures = figures_of(match, len(lines))
    jsontext.dump(figures)  # A game of a package can show what is not JSON.
    return Checked(len(lines), figures)


def figures_of(match: Match, actions: int) -> dict[str, Any]:
    """The figures of a match as JSON. `seats` are in the order of the players, with their numbers from 1."""
    view, names = match.view(), match.header.players
    players = {player["name"]: player for player in view["players"]}
    winners = match.game.winners(match.state) or ()
    seats = [
        {"seat": seat, "won": name in winners}
        | {key: players[name][key] for key in _OF_PLAYER if name in players and key in players[name]}
        for seat, name in enumerate(names, 1)
    ]
    return {
        "game": match.header.game,
        "options": match.header.options,
        "rules": match.header.rules,
        "finished": match.finished,
        "winners": [seat for seat, name in enumerate(names, 1) if name in winners],
        "actions": actions,
        "darts": sum(isinstance(action, Throw | Foul) for action in match.played),
        "seats": seats,
    }
