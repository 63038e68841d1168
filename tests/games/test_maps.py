"""The maps of Dart Wars: the properties that the game needs, and the checker of map files."""

import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boards
from boards.zone_face import beds_of, world_map
from engine.darts import Position
from engine.segments import CLOCKWISE, SEGMENTS
from engine.worldmap import WorldMap
from tests.games.setups import FACES

NAMES: Final = ("dart_wars", "dart_wars_82")
FEWEST_COUNTRIES: Final = {"dart_wars": 18, "dart_wars_82": 30}


def table(name: str) -> dict[str, Any]:
    """The map's file as parsed TOML."""
    return tomllib.loads((Path(boards.__file__).parent / "faces" / f"{name}.toml").read_text("utf-8"))


@pytest.fixture(params=NAMES)
def world(request: pytest.FixtureRequest) -> WorldMap:
    face = FACES[request.param]
    assert isinstance(face, WorldMap)
    return face


def test_enough_countries_islands_white_territories_and_water(world: WorldMap) -> None:
    lands = [place for place in world.places if place.land]
    assert len(lands) >= FEWEST_COUNTRIES[world.name]
    assert sum(place.island for place in lands) >= 5
    assert sum(place.white for place in lands) >= 2
    assert len(world.places) - len(lands) >= 8


def test_each_bed_but_the_bulls_belongs_to_one_zone(world: WorldMap) -> None:
    beds = [bed for place in world.places for bed in place.beds]
    assert sorted(beds) == sorted(beds_of(82 if world.fine else 62))
    assert len(beds) == (80 if world.fine else 60)


def test_bulls_and_a_miss_are_nothing(world: WorldMap) -> None:
    for bed in ("SB", "DB", "MISS"):
        assert world.zones_of(SEGMENTS[bed]) == ()
    assert world.zones_of(Position(0.0, 0.0)) == ()


def test_a_plain_single_is_the_outer_singles_zone(world: WorldMap) -> None:
    for number in CLOCKWISE:
        assert world.zones_of(SEGMENTS[f"S{number}"]) == world.zones_of(SEGMENTS[f"SO{number}"]) != ()


def test_borders_and_links_go_both_ways_and_to_other_zones(world: WorldMap) -> None:
    for ways in (world.geography.borders, world.geography.ways):
        for zone, near in ways.items():
            assert zone not in near
            assert len(set(near)) == len(near)
            assert all(zone in ways[other] for other in near)


def test_ways_are_borders_and_the_listed_links(world: WorldMap) -> None:
    place, borders, ways = world.geography.place, world.geography.borders, world.geography.ways
    links = {frozenset(link) for link in world.links}
    assert all(len(link) == 2 and all(place[name].land for name in link) for link in links)
    beyond = {frozenset((zone, other)) for zone in ways for other in ways[zone] if other not in borders[zone]}
    assert beyond <= links
    assert all(set(borders[zone]) <= set(ways[zone]) for zone in ways)


def test_a_link_has_water_all_the_way(world: WorldMap) -> None:
    """So that it can be drawn without crossing a third country."""
    place, borders = world.geography.place, world.geography.borders
    for one, other in world.links:
        edge = [zone for zone in borders[one] if not place[zone].land]
        for water in edge:
            edge += [zone for zone in borders[water] if not place[zone].land and zone not in edge]
        assert any(other in borders[water] for water in edge), (one, other)


def test_a_zone_is_in_one_piece(world: WorldMap) -> None:
    """The beds of a zone are connected by edges, computed here from the order of the numbers."""
    rings = ("SI", "T", "SO", "D")
    for place in world.places:
        names = list(place.beds) + [
            f"{ring}{bed[1:]}" for bed in place.beds if bed[1:].isdigit() and bed[0] == "S" for ring in ("SI", "SO")
        ]
        cells = {
            (rings.index(ring), CLOCKWISE.index(int(bed[len(ring) :])))
            for bed in names
            for ring in rings
            if bed.startswith(ring) and bed[len(ring) :].isdigit()
        }
        if not world.fine and any(bed.startswith("S") for bed in place.beds):
            # On a board of 62 beds both singles of a number are one bed.
            joined = {((0, at), (2, at)) for ring, at in cells if ring == 0}
        else:
            joined = set()
        found: set[tuple[int, int]] = set()
        edge = [min(cells)]
        while edge:
            here = edge.pop()
            found.add(here)
            ring, at = here
            near = {(ring - 1, at), (ring + 1, at), (ring, (at + 1) % 20), (ring, (at - 1) % 20)}
            near |= {other for pair in joined for other in pair if here in pair}
            edge += [cell for cell in near & cells if cell not in found]
        assert found == cells, place.name


def test_every_zone_can_be_reached_from_every_zone(world: WorldMap) -> None:
    for place in world.places:
        assert world.steps[place.name].keys() == world.geography.place.keys()


def test_no_country_has_fewer_than_two_ways_in(world: WorldMap) -> None:
    for place in world.places:
        assert not place.land or len(world.geography.ways[place.name]) >= 2, place.name


def test_islands_are_the_countries_that_touch_water_alone(world: WorldMap) -> None:
    lands = {place.name for place in world.places if place.land}
    for place in world.places:
        touches_land = not lands.isdisjoint(world.geography.borders[place.name])
        assert place.island == (place.land and not touches_land), place.name


KEYS: Final = st.sampled_from(("name", "title", "kind", "beds", "links", "place", "segments", "island", "white", "x"))
VALUES: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(60, 84)
    | st.floats()
    | st.sampled_from(("land", "sea", "S20", "", "a" * 70)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


def is_map_or_mistakes(made: WorldMap | tuple[str, ...]) -> bool:
    return isinstance(made, WorldMap) or (len(made) > 0 and all(isinstance(line, str) and line for line in made))


@settings(deadline=None, max_examples=150, derandomize=True)
@given(st.dictionaries(KEYS, VALUES, max_size=7))
def test_any_table_is_a_map_or_has_its_mistakes_named(some: dict[str, Any]) -> None:
    assert is_map_or_mistakes(world_map(some))


@settings(deadline=None, max_examples=150, derandomize=True)
@given(st.sampled_from(NAMES), st.data())
def test_a_map_with_any_value_changed_is_a_map_or_has_its_mistakes_named(name: str, data: st.DataObject) -> None:
    changed = table(name)
    where = changed if data.draw(st.booleans()) else data.draw(st.sampled_from(changed["place"]))
    where[data.draw(KEYS)] = data.draw(VALUES)
    assert is_map_or_mistakes(world_map(changed))


@pytest.mark.parametrize("beds", [[], {}, [62], True, 62.0, "62", None])
def test_beds_of_another_type_are_a_mistake(beds: object) -> None:
    made = world_map(table("dart_wars") | {"beds": beds})
    assert isinstance(made, tuple)
    assert "beds is 62 or 82." in made
