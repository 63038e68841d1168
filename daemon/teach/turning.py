"""`oche learn` for a board that only does not know how it hangs: one press, and its board file is written."""

import re
from pathlib import Path
from typing import Final

from boards.board import Board
from boards.turned import UPRIGHT
from daemon.links.opener import open_board
from daemon.system.catalogue import check_board, dialects, model_text
from daemon.system.colours import painted
from daemon.system.urls import BoardUrl, UsageError
from daemon.teach.lesson_file import Files
from drivers.events import DartLanded
from drivers.pipeline import Pipeline
from engine.segments import CLOCKWISE, Segment

ASKED: Final = 20
"""The number that is pressed."""


def turns(like: Board | None) -> bool:
    """Whether a board of this model is learned by one press."""
    return like is not None and dialects()[like.dialect].turns


async def learn_turn(url: BoardUrl, like: Board, out: Path) -> int:
    """Asks for one press, and writes a copy of the model's file with the number next to the button. Returns 0."""
    Files(out).check()
    driver = dialects()[like.dialect]
    print("Looking for the board.", flush=True)
    link = await open_board(url, like, driver)
    try:
        pipeline = Pipeline(like, driver)
        pipeline.opened(0)
        print(f"Press the {ASKED}, in any ring.", flush=True)
        while True:
            piece = await link.read()
            for event in pipeline.feed(piece.data, piece.at_ns):
                if isinstance(event, DartLanded) and isinstance(event.dart, Segment) and event.dart.number in CLOCKWISE:
                    return _write(out, like, url, hangs(like, event.dart.number))
    finally:
        link.close()


def hangs(like: Board, read_as: int) -> int:
    """Returns the number next to the button of a board on which the asked number was read as another by the model."""
    by = CLOCKWISE.index(ASKED) - CLOCKWISE.index(read_as)
    return CLOCKWISE[(CLOCKWISE.index(like.at_button or UPRIGHT) + by) % len(CLOCKWISE)]


def _write(out: Path, like: Board, url: BoardUrl, number: int) -> int:
    text = model_text(like.name)
    text = re.sub(r"(?m)^name = .*$", f'name = "{out.stem}"', text, count=1)
    text = re.sub(r"(?m)^at_button = \d+$", f"at_button = {number}", text, count=1)
    checked = check_board(text, out.name)
    if not isinstance(checked, Board):
        raise UsageError("\n".join(str(problem) for problem in checked))
    out.write_text(text, encoding="utf-8")
    print(f"The {number} is next to its button. {painted('Written:', 'green')} {out}")
    print(f"Try it: oche listen {out}@{url.text}", flush=True)
    return 0
