"""The face of Yatzy-Dart: its zones, edges and overlay of beds, and the checker of face files."""

import math
from decimal import Decimal, getcontext
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boards
from boards.face_files import face_from_toml
from engine.circles import Circles, Worth
from engine.codec import from_json, to_json
from engine.darts import Position
from engine.geometry import angle_of
from engine.segments import CLOCKWISE, SEGMENTS

TEXT = (Path(boards.__file__).parent / "faces" / "yatzy.toml").read_text("utf-8")


def yatzy() -> Circles:
    face = face_from_toml(TEXT, "yatzy.toml")
    assert isinstance(face, Circles), face
    return face


FACE = yatzy()


def wrong(text: str, file: str = "yatzy.toml") -> list[str]:
    face = face_from_toml(text, file)
    assert isinstance(face, tuple)
    return list(face)


def slow_zone(at: Position) -> str:
    """The zone by decimal arithmetic, with enough digits for the square of the smallest float."""
    getcontext().prec = 1400
    x, y, root = Decimal(repr(at.x)), Decimal(repr(at.y)), Decimal(3).sqrt()
    square = x * x + y * y
    if square < Decimal("0.10") ** 2:
        return "star"
    rings = (("inner", "0.40"), ("middle", "0.70"), ("outer", "1.00"))
    ring = next((name for name, edge in rings if square < Decimal(edge) ** 2), None)
    half, high = Decimal("0.25"), Decimal("0.25") * root
    middles = (
        (Decimal(0), 2 * half),
        (high, half),
        (high, -half),
        (Decimal(0), -2 * half),
        (-high, -half),
        (-high, half),
    )
    inside = [number for number, (u, v) in enumerate(middles, 1) if (x - u) ** 2 + (y - v) ** 2 <= Decimal("0.45") ** 2]
    return "out" if ring is None or not inside else "+".join(map(str, inside)) + "." + ring


def test_there_are_44_zones() -> None:
    singles = {f"{n}.{ring}" for n in range(1, 7) for ring in ("inner", "middle", "outer")}
    pairs = {
        f"{pair}.{ring}" for pair in ("1+2", "2+3", "3+4", "4+5", "5+6", "1+6") for ring in ("inner", "middle", "outer")
    }
    threes = {f"{three}.inner" for three in ("1+2+3", "2+3+4", "3+4+5", "4+5+6", "1+5+6", "1+2+6")}
    assert set(FACE.worth) == singles | pairs | threes | {"star", "out"}


def test_every_zone_is_found_on_a_fine_grid_and_no_other() -> None:
    steps = [i / 75 - 1 + 1 / 300 for i in range(150)]
    assert {FACE.zone_at(Position(x, y)) for x in steps for y in steps} == set(FACE.worth)


@pytest.mark.parametrize(
    ("zone", "worth"),
    [
        ("6.inner", Worth((6,), 3)),
        ("5+6.middle", Worth((5, 6), 2)),
        ("1+2+3.inner", Worth((1, 2, 3), 3)),
        ("1.outer", Worth((1,), 1)),
        ("star", Worth(star=True)),
        ("out", Worth()),
    ],
)
def test_what_a_zone_is_worth(zone: str, worth: Worth) -> None:
    assert FACE.worth[zone] == worth


@pytest.mark.parametrize("name", ["", "6", "6+5.middle", "1+4.inner", "1+2+3.middle", "7.inner", "STAR", "6.inner "])
def test_unknown_zones(name: str) -> None:
    assert not FACE.has_zone(name)


@given(st.decimals("-1.1", "1.1", places=3), st.decimals("-1.1", "1.1", places=3))
@settings(deadline=None, max_examples=300)
def test_a_position_has_the_zone_of_slow_arithmetic(x: Decimal, y: Decimal) -> None:
    at = Position(float(x), float(y))
    assert FACE.zones_of(at) == (slow_zone(at),)


@given(st.integers(0, 23), st.sampled_from([0.1, 0.4, 0.7, 0.95, 1.0]), st.integers(-3, 3))
@settings(deadline=None, max_examples=200)
def test_close_to_an_edge_too(step: int, radius: float, nudge: int) -> None:
    angle = math.tau * step / 24
    x, y = radius * math.sin(angle), radius * math.cos(angle)
    at = Position(math.nextafter(x, nudge) if nudge else x, y)
    assert FACE.zone_at(at) == slow_zone(at)


