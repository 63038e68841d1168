"""What happens to a tournament: each is one line of its file, and one command."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from engine.aiming import COARSEST_MM, FINEST_MM
from engine.refusals import Refusal
from league.setup import MOST_PLAYERS, Setup, is_name, setup_from_json


@dataclass(frozen=True, slots=True)
class Enter:
    """Somebody signs up. `players` are those of a pair or a team; a single player is their own."""

    name: str
    players: tuple[str, ...]
    seed: int | None = None
    bot: float | None = None


@dataclass(frozen=True, slots=True)
class Withdraw:
    """An entrant leaves: before the draw they are taken off the list, after it their opponents advance."""

    name: str


@dataclass(frozen=True, slots=True)
class Draw:
    """Ends the sign-up. The same `seed` and entrants give the same draw."""

    seed: str


@dataclass(frozen=True, slots=True)
class Call:
    """A fixture is called to a board; without a board the call is taken back."""

    fixture: str
    board: str | None


@dataclass(frozen=True, slots=True)
class Report:
    """A fixture has ended. `score` are the legs of the home and the away side, `maximums` their 180s."""

    fixture: str
    score: tuple[int, int]
    walkover: bool = False
    match: str | None = None
    maximums: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Reopened:
    """The match of a result went on at its board when the result could not be taken back any more. `score` is how it
    ended there, `None` while it goes on. The result stands until a referee corrects it."""

    fixture: str
    score: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Correct:
    """Changes a result. `then` says what becomes of later results between others than should now have played:
    `again` drops them, `keep` lets them stand."""

    fixture: str
    score: tuple[int, int]
    then: Literal["again", "keep"] = "again"


@dataclass(frozen=True, slots=True)
class Undo:
    """Takes back the last result, correction or withdrawal."""


@dataclass(frozen=True, slots=True)
class Close:
    """Ends the tournament, over or not: it stays in its file, and another one can be made."""


Event = Setup | Enter | Withdraw | Draw | Call | Report | Reopened | Correct | Undo | Close
UNDOABLE = (Report, Correct, Withdraw)


def event_from_json(value: object) -> Event | Refusal:
    """The event in a parsed JSON value. Refusal `bad_value` for anything else."""
    if not isinstance(value, dict):
        return _bad('A command to a tournament is an object, like {"enter": {"name": "Ann"}}.')
    if "tournament" in value:
        return setup_from_json(value)
    match value:
        case {"enter": dict() as entry, **rest} if not rest:
            return _enter(entry)
        case {"withdraw": str() as name, **rest} if not rest:
            return Withdraw(name)
        case {"draw": str() as seed, **rest} if not rest and is_name(seed):
            return Draw(seed)
        case {"call": {"fixture": str() as fixture, **call}, **rest} if not rest and call.keys() <= {"board"}:
            board = call.get("board")
            if board is None or is_name(board):
                return Call(fixture, None if board is None else str(board))
        case {"result": {"fixture": str() as fixture, "score": score, **more}, **rest} if not rest:
            legs, walkover, match = _score(score), more.get("walkover", False), more.get("match")
            maximums = _score(more.get("maximums", [0, 0]))
            known = more.keys() <= {"walkover", "match", "maximums"} and (match is None or is_name(match))
            if legs and maximums and known and type(walkover) is bool:
                return Report(fixture, legs, walkover, None if match is None else str(match), maximums)
        case {"reopened": {"fixture": str() as fixture, **more}, **rest} if not rest and more.keys() <= {"score"}:
            legs = _score(more["score"]) if "score" in more else None
            if legs or "score" not in more:
                return Reopened(fixture, legs)
        case {"correct": {"fixture": str() as fixture, "score": score, **more}, **rest} if not rest:
            legs, then = _score(score), more.get("then", "again")
            if legs and more.keys() <= {"then"} and then in ("again", "keep"):
                return Correct(fixture, legs, then)
        case {"undo": True, **rest} if not rest:
            return Undo()
        case {"close": True, **rest} if not rest:
            return Close()
    return _bad(
        "This is no command to a tournament: it is one of enter, withdraw, draw, call, result, correct, undo, close."
    )


def _enter(entry: Mapping[str, Any]) -> Enter | Refusal:
    name, seed, bot = entry.get("name"), entry.get("seed"), entry.get("bot")
    players = entry.get("players", [name])
    if not entry.keys() <= {"name", "players", "seed", "bot"} or not is_name(name):
        return _bad("An entrant has a name of 1 to 64 printable characters, and may have players, a seed and a bot.")
    if not isinstance(players, list) or not 1 <= len(players) <= MOST_PLAYERS or not all(map(is_name, players)):
        return _bad(f"The players of an entrant are 1 to {MOST_PLAYERS} names.")
    if seed is not None and (type(seed) is not int or not 1 <= seed <= 999):
        return _bad("A seed is a number from 1, the strongest.")
    if bot is not None and (type(bot) not in (int, float) or not FINEST_MM <= bot <= COARSEST_MM):
        return _bad(f"A bot is the spread of its darts, from {FINEST_MM} to {COARSEST_MM} mm.")
    return Enter(str(name), tuple(players), seed, None if bot is None else float(bot))


def _score(value: object) -> tuple[int, int] | None:
    match value:
        case [int() as home, int() as away] if type(home) is int and type(away) is int:
            return (home, away) if 0 <= home <= 99 and 0 <= away <= 99 else None
    return None


def _bad(message: str) -> Refusal:
    return Refusal("bad_value", message)
