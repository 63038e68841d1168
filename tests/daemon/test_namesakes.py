"""Players with cards of a league and the same name: each has a name of their own at the node."""

from pathlib import Path

import pytest

from daemon.people.league_cards import MOST_NAMESAKES, accept, shown_cards
from engine.matchfile import MAX_NAME
from engine.refusals import Refusal


@pytest.mark.parametrize("name", ["Ann", "A" * MAX_NAME, "A" * (MAX_NAME - 5) + " BCDE"])
def test_no_two_namesakes_become_one_player(tmp_path: Path, name: str) -> None:
    names = [accept(tmp_path, f"{n:032x}", name, "") for n in range(MOST_NAMESAKES)]
    assert names[0] == name
    assert len(set(names)) == MOST_NAMESAKES
    for one in names:
        assert isinstance(one, str)
        assert len(one) <= MAX_NAME
        assert "  " not in one
    one_more = accept(tmp_path, "f" * 32, name, "")
    assert isinstance(one_more, Refusal)
    assert one_more.reason == "not_allowed"
    assert accept(tmp_path, f"{0:032x}", name, "") == name, "one who was here before stays"
    assert len(shown_cards(tmp_path)) == MOST_NAMESAKES
