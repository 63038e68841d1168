"""What a benchmark gives: named figures with a unit, and how they are printed."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the table. `goal` is what it should be at most (or at least, where `at_least`)."""

    name: str
    value: float
    unit: str
    goal: float | None = None
    at_least: bool = False

    @property
    def verdict(self) -> str:
        if self.goal is None:
            return ""
        good = self.value >= self.goal if self.at_least else self.value <= self.goal
        return f"{'at least' if self.at_least else 'at most'} {self.goal:g}: {'yes' if good else 'NO'}"

    def to_json(self) -> dict[str, Any]:
        return {key: value for key, value in asdict(self).items() if value is not None}


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which this part of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def table(figures: Sequence[Figure]) -> str:
    """Aligned columns: what, how much, and whether that is good."""
    width = max(len(figure.name) for figure in figures)
    rows = (f"{f.name:<{width}}  {_short(f.value):>10} {f.unit:<9} {f.verdict}".rstrip() for f in figures)
    return "\n".join(rows)


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
