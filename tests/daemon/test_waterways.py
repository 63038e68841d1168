"""The links of a map as they are drawn: over water, from the one country to the other."""

import math
from itertools import pairwise

import pytest

from daemon.system.catalogue import faces
from daemon.web.waterways import waterways
from engine.darts import Position
from engine.worldmap import WorldMap

MAPS = [face for face in faces().values() if isinstance(face, WorldMap)]


@pytest.mark.parametrize("world", MAPS, ids=lambda world: world.name)
def test_a_link_is_drawn_from_one_country_to_the_other_over_water_alone(world: WorldMap) -> None:
    lines = waterways(world)
    assert len(lines) == len(world.links) > 0
    for (one, other), line in zip(world.links, lines, strict=True):
        zones = [zone for x, y in line for zone in world.zones_of(Position(x, y))]
        assert (zones[0], zones[-1]) == (one, other)
        crossed = {zone for zone in zones if world.geography.place[zone].land}
        assert crossed == {one, other}, (one, other)


@pytest.mark.parametrize("world", MAPS, ids=lambda world: world.name)
def test_a_line_has_no_gap_and_stays_on_the_board(world: WorldMap) -> None:
    for line in waterways(world):
        assert all(math.dist(here, after) < 0.05 for here, after in pairwise(line))
        assert all(math.hypot(*point) < 1 for point in line)
