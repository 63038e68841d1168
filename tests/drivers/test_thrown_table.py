"""The table of times in `docs/boards.md`: it is what was measured, and a share of it is measured again."""

import pytest

from tests.drivers.boards import RIGS
from tests.drivers.thrower import COLUMNS, DOCS, HEADER, SHARE, choices, judge, kept, ordered, table


def test_the_guide_has_what_was_measured() -> None:
    """Which times are chosen is read from the dialects: after a change of them the script writes the table again."""
    text = DOCS.read_text(encoding="utf-8")
    written = text[text.index(HEADER[0]) :].split("\n\n")[0].splitlines()
    assert written == table(), "python -m tests.drivers.thrower BOARD --write"


def test_every_board_is_in_it_with_enough_darts() -> None:
    found = kept()
    assert set(found) == set(RIGS)
    for rig in ordered():
        assert [one["all"][0] > 99_000 for one in found[rig.name]] == [True] * len(choices(rig))


@pytest.mark.parametrize("name", sorted(RIGS))
def test_a_share_of_it_comes_out_the_same(name: str) -> None:
    rig = RIGS[name]
    thrown = judge(rig, 0, choices(rig), SHARE)
    assert [[one[column] for column in COLUMNS] for one in thrown] == [one["share"] for one in kept()[name]]
