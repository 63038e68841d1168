"""The lines of a map's links: as computed from the map, over water, from one country to the other."""

import json
import math
import runpy
from itertools import pairwise
from pathlib import Path

import pytest

from daemon.system.catalogue import faces
from daemon.web import geometry_api
from engine.darts import Position
from engine.worldmap import WorldMap

ROOT = Path(__file__).parents[2]
LINKS = json.loads((ROOT / "daemon/web/map_links.json").read_bytes())
MAPS = [face for face in faces().values() if isinstance(face, WorldMap)]


def test_the_file_is_what_the_script_computes() -> None:
    computed = runpy.run_path(str(ROOT / "scripts/map_links.py"))["map_links"]()
    assert json.loads(json.dumps(computed)) == LINKS, "run scripts/map_links.py"
    assert sorted(LINKS) == sorted(world.name for world in MAPS)


def test_the_middles_of_zones_are_what_the_script_computes() -> None:
    computed = runpy.run_path(str(ROOT / "scripts/zone_middles.py"))["zone_middles"]()
    assert computed == json.loads((ROOT / "daemon/web/zone_middles.json").read_bytes()), "run scripts/zone_middles.py"


@pytest.mark.parametrize("world", MAPS, ids=lambda world: world.name)
def test_the_pages_get_these_lines(world: WorldMap) -> None:
    assert geometry_api.faces({world.name: world})[world.name]["links"] == LINKS[world.name]


@pytest.mark.parametrize("world", MAPS, ids=lambda world: world.name)
def test_a_link_is_drawn_from_one_country_to_the_other_over_water_alone(world: WorldMap) -> None:
    lines = LINKS[world.name]
    assert len(lines) == len(world.links) > 0
    for (one, other), line in zip(world.links, lines, strict=True):
        zones = [zone for x, y in line for zone in world.zones_of(Position(x, y))]
        assert (zones[0], zones[-1]) == (one, other)
        crossed = {zone for zone in zones if world.geography.place[zone].land}
        assert crossed == {one, other}, (one, other)


@pytest.mark.parametrize("world", MAPS, ids=lambda world: world.name)
def test_a_line_has_no_gap_and_stays_on_the_board(world: WorldMap) -> None:
    for line in LINKS[world.name]:
        assert all(math.dist(here, after) < 0.05 for here, after in pairwise(line))
        assert all(math.hypot(*point) < 1 for point in line)
