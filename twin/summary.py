"""What a fitted hand comes to, as figures and as sentences: its spread, where it should aim, and what a dart brings."""

from collections.abc import Iterator
from typing import Any, Final

from engine.darts import Position
from engine.geometry import BOARD_MM, centre_of, segment_at
from engine.segments import MISS, SEGMENTS, Segment, plain
from twin.best_aim import best_aim
from twin.fit import Fit, Point
from twin.hand import Hand, chances

SURE: Final = 1.645
"""Standard errors of an interval that contains the truth nine times in ten."""


def summary(fitted: Fit) -> dict[str, Any]:
    """The figures as plain JSON. Lengths are in mm; `error` has the standard error of each."""
    hand, error = fitted.hand, fitted.error
    numbers = ("x_mm", "y_mm", "tilt", "right_mm", "up_mm")
    point, worth = best_aim(hand, _points)
    usual = chances(hand, _middle("T20"))
    return {
        "darts": fitted.darts,
        **{name: round(getattr(hand, name), 2) for name in numbers},
        "error": {name: round(getattr(error, name), 2) for name in numbers},
        "stray": round(fitted.stray, 4),
        "best": {"x_mm": point[0], "y_mm": point[1], "bed": _bed(point, fitted.hand), "points": round(worth, 2)},
        "at_t20": round(sum(chance * bed.points for bed, chance in usual.items()), 2),
    }


def sentences(name: str, about: dict[str, Any]) -> Iterator[str]:
    """A summary in lines for people; `name` is the player's."""
    error, best = about["error"], about["best"]
    yield f"{name}, from {about['darts']} darts:"
    yield f"  across       {_interval(about['x_mm'], error['x_mm'])}"
    yield f"  up and down  {_interval(about['y_mm'], error['y_mm'])}"
    yield f"  off the aim  {_off(about['right_mm'], error['right_mm'], 'right', 'left')}, " + _off(
        about["up_mm"], error["up_mm"], "high", "low"
    )
    yield f"  tilt         {about['tilt']:+.2f} ± {SURE * error['tilt']:.2f}"
    yield f"Most points: aim {_at(best)}, for {best['bed']}: {best['points']:.1f} a dart; at T20 {about['at_t20']:.1f}."


def _interval(value: float, error: float) -> str:
    return f"{value:.1f} mm ({max(0.0, value - SURE * error):.1f} to {value + SURE * error:.1f})"


def _off(value: float, error: float, above: str, below: str) -> str:
    return f"{abs(value):.1f} ± {SURE * error:.1f} mm {above if value >= 0 else below}"


def _at(best: dict[str, Any]) -> str:
    x, y = round(best["x_mm"]), round(best["y_mm"])
    return (
        f"{abs(x)} mm {'right' if x >= 0 else 'left'} of the bull and {abs(y)} mm {'above' if y >= 0 else 'below'} it"
    )


def _points(bed: Segment) -> float:
    return float(bed.points)


def _middle(bed: str) -> Point:
    at = centre_of(SEGMENTS[bed])
    return at.x * BOARD_MM, at.y * BOARD_MM


def _bed(point: Point, hand: Hand) -> str:
    """The bed around which darts that are aimed at a point land."""
    bed = segment_at(Position((point[0] + hand.right_mm) / BOARD_MM, (point[1] + hand.up_mm) / BOARD_MM))
    return bed.text if bed is MISS else plain(bed).text
