"""An event that a rule asks for, made up, to try the rule. Pure."""

from typing import Any, Final

from daemon.show.cues import Cue
from daemon.system.show_config import When

PLAYER: Final = "Ann"


def example(when: When, board: str) -> Cue:
    """Returns a cue for which `when` holds, unless its conditions exclude each other; every field of it has a text."""
    kind = min(when.events) if when.events else "score"
    player = _first(when.player, PLAYER)
    beds = list(when.combination or [])
    if when.segment is not None or kind == "dart":
        beds = ["S20"] * ((when.dart or 1) - 1) + [_first(when.segment, "T20")]
    total = when.total if when.total is not None else _highest(when.range, 60)
    left = _highest(when.need, 32)
    event: dict[str, Any] = {
        "event": kind,
        "player": player,
        "points": total,
        "left": left,
        "award": _first(when.award, "hat_trick"),
        "winners": [player],
    }
    if kind == "dart":
        event["dart"] = beds[-1]
    if when.marks is not None:
        event["marks"] = when.marks[1]
    state: dict[str, Any] = {
        "game": _first(when.game, "x01"),
        "turn": {"player": player, "darts": beds},
        "players": [{"name": player, "score": left}],
        "bots": {player: 1} if when.bot else {},
    }
    return Cue(_first(when.board, board), event, state)


def _first(values: list[Any] | None, otherwise: str) -> str:
    return values[0] if values else otherwise


def _highest(span: tuple[int, int] | None, otherwise: int) -> int:
    return otherwise if span is None else span[1]
