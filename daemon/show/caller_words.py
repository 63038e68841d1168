"""The events of darts-caller, made of cues, and the commands that its listeners send. Pure.

Lights, displays and counters of other projects listen to darts-caller: Socket.IO event `message`, whose JSON has
`event`, `player`, `playerIndex`, `playerIsBot` and `game`. Source: darts-caller and darts-wled (lbormann, 2026).
Numbers are text there, names are in lower case, and a bust or a won leg follows the dart at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from daemon.show.cues import Cue, plain
from engine.segments import SEGMENTS

MODES: Final = {
    "x01": "X01",
    "cricket": "Cricket",
    "round_the_clock": "ATC",
    "count_up": "CountUp",
    "shanghai": "Shanghai",
    "gotcha": "Gotcha",
    "bermuda": "Bermuda",
    "random_checkout": "Random Checkout",
}
"""Our games by the names of darts-caller. Others have the key of the game, which listeners ignore."""

Message = dict[str, Any]


@dataclass(slots=True)
class CallerWords:
    """Translates the cues of one board."""

    player: str = ""
    """Who threw last; empty before the first turn of a match."""
    is_leg_over: bool = False
    is_match_told: bool = False
    """Whether `match-won` is out: it comes with the winning dart, and the bus says `won` when the darts are pulled."""
    leg: Message | None = None
    """The leg that a `set` may turn into the match."""
    pulls: bool = False
    """Whether the darts are being pulled."""

    def translate(self, cue: Cue) -> list[Message]:
        """Returns the messages for a cue, in order; none if darts-caller has no word for it."""
        match cue.kind:
            case "started":
                self.player, self.is_leg_over, self.is_match_told, self.leg = "", False, False, None
                return [self._start("match-started", cue), self._start("game-started", cue)]
            case "turn":
                return self._turn(cue)
            case "dart" if cue.event.get("player"):
                return self._dart(cue)
            case "score":
                thrown = {"dartNumber": str(len(cue.darts)), "dartValue": str(cue.total or 0)}
                return [_message("darts-thrown", cue, _left(cue) | thrown | _combo(cue)), *self._pulling(cue)]
            case "bust":
                return [
                    _message("busted", cue, _left(cue) | {"busted": "True"} | _last_field(cue)),
                    *self._pulling(cue),
                ]
            case "checkout":
                self.is_leg_over = True
                won = {"pointsLeft": "0", "dartsThrown": str(len(cue.darts)), "dartsThrownValue": str(cue.total or 0)}
                self.leg = _message("game-won", cue, won | _combo(cue) | _last_field(cue))
                return []
            case "leg":
                # The last leg of a set is told with the set, for it may have won the match.
                return [] if cue.event.get("legs") == cue.event.get("to_win") else self._leg("game-won", cue)
            case "set":
                is_won = cue.event.get("sets") == cue.event.get("to_win")
                self.is_match_told = is_won
                return self._leg("match-won" if is_won else "game-won", cue)
            case "decided" | "won" if not self.is_match_told:
                self.is_match_told = True
                return self._leg("match-won", cue)
            case "undone" | "corrected":
                self._reopen()
                return []
            case "stopped":
                return [{"event": "match-ended"}]
            case _:
                return []

    def _turn(self, cue: Cue) -> list[Message]:
        told = [self.leg | {"event": "game-won"}] if self.leg is not None else []
        if self.pulls:
            told.append(_board("Takeout Finished"))
        if self.player:
            before = _player(cue, self.player)
            told.append({"event": "darts-pulled"} | before | {"game": {"mode": mode_of(cue)}})
        if self.is_leg_over:
            told.append(self._start("game-started", cue))
        self.player, self.is_leg_over, self.leg, self.pulls = cue.player, False, None, False
        return told

    def _dart(self, cue: Cue) -> list[Message]:
        self._reopen()
        self.player = cue.player
        # A turn of Dart Wars can have more darts; the programs know three.
        number = str(((cue.dart or 1) - 1) % 3 + 1)
        points = {"dartNumber": number, "dartValue": str(cue.event.get("points", 0))}
        return [_message(f"dart{number}-thrown", cue, _left(cue) | points | field_of(cue.segment or ""))]

    def _reopen(self) -> None:
        """Forgets how the turn ended: it goes on, or ends in another way."""
        self.is_leg_over, self.is_match_told, self.leg, self.pulls = False, False, None, False

    def _pulling(self, cue: Cue) -> list[Message]:
        if self.pulls or cue.turn.get("awaits") != "next":
            return []
        self.pulls = True
        return [_board("Takeout Started")]

    def _leg(self, event: str, cue: Cue) -> list[Message]:
        """The leg that was won, as `event`; a game without legs has the winner alone."""
        leg, self.leg = self.leg, None
        if leg is None:
            winner = cue.winners[0] if cue.winners else cue.player
            thrown = {"dartsThrown": str(len(cue.darts)), "dartsThrownValue": "0"}
            leg = {"event": event} | _player(cue, winner) | {"game": {"mode": mode_of(cue)} | thrown}
        return [leg | {"event": event}, *self._pulling(cue)]

    def _start(self, event: str, cue: Cue) -> Message:
        options = cue.state.get("options")
        start = options.get("start", 501) if isinstance(options, dict) else 501
        about = {"pointsStart": str(start)} if cue.game == "x01" else {}
        return _message(event, cue, about)


def mode_of(cue: Cue) -> str:
    """Returns the name of the game as darts-caller has it."""
    return MODES.get(cue.game, cue.game)


def field_of(bed: str) -> dict[str, str]:
    """Returns the fields of a bed: its name (`t20`, `25`, `50`, `outside`), number, multiplier and type."""
    bed = plain(bed)
    if bed in ("SB", "DB"):
        name, number, times = ("25", "25", "1") if bed == "SB" else ("50", "25", "2")
    elif bed in SEGMENTS and bed != "MISS":
        name, number, times = bed.lower(), bed[1:], str(" SDT".index(bed[0]))
    else:
        name, number, times = "outside", "0", "0"
    return {
        "fieldName": name,
        "fieldNumber": number,
        "fieldMultiplier": times,
        "type": ("outside", "single", "double", "triple")[int(times)],
    }


def commands_of(text: object, awaits: str) -> tuple[dict[str, Any], ...]:
    """Returns the commands of the bus for what a listener sends; none if there is nothing to do.

    `next`, `undo`, and `correct:DART:BED`, where several darts may be named, from 0: `correct:0:2:t20`. `board-reset`
    is `next` while the darts are pulled, which `awaits` says. `board-start` and `board-stop` do nothing: our boards
    always listen.
    """
    if not isinstance(text, str):
        return ()
    match text.strip().split(":"):
        case ["next", *_]:
            return ({"next": True},)
        case ["undo", *_]:
            return ({"undo": True},)
        case ["board-reset"]:
            return ({"next": True},) if awaits == "next" else ()
        case ["correct", *darts, bed] if darts and all(dart in ("0", "1", "2") for dart in darts):
            named = _bed(bed)
            return (
                () if named is None else tuple({"correct": {"dart": int(dart) + 1, "throw": named}} for dart in darts)
            )
        case _:
            return ()


def _bed(text: str) -> str | None:
    known = {"25": "SB", "50": "DB", "0": "MISS", "outside": "MISS"}
    bed = known.get(text.lower(), text.upper())
    return bed if bed in SEGMENTS else None


def _message(event: str, cue: Cue, about: Mapping[str, str]) -> Message:
    return {"event": event} | _player(cue, cue.player) | {"game": {"mode": mode_of(cue)} | dict(about)}


def _player(cue: Cue, player: str) -> Message:
    names = [one.get("name") for one in cue.players]
    index = str(names.index(player)) if player in names else "0"
    bots = cue.state.get("bots")
    is_bot = isinstance(bots, dict) and player in bots
    return {"player": player.lower(), "playerIndex": index, "playerIsBot": str(is_bot)}


def _left(cue: Cue) -> dict[str, str]:
    return {} if cue.left is None else {"pointsLeft": str(cue.left)}


def _combo(cue: Cue) -> dict[str, str]:
    return {"combo": "".join(field_of(dart)["fieldName"] for dart in cue.darts)}


def _last_field(cue: Cue) -> dict[str, str]:
    return field_of(cue.darts[-1]) if cue.darts else {}


def _board(status: str) -> Message:
    return {"event": "Board Status", "data": {"status": status}}
