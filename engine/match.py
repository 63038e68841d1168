"""A match: a header, the actions, and the state that they lead to. `engine.play` makes the next one of an action.

`played` holds the actions that count, after corrections; `edits` holds what each step changed, for undo.
"""

from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from engine.actions import Choose, Done, GameAction, Next, Throw
from engine.awards import Tally, tallied
from engine.darts import Dart, Points, Position, Zone
from engine.game import Event, Game, Legal, Turn
from engine.geometry import segment_at
from engine.persistent_list import PersistentList, persistent_list
from engine.segments import Segment


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a match file. `options` has the given ones only; `rules` is the version of the game's rules.

    `boards` says at which board each player throws, in the order of the players; empty for a match on one board.
    """

    game: str
    players: tuple[str, ...]
    options: dict[str, Any]
    rules: int = 1
    boards: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The first line of a match file as a JSON value."""
        return {
            "match": 1,
            "rules": self.rules,
            "game": self.game,
            "players": list(self.players),
            "options": self.options,
            **({"boards": list(self.boards)} if self.boards else {}),
        }


@dataclass(frozen=True, slots=True)
class TurnStart:
    """Where a turn began: the number of actions before it, and the state then."""

    at: int
    number: int
    state: Any
    awards: Tally = field(default_factory=dict)
    """The awards of the turns before."""


class Edit(NamedTuple):
    """One step that undo can take back: an action appended at `at`, or `before` replaced at `at`."""

    at: int
    before: GameAction | None = None


NO_ACTIONS: Final[PersistentList[GameAction]] = PersistentList()
NO_EDITS: Final[PersistentList[Edit]] = PersistentList()

_CAN_BE_ENDED: Final = frozenset({"throw", "next", "move"})
"""What a turn waits for that can be ended by an action: the others are answered first."""
_ENDS: Final = {Next: "next", Done: "done"}
"""The actions that end a turn, and their names on the bus."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match at one moment. `begin` makes one; `apply` of `engine.play` returns the next.

    `unsure` is the dart whose bed must be chosen before the match goes on. `void`
    are darts after the end of their visit, left there by a correction: they stay
    in the record and count only if another correction opens the visit again.
    """

    header: Header
    game: Game[Any]
    state: Any
    of_game: Turn
    """The turn as the game has it: without darts that are void or whose bed is unknown."""
    turns: PersistentList[TurnStart]
    played: PersistentList[GameAction] = NO_ACTIONS
    edits: PersistentList[Edit] = NO_EDITS
    unsure: Points | None = None
    void: tuple[str, ...] = ()
    earned: tuple[Event, ...] = ()
    """The awards of this turn."""
    events: tuple[Event, ...] = field(default=(), compare=False)
    """The events of the last action."""

    @property
    def turn(self) -> Turn:
        """Whose turn it is, including darts that are void or whose bed is unknown."""
        turn = self.of_game
        if self.unsure is not None:
            return turn._replace(darts=(*turn.darts, dart_text(self.unsure)), awaits="choose")
        return turn._replace(darts=turn.darts + self.void) if self.void else turn

    @property
    def awards(self) -> Tally:
        """How often each player has earned each award so far."""
        return tallied(self.turns[-1].awards, self.earned)

    @property
    def finished(self) -> bool:
        """Whether the match is over. Undo can open it again."""
        return self.game.winners(self.state) is not None

    @property
    def all_public(self) -> bool:
        """Whether the game says that every viewer sees the same. False for a game that does not say."""
        return getattr(self.game, "all_public", False) is True

    def view(self, viewer: str | None = None) -> dict[str, Any]:
        """The state as JSON: the public view, or the view of one player."""
        game, turn, winners = self.game.view(self.state, viewer), self.turn, self.game.winners(self.state)
        about_turn: dict[str, Any] = {"player": turn.player, "actor": turn.actor, "darts": list(turn.darts)}
        about_turn["awaits"] = turn.awaits
        if turn.awaits in _CAN_BE_ENDED:
            for action in self.legal().actions:
                if (kind := type(action)) in _ENDS:
                    about_turn["ends"] = _ENDS[kind]
        if self.unsure is not None:
            about_turn["candidates"] = [bed.text for bed in self.unsure.candidates]
        awards = self.awards
        return {
            "game": self.game.name,
            "finished": winners is not None,
            "winners": list(winners or ()),
            **game,
            "turn": game.get("turn", {}) | about_turn,
            "players": [
                player | {"awards": dict(awards[player["name"]])} if player["name"] in awards else player
                for player in game["players"]
            ],
        }

    def legal(self) -> Legal:
        """The game actions that are legal now."""
        if self.unsure is not None:
            return Legal(tuple(Choose("segment", bed.text) for bed in self.unsure.candidates))
        return self.game.legal(self.state)


def begin(header: Header, game: Game[Any], state: Any, awards: Tally | None = None) -> Match:
    """A match that starts from `state`: a new one, or one restored from a stored state, which undo cannot cross.

    `awards` are those of the turns before.
    """
    turn = game.turn(state)
    return Match(header, game, state, turn, persistent_list([TurnStart(0, turn.number, state, awards or {})]))


def dart_text(dart: Dart | None) -> str:
    """A dart as text for displays: its segment, zone or points; `FOUL` for None."""
    match dart:
        case None:
            return "FOUL"
        case Segment():
            return dart.text
        case Position():
            return segment_at(dart).text
        case Zone(names):
            return "|".join(names)
        case Points(points):
            return str(points)


def dart_shown(action: GameAction) -> str:
    """The dart of a throw or a foul as text for displays."""
    return dart_text(action.dart if isinstance(action, Throw) else None)
