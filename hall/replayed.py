"""A running match as the hall replays it, and the picture of its board. Pure: the caller brings the lines."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.faces import Faces
from engine.match import Match
from engine.matchfile import Games, open_match, read_action, read_header
from engine.play import apply
from engine.refusals import Refusal
from league.nameless import seat_name

MOST_SIDES: Final = 64
SHOW_SECONDS: Final = 5.0
"""How much processor time a match may take that is shown. Undos can make a few lines need hours."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A match after its first `lines` actions. `match` is None if it cannot be shown: its game is not installed here,
    these rules refuse one of its lines, or need too long for them."""

    match: Match | None
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Side:
    """Who throws for one score: a player, or the partners of a team, by their seats from 1."""

    seats: tuple[int, ...]
    score: str
    active: bool
    won: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """What everyone may see of a match: its public view, without any player's hand."""

    title: str
    sides: tuple[Side, ...] = ()
    darts: tuple[str, ...] = ()
    over: bool = False


def opened(header: str, games: Games, faces: Faces) -> Replayed:
    """The match of a header before its first action."""
    read = read_header(header.encode())
    match = read if isinstance(read, Refusal) else open_match(read, games, faces)
    return Replayed(None if isinstance(match, Refusal) else match)


def after(replayed: Replayed, lines: Iterable[str], seconds: float = SHOW_SECONDS) -> Replayed:
    """The match after more actions, if they take no more than these seconds of processor time."""
    until = time.thread_time() + seconds
    for line in lines:
        match = replayed.match
        if match is not None and time.thread_time() > until:
            match = None
        if match is not None:
            action = read_action(line.encode())
            found = action if isinstance(action, Refusal) else apply(match, action)
            match = None if isinstance(found, Refusal) else found
        replayed = Replayed(match, replayed.lines + 1)
    return replayed


def of_file(text: str, games: Games, faces: Faces) -> Replayed:
    """The match of a nameless file at its end."""
    header, _, rest = text.partition("\n")
    return after(opened(header, games, faces), rest.split("\n")[:-1])


def picture_of(match: Match) -> Picture:
    """The public picture of a match."""
    view = match.view()
    seats = {seat_name(seat): seat for seat in range(1, len(match.header.players) + 1)}
    by_side: dict[object, Side] = {}
    for at, player in enumerate(view["players"][:MOST_SIDES]):
        name = player["name"]
        if name not in seats:
            continue  # The house of a game, which nobody plays.
        key = player.get("team", at)
        known = by_side.get(key, Side((), str(player.get("score", "")), active=False, won=False))
        by_side[key] = replace(
            known,
            seats=(*known.seats, seats[name]),
            active=known.active or (not view["finished"] and view["turn"]["player"] == name),
            won=known.won or name in view["winners"],
        )
    title = view.get("title")
    return Picture(
        title if isinstance(title, str) else match.game.title,
        tuple(by_side.values()),
        tuple(view["turn"]["darts"]),
        view["finished"],
    )


def names_on(side: Side, names: Mapping[int, str]) -> str:
    """The names on a side; the seat for one that is not known, or forgotten."""
    return " & ".join(names.get(seat, seat_name(seat)) for seat in side.seats)
