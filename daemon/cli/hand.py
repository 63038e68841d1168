"""`oche hand NAME`: how a player's darts scatter, and where they should aim, from everything that they threw."""

import argparse
import sys
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from daemon.cli.history import open_history
from daemon.history.stored_match import open_header, parsed, played, players_of
from daemon.record.reader import History
from daemon.system.catalogue import faces, games
from daemon.system.exit_codes import Exit, Failed
from engine import jsontext
from engine.darts import Position
from engine.geometry import BOARD_MM, centre_of, segment_at
from engine.match import Match
from engine.refusals import Refusal
from engine.segments import MISS, SEGMENTS, Segment, plain

if TYPE_CHECKING:
    from twin.fit import Fit

MOST_DARTS: Final = 20_000
"""The newest darts are enough: a hand changes, and the error is below 1 % by then."""
FEWEST_DARTS: Final = 30
SURE: Final = 1.645
"""Standard errors of an interval that contains the truth nine times in ten."""


def hand(arguments: argparse.Namespace) -> int:
    """Fits the hand of a player. Failed without numpy, without a journal, or with too few darts."""
    try:
        from twin import aims
        from twin.fit import fit
    except ImportError as error:
        raise Failed("`oche hand` needs numpy: pip install 'oche[twin]'.") from error
    history = open_history(arguments.data)
    fitted = fit(aims.thrown(_matches(history, arguments.name), arguments.name, MOST_DARTS))
    if fitted is None or fitted.darts < FEWEST_DARTS:
        found = 0 if fitted is None else fitted.darts
        raise Failed(f"{found} darts of {arguments.name} are known, in {arguments.data}: {FEWEST_DARTS} are needed.")
    about = _about(fitted)
    if arguments.json:
        print(jsontext.dump(about | {"player": arguments.name}))
    else:
        sys.stdout.writelines(f"{line}\n" for line in _lines(arguments.name, about))
    return Exit.DONE


def _matches(history: History, name: str) -> Iterator[Match]:
    """The matches with this person, the newest first. Damaged ones and those of games that are gone are left out."""
    for stored in history.all_stored():
        if name not in players_of(stored.row) or name in (parsed(stored.row.bots) or {}):
            continue
        record = history.record(stored.row.id)
        if record is None or record.bad is not None:
            continue
        opened = open_header(stored.row.header, games(), faces())
        if not isinstance(opened, Refusal):
            yield deque(played(opened, record.lines), maxlen=1).pop()


def _about(fitted: "Fit") -> dict[str, Any]:
    from twin.best_aim import best_aim
    from twin.hand import chances

    hand, error = fitted.hand, fitted.error
    numbers = ("x_mm", "y_mm", "tilt", "right_mm", "up_mm")
    point, worth = best_aim(hand, _points)
    usual = chances(hand, _middle("T20"))
    return {
        "darts": fitted.darts,
        **{name: round(getattr(hand, name), 2) for name in numbers},
        "error": {name: round(getattr(error, name), 2) for name in numbers},
        "stray": round(fitted.stray, 4),
        "best": {"x_mm": point[0], "y_mm": point[1], "bed": _bed(point), "points": round(worth, 2)},
        "at_t20": round(sum(chance * bed.points for bed, chance in usual.items()), 2),
    }


def _points(bed: Segment) -> float:
    return float(bed.points)


def _middle(bed: str) -> tuple[float, float]:
    at = centre_of(SEGMENTS[bed])
    return at.x * BOARD_MM, at.y * BOARD_MM


def _bed(point: tuple[float, float]) -> str:
    bed = segment_at(Position(point[0] / BOARD_MM, point[1] / BOARD_MM))
    return bed.text if bed is MISS else plain(bed).text


def _lines(name: str, about: dict[str, Any]) -> Iterator[str]:
    error, best = about["error"], about["best"]
    yield f"{name}, from {about['darts']} darts:"
    yield f"  across       {_interval(about['x_mm'], error['x_mm'])}"
    yield f"  up and down  {_interval(about['y_mm'], error['y_mm'])}"
    yield f"  off the aim  {_off(about['right_mm'], error['right_mm'], 'right', 'left')}, " + _off(
        about["up_mm"], error["up_mm"], "high", "low"
    )
    yield f"  tilt         {about['tilt']:+.2f} ± {SURE * error['tilt']:.2f}"
    yield f"Most points: aim {_at(best)}, in {best['bed']}: {best['points']:.1f} a dart; at T20 {about['at_t20']:.1f}."


def _interval(value: float, error: float) -> str:
    return f"{value:.1f} mm ({max(0.0, value - SURE * error):.1f} to {value + SURE * error:.1f})"


def _off(value: float, error: float, above: str, below: str) -> str:
    return f"{abs(value):.1f} ± {SURE * error:.1f} mm {above if value >= 0 else below}"


def _at(best: dict[str, Any]) -> str:
    x, y = round(best["x_mm"]), round(best["y_mm"])
    return (
        f"{abs(x)} mm {'right' if x >= 0 else 'left'} of the bull and {abs(y)} mm {'above' if y >= 0 else 'below'} it"
    )
