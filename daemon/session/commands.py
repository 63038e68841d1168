"""Reads commands from messages, and says who may send which.

A message may hold anything. What is not a command becomes a `Refusal`: it is counted, and answered if its `id` can be
read.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from daemon.people.access import speaks_for
from daemon.session.ghost_legs import Ghost
from daemon.session.house_asks import HouseAsk, house_ask
from daemon.system.skills import WORDS, HandOf, hand_of, spread
from engine import jsontext
from engine.actions import Action, Correct, Deck, Undo, action_from_json
from engine.aiming import COARSEST_MM, FINEST_MM
from engine.earlier_turns import thrower
from engine.match import Header, Match
from engine.matchfile import NEWEST, header_from_json
from engine.refusals import Refusal
from engine.segments import SEGMENTS
from engine.visit_total import DARTS, HIGHEST, VisitTotal

MAX_ID: Final = 128
SEARCHED: Final = 1024
"""Bytes at either end of a large command in which its id is looked for."""
_ID: Final = rb'"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9]{1,18})\s*'
_FIRST: Final = re.compile(rb"\s*\{\s*" + _ID + rb"[,}]")
_LAST: Final = re.compile(rb",\s*" + _ID + rb"\}\s*\Z")

_BAD_BOTS: Final = Refusal(
    "bad_players",
    f'Bots are players with a skill from {FINEST_MM} to {COARSEST_MM} mm, like {{"Rex": 25}}, or: '
    f'{", ".join(WORDS)}, or the hand of a player, like {{"Rex": {{"hand": "Ann"}}}}.',
)

NOT_YOUR_TURN: Final = Refusal("not_your_turn", "It is not your turn.")

Id = str | int


@dataclass(frozen=True, slots=True)
class Start:
    """Start a match. `bots` maps the players who are bots to the spread of their darts in mm.

    `hands` has those bots whose spread is still to be looked up. A match that is not `kept` is published and never
    recorded; no command asks for that."""

    header: Header
    bots: dict[str, float]
    kept: bool = True
    hands: Mapping[str, HandOf] = field(default_factory=dict)
    ghosts: Mapping[str, Ghost] = field(default_factory=dict)
    """The bots that throw again what a player has thrown."""


@dataclass(frozen=True, slots=True)
class Fair:
    """Ask for the handicap with which a match would be fair. It starts nothing."""

    header: Header
    bots: dict[str, float]
    hands: Mapping[str, HandOf] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stop:
    """Take the match off the board; it stays in the history."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Ask for the game's advice. It changes nothing."""


@dataclass(frozen=True, slots=True)
class Screens:
    """Switch sound and the caller on the screens of the board on or off; `None` leaves it as it is."""

    sound: bool | None = None
    caller: bool | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """What is asked, the id to reply to, and the only revision that the command is meant for, if it names one."""

    ask: Start | Fair | Stop | Hint | Screens | HouseAsk | VisitTotal | Action
    id: Id | None = None
    revision: int | None = None


def read_command(payload: bytes) -> tuple[Id | None, Command | Refusal]:
    """Reads a message: the id, if it can be read, and the command or why it is not one."""
    value = jsontext.parse(payload)
    if isinstance(value, Refusal):
        return _id_at_an_end(payload), value
    if not isinstance(value, dict):
        return None, Refusal("unknown_action", 'A command is an object, like {"id": "1", "throw": "T20"}.')
    command_id = value.pop("id", None)
    if command_id is not None and not _is_id(command_id):
        return None, Refusal(
            "bad_value", f"The id of a command is text of at most {MAX_ID} characters, or a whole number."
        )
    revision = value.pop("revision", None)
    if revision is not None and (not isinstance(revision, int) or isinstance(revision, bool)):
        return command_id, Refusal("bad_value", "The revision of a command is a whole number.")
    ask = _ask(value)
    return command_id, ask if isinstance(ask, Refusal) else Command(ask, command_id, revision)