def test_exact_edges() -> None:
    # 3-4-5 triangles, so that the distances are exact.
    for at, zone in (((0.06, 0.08), "1+2.inner"), ((0.24, 0.32), "1+2.middle"), ((0.42, 0.56), "1+2.outer")):
        assert FACE.zone_at(Position(*at)) == zone == slow_zone(Position(*at))
    assert FACE.zone_at(Position(0.6, -0.8)) == "out"
    # On the edge of circle 1: 0.27 and 0.36 from its centre.
    assert FACE.zone_at(Position(0.27, 0.86)) == "1.outer"
    assert FACE.zone_at(Position(0.27, 0.8600000001)) == "out"


def test_beds_are_laid_over_it_by_their_angle() -> None:
    rings = {"S": "outer", "SI": "outer", "SO": "outer", "D": "middle", "T": "inner"}
    for number in CLOCKWISE:
        apart = {n: abs((angle_of(number) - 60 * (n - 1) + 180) % 360 - 180) for n in range(1, 7)}
        name = "+".join(str(n) for n in sorted(apart) if apart[n] <= 36)
        for prefix, ring in rings.items():
            assert FACE.zones_of(SEGMENTS[f"{prefix}{number}"]) == (f"{name}.{ring}",)
    assert [FACE.overlay[text] for text in ("T11", "D20", "S12")] == ["5+6.inner", "1.middle", "1+6.outer"]
    assert [FACE.overlay[text] for text in ("SB", "DB", "MISS")] == ["star", "star", "out"]


def test_a_face_survives_storage() -> None:
    assert from_json(Circles, to_json(FACE)) == FACE


def test_all_mistakes_are_reported_at_once() -> None:
    text = TEXT.replace("times = 3", "times = 0").replace("angle = 60", "angle = 61").replace("20 = [1]", "20 = []")
    text = text.replace('T = "inner"', 'T = "inner"\nX = "inner"').replace("star = 0.10", 'star = 0.10\ntitel = "x"')
    found = wrong(text)
    assert len(found) == 5 and all(message.startswith("yatzy.toml: ") for message in found)
    for part in (
        "titel is not a key here. Did you mean 'title'?",
        "ring 1: times",
        "circle 2: angle",
        "beds: X",
        "sectors: 20",
    ):
        assert sum(part in message for message in found) == 1, part


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "middle"', 'name = "inner"', "the name inner is given 2 times"),
        ("number = 2", "number = 1", "the number 1 is given 2 times"),
        ("to = 0.40", "to = 0.80", "0.7 comes after 0.8"),
        ("star = 0.10", "star = 0.40", "0.4 comes after 0.4"),
        ('D = "middle"', 'D = "midle"', "midle is not a ring. Did you mean 'middle'?"),
        ("18 = [1, 2]", "18 = [1, 8]", "there is no circle 8"),
        ("18 = [1, 2]", "18 = [1, 4]", "make 1+4.outer, which is nowhere"),
        ('kind = "circles"', 'kind = "squares"', "kind is circles or zones"),
        ('kind = "circles"', "", "kind is circles or zones"),
        ('name = "yatzy"', 'name = "yatsy"', "must be that of the file"),
        ("star = 0.10", "star = nan", "star is the radius"),
        ("star = 0.10", "star = true", "star is the radius"),
        ("number = 1\n", "number = 0x" + "f" * 5000 + "\n", "larger than any"),
        ("[sectors]", "[[sectors]]", "sectors is a table"),
        ("star = 0.10", "star = ", "this is not TOML"),
    ],
)
def test_a_mistake_is_reported(old: str, new: str, said: str) -> None:
    assert old in TEXT
    assert any(said in message for message in wrong(TEXT.replace(old, new, 1)))


def test_a_circle_that_no_sector_belongs_to() -> None:
    text = TEXT.replace("[3, 4]", "[4]").replace("[2, 3]", "[2]").replace("= [3]", "= [2]")
    assert any("no sector belongs to circle 3" in message for message in wrong(text))


LINES = TEXT.splitlines()


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_no_file_raises(data: st.DataObject) -> None:
    lines = list(LINES)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        key = lines[at].partition("=")[0]
        value = data.draw(
            st.sampled_from(["-1", "1e400", "[]", "[[1]]", '""', '"x"', "{}", "1979-05-27", "99", "inf", ""])
        )
        lines[at : at + 1] = data.draw(
            st.sampled_from([[], [f"{key}= {value}"], [lines[at]] * 2, ["[ring]"], ["[[beds]]"]])
        )
    face = face_from_toml("\n".join(lines), "yatzy.toml")
    if isinstance(face, tuple):
        assert face and all(message.startswith("yatzy.toml: ") for message in face)


@given(st.text(max_size=60))
@settings(deadline=None, max_examples=80)
def test_no_text_is_a_face_by_chance(text: str) -> None:
    assert isinstance(face_from_toml(text, "any.toml"), tuple)
