"""What a board model can report: what its dialect can, without what its file says that it lacks."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from boards.board import Can, Cell, Meaning, Press, Shape
from boards.grid import Say
from boards.problems import did_you_mean
from engine.segments import MISS, Segment

LACKABLE: Final = ("battery", "buttons", "miss", "position", "stuck_code", "takeout")
"""What a model can lack of its dialect: sensors and codes. Its table says whether it tells singles apart."""


def capabilities(dialect: str, shape: Shape, lacks: Iterable[str], contacts: Mapping[Cell, Meaning], say: Say) -> Can:
    """Returns what a model can report; says what is wrong with `lacks`."""
    can = shape.can
    for lack in lacks:
        if lack not in LACKABLE:
            hint = did_you_mean(lack, LACKABLE)
            say("lacks", f"A board cannot lack {lack!r}.{hint} It can lack: {', '.join(LACKABLE)}.")
        elif not getattr(can, lack):
            say("lacks", f"The dialect {dialect} has no {lack} that a board could lack.")
        else:
            can = _without(can, lack)
    if not contacts:
        return can
    buttons = tuple(dict.fromkeys(m.name for m in contacts.values() if isinstance(m, Press)))
    return replace(
        can,
        inner_outer=any(isinstance(m, Segment) and m.text.startswith(("SI", "SO")) for m in contacts.values()),
        stuck_code=can.stuck_code or "stuck" in contacts.values(),
        takeout=can.takeout or "takeout" in contacts.values(),
        miss=can.miss or MISS in contacts.values(),
        buttons=tuple(dict.fromkeys((*can.buttons, *buttons))),
    )


def _without(can: Can, lack: str) -> Can:
    match lack:
        case "battery":
            return replace(can, battery=False)
        case "buttons":
            return replace(can, buttons=())
        case "miss":
            return replace(can, miss=False)
        case "position":
            return replace(can, position=False)
        case "takeout":
            return replace(can, takeout=False)
        case _:
            return replace(can, stuck_code=False)
