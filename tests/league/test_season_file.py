"""The file of a season and its list of matches are read as they were written, or refused; the command and its page."""

import csv
import io
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.cli.season_page import WORDS, season_page
from daemon.main import main
from engine.refusals import Refusal
from league.season_file import scores_from_csv, scores_to_csv, season_from_toml, season_to_toml
from league.seasons import Division, Score, Scores, Season, meetings
from league.setup import is_name
from league.tables import CRITERIA, TABLES, TableRules

QUICK: Final = settings(max_examples=40, deadline=None)
FILE: Final = """
season = 1
name = "2026"
games = 12
table = "stourbridge"
[[division]]
name = "First"
teams = ["Crown", "Red Lion", "Swan"]
[[division]]
name = "Second"
teams = ["Bell", "Plough"]
"""
names = st.text(min_size=1, max_size=12).filter(is_name)
rules = st.sampled_from(list(TABLES.values())) | st.builds(
    TableRules,
    st.just("own"),
    *[st.integers(0, 9)] * 3,
    st.lists(st.sampled_from(CRITERIA), min_size=1, unique=True).map(tuple),
)


@st.composite
def seasons(draw: st.DrawFn) -> Season:
    """Any season."""
    teams = draw(st.lists(names, min_size=4, max_size=8, unique=True))
    cut = draw(st.sampled_from([2, len(teams) - 2]))
    divisions = (Division("One", tuple(teams[:cut])), Division("Two", tuple(teams[cut:])))
    return Season(
        draw(names), divisions, draw(st.integers(1, 4)), draw(st.integers(1, 20)), draw(st.integers(0, 3)), draw(rules)
    )


@st.composite
def played(draw: st.DrawFn) -> tuple[Season, Scores]:
    """A season of which some matches were played, all their games."""
    season = draw(seasons())
    found: dict[tuple[str, str], list[Score]] = {}
    for meeting in meetings(season):
        if draw(st.booleans()):
            home = draw(st.integers(0, season.games))
            score = Score(home, season.games - home, draw(st.integers(0, 9)), draw(st.integers(0, 9)))
            found.setdefault((meeting.home, meeting.away), []).append(score)
    return season, found


@given(seasons())
@QUICK
def test_a_season_is_read_as_it_was_written(season: Season) -> None:
    assert season_from_toml(season_to_toml(season)) == season


@given(played())
@QUICK
def test_results_are_read_as_they_were_written(about: tuple[Season, Scores]) -> None:
    season, scores = about
    text = scores_to_csv(season, scores)
    assert scores_from_csv(season, text) == scores
    assert text.count("\n") >= 1 + len(meetings(season))
    # As a spreadsheet saves it where numbers have a decimal comma, with a mark at its beginning.
    for sign in (";", "\t"):
        other = io.StringIO()
        csv.writer(other, delimiter=sign, quoting=csv.QUOTE_ALL).writerows(csv.reader(io.StringIO(text)))
        assert scores_from_csv(season, f"\ufeff{other.getvalue()}") == scores


@given(st.text())
@QUICK
def test_no_text_raises(text: str) -> None:
    assert isinstance(season_from_toml(text), Refusal)
    season = season_from_toml(FILE)
    assert isinstance(season, Season)
    assert isinstance(scores_from_csv(season, text), Refusal)
    scores_from_csv(season, f"home,away,home_games,away_games\n{text}")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("season = 1", "season = 2"), "begins with season = 1"),
        (("games = 12", "games = 0"), "`games` is a number"),
        (("games = 12", "legs = 12"), "not a key of a season"),
        (('"stourbridge"', '"leeds"'), "`table` is one of"),
        (('table = "stourbridge"', 'table = {order = ["luck"]}'), "`order` has each"),
        (('table = "stourbridge"', "table = {win = -1}"), "points from 0 to 99"),
        (('"Bell", "Plough"', '"Bell"'), "two teams at least"),
        (('"Bell"', '"Crown"'), "the same name"),
        (("[[division]]", "[[group]]"), "not a key"),
    ],
)
def test_what_a_season_cannot_be_is_named(change: tuple[str, str], said: str) -> None:
    found = season_from_toml(FILE.replace(*change))
    assert isinstance(found, Refusal)
    assert said in found.message


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    season, results = tmp_path / "2026.toml", tmp_path / "2026.csv"
    season.write_text(FILE)

    def oche(*words: str) -> tuple[int, str]:
        code = main(["season", *words])
        said = capsys.readouterr()
        return code, said.out or said.err

    code, listed = oche("fixtures", str(season))
    assert code == 0
    lines = listed.splitlines()
    assert len(lines) == 1 + 6 + 2
    filled = [lines[0], *(line.removesuffix(",,,,,") + ",7,5,1,0,2026-10-02" for line in lines[1:3]), *lines[3:]]
    results.write_text("\n".join(filled))
    _, day, home, away, *_ = lines[1].split(",")
    assert day == "1"
    code, tables = oche("tables", str(season), "--results", str(results))
    assert code == 0
    assert tables.splitlines()[0] == "First"
    assert home in tables
    assert oche("tables", str(season), "--results", str(results), "--json")[1].count("\n") == 2
    code, after = oche("next", str(season), "--results", str(results), "--name", "2027")
    assert code == 0
    assert isinstance(season_from_toml(after), Season)
    assert 'name = "2027"' in after
    code, page = oche("page", str(season), "--results", str(results), "--language", "de")
    assert code == 0
    assert "7 : 5" in page
    assert away in page
    results.write_text("\n".join([lines[0], f"First,1,{home},{away},8,5"]))
    code, said = oche("tables", str(season), "--results", str(results))
    assert code == 2
    assert "Line 2" in said
    assert oche("tables", str(tmp_path / "none.toml"))[0] == 2


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(played(), st.sampled_from(sorted(WORDS)))
@QUICK
def test_a_page_has_every_team_and_match_as_text(about: tuple[Season, Scores], language: str) -> None:
    season, scores = about
    tags = _Tags()
    tags.feed(season_page(season, scores, language))
    assert tags.seen.count("section") == len(season.divisions)
    assert tags.seen.count("tr") == 2 + sum(len(d.teams) for d in season.divisions) + len(meetings(season))
    assert "script" not in tags.seen
    for division in season.divisions:
        for team in division.teams:
            assert team in tags.text
