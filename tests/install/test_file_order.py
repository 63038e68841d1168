"""A whole run begins long files early."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.file_order import heavy_files, ordered

NAMES = st.sampled_from("abcdefgh")


def test_the_long_files_are_there() -> None:
    missing = [name for name in heavy_files() if not Path(name).exists()]
    assert not missing, "run scripts/durations.py again"


def test_long_files_come_between_files_of_many_tests() -> None:
    files = ["few", *["many"] * 9, *["some"] * 4, "long", "longer"]
    assert ordered(files, {"long": 20.0, "longer": 30.0, "gone": 40.0}) == ["longer", "many", "long", "some", "few"]


@given(st.lists(NAMES), st.dictionaries(NAMES, st.floats(0, 1000)))
def test_every_file_has_one_place_whatever_the_order_of_collection(files: list[str], heavy: dict[str, float]) -> None:
    found = ordered(files, heavy)
    assert sorted(found) == sorted(set(files))
    assert found == ordered(sorted(files, reverse=True), heavy)
