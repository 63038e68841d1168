"""What a board cannot tell, in sentences for players."""

from dataclasses import replace

from boards.board import Board
from drivers.driver import Driver


def limits(board: Board, driver: Driver) -> tuple[str, ...]:
    """Returns a sentence for each thing that this board cannot report."""
    timing = replace(driver.timing, **board.pace.changes())
    blind = max(timing.repeat_ms, timing.deaf_ms)
    said = []
    if blind >= 1:
        # Rounded to 10 ms: the half milliseconds of a firmware loop interest nobody.
        said.append(f"Two darts within {round(blind, -1):.0f} ms cannot be told apart on this board.")
    if timing.hides == "all" and timing.rebound_ms > blind:
        said.append(
            f"Two darts in a row in one bed within {timing.rebound_ms / 1000:g} s cannot be told from one whose "
            "contact bounces when it opens: the second is shown as doubtful, and one touch makes it a dart."
        )
    elif timing.rebound_ms > blind:
        said.append(f"Two darts in one bed within {timing.rebound_ms:.0f} ms cannot be told apart on this board.")
    if not driver.can.release and not timing.repeat_ms and not timing.rebound_ms and not board.can.stuck_code:
        said.append("A dart whose contact bounces when it opens is counted again: undo takes it back.")
    if not board.can.ring:
        said.append("It tells points alone: you are asked which bed it was where that matters.")
    if not board.can.miss and not board.can.position:
        said.append("It does not feel a dart that misses: say so at the display.")
    return tuple(said)
