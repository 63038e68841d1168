"""Results of a season from matches: who belongs to a team, what an evening counts, and to which meeting it belongs."""

from datetime import date, timedelta
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.refusals import Refusal
from league.season_file import scores_from_csv, scores_to_csv, season_from_toml, season_to_toml
from league.season_matches import PlayedMatch, played_from_json, played_from_view, results_of
from league.seasons import Division, Score, Season, meetings

QUICK: Final = settings(max_examples=40, deadline=None)
FIRST: Final = date(2026, 10, 2)
PUBS: Final = Season(
    "2026",
    (Division("First", ("Crown", "Swan")),),
    games=3,
    players={"Crown": ("Ann", "Bob", "Cem"), "Swan": ("Dora", "Eve", "Fin")},
)
SINGLES: Final = Season(
    "2026", (Division("First", ("Ann", "Bob", "Cem")), Division("Second", ("Dora", "Eve"))), games=7
)


def single(day: int, home: str, away: str, legs: tuple[int, int], maximums: tuple[int, int] = (0, 0)) -> PlayedMatch:
    """A match of two players."""
    won = None if legs[0] == legs[1] else int(legs[1] > legs[0])
    return PlayedMatch(FIRST + timedelta(day), ((home,), (away,)), won, legs, maximums)


def test_the_legs_of_single_players_are_their_games_and_days_are_meetings_in_order() -> None:
    played = [
        single(7, "Ann", "Bob", (4, 2)),
        single(0, "Ann", "Bob", (1, 4), (2, 1)),
        single(0, "Dora", "Ann", (4, 0)),
    ]
    found, said = results_of(SINGLES, played, {})
    first, second = [(m.home, m.away) for m in meetings(SINGLES) if {m.home, m.away} == {"Ann", "Bob"}]
    assert first == second[::-1]
    ann, bob = Score(1, 4, 2, 1, FIRST), Score(4, 1, 1, 2, FIRST)
    assert found[first] == [ann if first[0] == "Ann" else bob]
    later = FIRST + timedelta(7)
    assert found[second] == [Score(4, 2, 0, 0, later) if second[0] == "Ann" else Score(2, 4, 0, 0, later)]
    # Dora and Ann play in other divisions.
    assert len(found) == 2
    assert said == ()


def test_the_matches_of_an_evening_are_the_games_of_teams_doubles_too() -> None:
    played = [
        single(0, "Ann", "Dora", (2, 0), (1, 0)),
        single(0, "Eve", "Bob", (2, 1), (0, 1)),
        PlayedMatch(FIRST, (("Ann", "Cem"), ("Dora", "Fin")), 0, (2, 1)),
        single(7, "Ann", "Dora", (2, 0)),
        single(7, "Ann", "Bob", (2, 0)),
        PlayedMatch(FIRST, (("Ann", "Dora"), ("Bob", "Eve")), 0, (2, 1)),
        single(7, "Ann", "A guest", (2, 0)),
    ]
    found, said = results_of(PUBS, played, {})
    (sides, (score,)), *others = found.items()
    assert others == []
    assert score == (Score(2, 1, 2, 0, FIRST) if sides[0] == "Crown" else Score(1, 2, 0, 2, FIRST))
    assert said == ("Crown against Swan on 2026-10-09: 1:0 does not end a match of 3 games; it does not count.",)


def test_what_was_typed_stays_and_takes_its_day_or_the_earliest_one() -> None:
    played = [single(day, "Dora", "Eve", (4, 0)) for day in (0, 7, 14)]
    sides = [(m.home, m.away) for m in meetings(SINGLES) if m.division == "Second"]
    for day, free in ((FIRST + timedelta(7), 0), (None, 7)):
        typed = {sides[0]: [Score(3, 4, day=day)]}
        found, said = results_of(SINGLES, played, typed)
        assert found[sides[0]] == typed[sides[0]]
        assert [score.day for score in found[sides[1]]] == [FIRST + timedelta(free)]
        assert said == ("Dora against Eve on 2026-10-16: the season has no more matches of these two.",)


@st.composite
def evenings(draw: st.DrawFn) -> list[PlayedMatch]:
    """Matches of single players, some of them unfinished, on up to 30 days."""
    names = st.sampled_from(["Ann", "Bob", "Cem", "Dora", "Eve", "A guest"])
    found = []
    for _ in range(draw(st.integers(0, 12))):
        home, away = draw(names), draw(names)
        if home != away:
            found.append(single(draw(st.integers(0, 30)), home, away, draw(st.tuples(*[st.integers(0, 5)] * 2))))
    return found


@given(evenings(), st.randoms(use_true_random=False))
@QUICK
def test_the_order_of_matches_is_no_matter_and_the_list_can_be_filled_again(
    played: list[PlayedMatch], random: Any
) -> None:
    found, said = results_of(SINGLES, played, {})
    mixed = random.sample(played, len(played))
    assert results_of(SINGLES, mixed, {}) == (found, said)
    read = scores_from_csv(SINGLES, scores_to_csv(SINGLES, found))
    assert read == found
    assert not isinstance(read, Refusal)
    assert results_of(SINGLES, mixed, read)[0] == found


@given(evenings())
@QUICK
def test_a_match_is_read_as_it_was_written(played: list[PlayedMatch]) -> None:
    assert [played_from_json(match.to_json()) for match in played] == played


@pytest.mark.parametrize("value", [None, {}, {"day": "x", "sides": [["A"], ["B"]], "won": 0, "legs": [1, 0]}, [1]])
def test_what_is_not_a_match_is_refused(value: object) -> None:
    assert isinstance(played_from_json(value), Refusal)


def test_sides_legs_and_180s_are_read_from_the_end_of_a_match() -> None:
    ann = {"name": "Ann", "won": True, "legs": 2, "awards": {"ton_80": 3}}
    bob = {"name": "Bob", "legs": 1}
    found = played_from_view(FIRST, {"players": [bob, ann]})
    assert found == PlayedMatch(FIRST, (("Bob",), ("Ann",)), 1, (1, 2), (0, 3))
    assert played_from_view(FIRST, {"players": [ann, bob, {"name": "Cem"}]}) is None
    teams = [{"name": name, "team": team, "won": team == "b"} for name, team in zip("ACBD", "abab", strict=True)]
    assert played_from_view(FIRST, {"players": teams}) == PlayedMatch(FIRST, (("A", "B"), ("C", "D")), 1, (0, 1))


def test_players_of_teams_are_in_the_file() -> None:
    assert season_from_toml(season_to_toml(PUBS)) == PUBS
    text = season_to_toml(PUBS)
    for wrong in (text.replace("Dora", "Ann"), text.replace('"Swan" = [', '"Bell" = ['), text.replace('"Dora"', '""')):
        assert isinstance(season_from_toml(wrong), Refusal)
