#!/usr/bin/env python3
"""Computes a point in the middle of each zone of a figure, where the pages and the pictures put its number.

Run it with .venv/bin/python after a change of a figure: `scripts/zone_middles.py` writes daemon/web/zone_middles.json.
"""

import json
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from boards.face_files import face_from_toml  # noqa: E402
from engine.circles import OUT, Circles  # noqa: E402
from engine.darts import Position  # noqa: E402

FILE: Final = ROOT / "daemon" / "web" / "zone_middles.json"
MESH: Final = 1 / 50
"""The mesh on which a middle is searched, in board radii; every zone of a figure is wider."""


def zone_middles() -> dict[str, dict[str, list[float]]]:
    """The middles of every figure's zones, by the name of the figure: x to the right, y up, in board radii."""
    found = [
        face_from_toml(path.read_text("utf-8"), path.name) for path in sorted((ROOT / "boards/faces").glob("*.toml"))
    ]
    return {figure.name: middles(figure) for figure in found if isinstance(figure, Circles)}


def middles(face: Circles) -> dict[str, list[float]]:
    """For each zone the mesh point farthest from every other zone; among equals, the one nearest to their mean."""
    edge = round(1 / MESH)
    zones = {
        (i, j): face.zone_at(Position(i * MESH, j * MESH))
        for i in range(-edge, edge + 1)
        for j in range(-edge, edge + 1)
    }
    depth = dict.fromkeys(zones, 0)
    left, step = set(zones), 0
    while left:
        step += 1
        rim = {at for at in left if any(zones.get(near) != zones[at] or near not in left for near in _beside(at))}
        for at in rim:
            depth[at] = step
        left -= rim
    deepest: dict[str, list[tuple[int, int]]] = {}
    for at in sorted(zones, key=lambda at: (-depth[at], at)):
        here = deepest.setdefault(zones[at], [])
        if not here or depth[at] == depth[here[0]]:
            here.append(at)
    found = {zone: _nearest_to_mean(here) for zone, here in deepest.items() if zone != OUT}
    return {zone: [round(i * MESH, 4), round(j * MESH, 4)] for zone, (i, j) in found.items()} | {"star": [0.0, 0.0]}


def _nearest_to_mean(points: list[tuple[int, int]]) -> tuple[int, int]:
    x, y = (sum(axis) / len(points) for axis in zip(*points, strict=True))
    return min(points, key=lambda at: (at[0] - x) ** 2 + (at[1] - y) ** 2)


def _beside(at: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    i, j = at
    return ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1))


if __name__ == "__main__":
    FILE.write_text(json.dumps(zone_middles()) + "\n")