def allowed(command: Command, user: str | None, revision: int, match: Match | None) -> Refusal | None:
    """Returns why a user may not send a command now; `None` if they may. Referees have no user name and may send all.

    A player acts in their own turn and corrects the darts that the game says are theirs.
    """
    if command.revision not in (None, revision):
        return Refusal("stale_revision", f"The match has moved on to revision {revision}; look again.")
    if user is None:
        return None
    # A player who enters a deck would know every hand.
    if isinstance(command.ask, Start | Fair | Stop | Screens | HouseAsk | Undo | Deck):
        return Refusal("not_allowed", "Only the referee can do that.")
    player = None if match is None else speaks_for(user, match.header.players)
    if match is None or player is None:
        return NOT_YOUR_TURN
    turn = match.turn
    if isinstance(command.ask, Correct) and command.ask.back:
        if (owner := thrower(match, command.ask.back)) in (None, player):
            return None
        return Refusal("not_allowed", f"These are {owner}'s darts; ask {owner} or the referee.")
    if isinstance(command.ask, Correct) and turn.player != turn.actor == player:
        return Refusal("not_allowed", f"These are {turn.player}'s darts; ask {turn.player} or the referee.")
    acts = turn.player if isinstance(command.ask, Correct) else turn.actor
    return None if player == acts else NOT_YOUR_TURN


def _ask(value: dict[str, Any]) -> Start | Fair | Stop | Hint | Screens | HouseAsk | VisitTotal | Action | Refusal:
    match value:
        case {"start": dict() as start} if len(value) == 1:
            return _start(start)
        case {"fair": dict() as fair} if len(value) == 1:
            asked = _start(fair)
            return asked if isinstance(asked, Refusal) else Fair(asked.header, asked.bots, asked.hands)
        case {"stop": True} if len(value) == 1:
            return Stop()
        case {"hint": True} if len(value) == 1:
            return Hint()
        case {"stop": _} | {"hint": _} if len(value) == 1:
            return Refusal("bad_value", f'The value of this command is true: {{"{next(iter(value))}": true}}.')
        case {"screens": screens} if len(value) == 1:
            return _screens(screens)
        case {"visit": visit} if len(value) == 1:
            return _visit(visit)
        case _:
            return house_ask(value) or action_from_json(value)


def _start(value: dict[str, Any]) -> Start | Refusal:
    if not {"game", "players"} <= value.keys():
        return Refusal("bad_value", 'A match has a game and players: {"game": "x01", "players": ["Ann", "Bob"]}.')
    bots = value.get("bots", {})
    header = header_from_json({"match": 1} | {k: v for k, v in value.items() if k != "bots"})
    if isinstance(header, Refusal):
        return header
    if any("/" in name for name in header.boards):
        return Refusal("bad_boards", "A match on the board of another house begins with an invitation.")
    if "rules" not in value:
        header = replace(header, rules=NEWEST)
    if not isinstance(bots, dict):
        return _BAD_BOTS
    spreads = {name: spread(skill) for name, skill in bots.items()}
    hands = {name: hand_of(skill) for name, skill in bots.items() if spreads[name] is None}
    if not bots.keys() <= {*header.players} or None in hands.values():
        return _BAD_BOTS
    return Start(
        header,
        {name: skill for name, skill in spreads.items() if skill is not None},
        hands={name: hand for name, hand in hands.items() if hand is not None},
    )


def _screens(value: object) -> Screens | Refusal:
    if isinstance(value, dict) and value and value.keys() <= {"sound", "caller"}:
        sound, caller = value.get("sound"), value.get("caller")
        if all(isinstance(on, bool) for on in value.values()):
            return Screens(sound, caller)
    return Refusal("bad_value", 'The screens are switched by {"sound": true} or {"caller": false}, or both.')


def _visit(value: object) -> VisitTotal | Refusal:
    match value:
        case {"points": int() as points, **rest} if rest.keys() <= {"bed", "darts"}:
            bed, darts = SEGMENTS.get(str(rest["bed"])) if "bed" in rest else None, rest.get("darts", DARTS)
            named = bed is not None or "bed" not in rest
            whole = isinstance(darts, int) and not isinstance(darts, bool) and not isinstance(points, bool)
            if named and whole and 0 <= points <= HIGHEST and darts in range(1, DARTS + 1):
                return VisitTotal(points, bed, int(str(darts)))
    return Refusal(
        "bad_value", 'A visit is {"points": 85}, or with its last bed {"points": 85, "bed": "DB", "darts": 3}.'
    )


def _id_at_an_end(payload: bytes) -> Id | None:
    """The id of a command that cannot be parsed, or is too large for that: its first key, or its last."""
    found = _FIRST.match(payload[:SEARCHED]) or _LAST.search(payload[-SEARCHED:])
    value = None if found is None else jsontext.parse(found[1])
    return value if isinstance(value, str | int) and _is_id(value) else None


def _is_id(value: object) -> bool:
    return (isinstance(value, str) and 0 < len(value) <= MAX_ID) or (
        isinstance(value, int) and not isinstance(value, bool)
    )
