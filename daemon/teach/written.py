"""The end of a lesson: the board's file and its picture are written, and what is odd about the board is told."""

import sys
from typing import Final

from boards.board import Board
from daemon.system.catalogue import check_board
from daemon.system.colours import painted
from daemon.teach.lesson_file import Files
from daemon.teach.matrix import Matrix
from drivers.oche_matrix import DRIVER as OURS
from learning.hearing import Grammar, Hearing
from learning.lesson import Lesson
from learning.result import board_file, findings, picture, svg

PACE: Final = {"rebound_ms": OURS.timing.rebound_ms, "neighbour_ms": OURS.timing.neighbour_ms}
"""The times of our firmware, in the board file for whoever wants others."""


def write_files(
    lesson: Lesson, hearing: Hearing | Matrix, files: Files, address: str, *, is_keyboard: bool, baud: int | None
) -> tuple[str, ...]:
    """Writes the board's file and its picture, and prints what to do with them.

    `address` is where the board was learned, without secrets; `baud` is the speed for the file. Returns what is wrong
    with the file, which is not written then.
    """
    text = board_file(
        lesson,
        hearing.grammar or Grammar(byte=lesson.byte),
        files.board.stem,
        keyboard=is_keyboard,
        baud=baud,
        settle_us=hearing.settled_us if isinstance(hearing, Matrix) else 0,
        pace=PACE if isinstance(hearing, Matrix) else {},
    )
    print(picture(lesson))
    for message in _oddities(lesson, hearing):
        print(message)
    checked = check_board(text, files.board.name)
    if not isinstance(checked, Board):
        problems = tuple(str(problem) for problem in checked)
        print("\n".join(problems), file=sys.stderr, flush=True)
        return problems
    files.board.write_text(text, encoding="utf-8")
    files.picture.write_text(svg(lesson), encoding="utf-8")
    print(f"{painted('Written:', 'green')} {files.board} and {files.picture}, after {lesson.presses} presses.")
    print(f"Try it: oche listen {files.board}@{address}", flush=True)
    files.save(hearing.grammar, lesson.answers, address, is_finished=True)
    doubted = [bed.text for bed in lesson.beds() if lesson.state_of(bed) == "doubted"]
    if doubted:
        print(f"In doubt: {', '.join(doubted)}. Repair one: oche learn --again {doubted[0]} {files.board}")
    return ()


def _oddities(lesson: Lesson, hearing: Hearing | Matrix) -> list[str]:
    """Returns what is odd about the board, a sentence each."""
    if isinstance(hearing, Matrix):
        return findings(lesson, [], hearing.ghosts) + hearing.oddities(lesson)
    noise = sorted(code for code, times in hearing.noise.items() if times > 1)
    return findings(lesson, noise, hearing.ghosts)
