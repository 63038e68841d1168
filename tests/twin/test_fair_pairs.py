"""The handicaps of the guide are as fair as it says: 2,000 matches of each pair, with the same draws in every run."""

import re
from pathlib import Path
from typing import Final

import pytest

pytest.importorskip("numpy")

from daemon.system.catalogue import faces, games
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from tests.twin.fair_pairs import AT_ONCE, PAIRS

GUIDE: Final = Path(__file__).parents[2] / "docs" / "twin.md"
MATCHES: Final = 2_000
ERRORS: Final = 4 * 100 * (0.25 / MATCHES) ** 0.5
"""Four standard errors of a share of them, in percent."""
ROW: Final = re.compile(r"\| (\w+) ([\d.]+) mm, (\w+) ([\d.]+) mm \| ([\w ,]+) \| ([\d.]+) % \| ([\d.]+) % \|")
POINTS: Final = " points"
"""What is behind points to begin with, on top of a handicap."""
FEW: Final = ("Ida", "Mia")
"""The pairs at X01 that are played: each further hand takes a second."""


def rows(game: str) -> list[tuple[str, float, str, float, dict[str, dict[str, int]], float]]:
    """The pairs of a game in the guide: the hands, the handicap, and what the first player won, in percent."""
    part = GUIDE.read_text().split(f"`python -m tests.twin.fair_pairs {game}")[1].split("\n\n")[1]
    found = []
    for one, mm, other, other_mm, given, _, won in ROW.findall(part):
        options: dict[str, dict[str, int]] = {}
        for each in given.split(", "):
            name, number = each.removesuffix(POINTS).split()
            options.setdefault("handicap_points" if each.endswith(POINTS) else "handicap", {})[name] = int(number)
        found.append((one, float(mm), other, float(other_mm), options, float(won)))
    return found


CASES: Final = [(game, *row) for game in AT_ONCE for row in rows(game) if game != "x01" or row[0] in FEW]


@pytest.mark.parametrize("game", AT_ONCE)
def test_the_guide_has_all_pairs(game: str) -> None:
    assert [row[:4] for row in rows(game)] == list(PAIRS)


@pytest.mark.parametrize(("game", "one", "mm", "other", "other_mm", "options", "won"), CASES)
def test_a_pair_wins_as_often_as_the_guide_says(
    game: str, one: str, mm: float, other: str, other_mm: float, options: dict[str, dict[str, int]], won: float
) -> None:
    match = open_match(Header(game, (one, other), options, NEWEST), games(), faces())
    assert isinstance(match, Match), match
    share = 100 * AT_ONCE[game](match, {one: mm, other: other_mm}, frozenset(), MATCHES, 5)
    assert share == pytest.approx(won, abs=ERRORS)
    if game == "x01":
        # The rules let an even handicap be found, so it is.
        assert won == pytest.approx(50, abs=1)
