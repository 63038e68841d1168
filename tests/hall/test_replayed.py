"""What the pages make of a match: the same board however its lines come, and the story of its visits."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hall.installed import faces, games
from hall.pages.answers import SILENT, state_of
from hall.pages.look import ago, rendered
from hall.pages.words import WORDS
from hall.past import NodeShown
from hall.replayed import after, opened, picture_of
from hall.results import results_of
from hall.told import told
from tests.hall.evening import header, visit, won_by_first

NOW = datetime(2026, 11, 23, 20, tzinfo=UTC)
LINES = [line for n in range(12) for line in (*visit(n), *(['{"undo":true}', '{"next":true}'] if n % 3 == 0 else []))]


@settings(max_examples=30, deadline=None)
@given(cuts=st.lists(st.integers(0, len(LINES)), max_size=8), game=st.sampled_from(["x01", "cricket", "count_up"]))
def test_a_board_is_the_same_however_its_lines_come(cuts: list[int], game: str) -> None:
    whole = after(opened(header(game, 2, {}), games(), faces()), LINES)
    assert whole.match is not None
    pieces = opened(header(game, 2, {}), games(), faces())
    for start, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(LINES)], strict=True):
        pieces = after(pieces, LINES[start:end])
    assert pieces.match is not None
    assert (pieces.lines, picture_of(pieces.match)) == (len(LINES), picture_of(whole.match))


def test_partners_are_one_side() -> None:
    options = {"teams": 2}
    match = opened(header("x01", 4, options), games(), faces()).match
    assert match is not None
    assert [(side.seats, side.active) for side in picture_of(match).sides] == [((1, 3), True), ((2, 4), False)]


@pytest.mark.parametrize("text", ["", "\n", "[]\n", header("x01", 2, {}) + "\n{}\n", header("unknown", 2, {}) + "\n"])
def test_a_file_that_cannot_be_told_is_no_story(text: str) -> None:
    assert told(text, games(), faces()) is None


def test_a_story_has_the_result_and_every_visit() -> None:
    story = told(won_by_first(), games(), faces())
    assert story is not None
    assert [(player.seat, player.won) for player in story.players] == [(1, True), (2, False)]
    assert dict(zip(story.columns, story.players[0].cells, strict=True))["score"] == "0"
    assert [(one.seat, one.darts, one.score) for one in story.visits] == [(1, ("T17", "DB"), "0")]


@pytest.mark.parametrize(
    ("finished", "winners", "expected"),
    [(True, [1], "won"), (True, [], "drawn"), (True, [1, 2], "drawn"), (False, [], ""), (True, [2], "")],
)
def test_a_match_is_won_drawn_or_counts_nothing(finished: bool, winners: list[int], expected: str) -> None:
    figures = {"game": "x01", "finished": finished, "winners": winners, "seats": [{"seat": 1}, {"seat": 2}]}
    first = results_of(7, "2026", figures)[0]
    assert (first.won, first.drawn) == (expected == "won", expected == "drawn")


def test_partners_who_win_have_won() -> None:
    figures = {"game": "x01", "finished": True, "winners": [1, 3], "seats": [{"seat": seat} for seat in (1, 2, 3, 4)]}
    assert [result.won for result in results_of(7, "2026", figures)] == [True, False, True, False]


def test_a_node_is_late_silent_or_well() -> None:
    def node(seen: datetime | None, waiting: int = 0, revoked: bool = False) -> NodeShown:
        return NodeShown("crown", seen, waiting, revoked, 0, None, 0)

    assert state_of(node(NOW), NOW) == "good"
    assert state_of(node(NOW, 3), NOW) == "late"
    assert state_of(node(NOW - SILENT), NOW) == "silent"
    assert state_of(node(None), NOW) == "never"
    assert state_of(node(NOW, revoked=True), NOW) == "revoked"


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=20), "1 min"),
        (timedelta(minutes=119), "119 min"),
        (timedelta(hours=2), "2 hours"),
        (timedelta(hours=47), "47 hours"),
        (timedelta(days=2), "2 days"),
        (timedelta(days=40), "40 days"),
    ],
)
def test_how_long_ago_is_said_in_whole_units(passed: timedelta, said: str) -> None:
    assert ago("en", NOW - passed, NOW) == said


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_text_has_the_same_values_in_each_language(language: str) -> None:
    for key, text in WORDS.items():
        values = {part.split("}")[0] for part in text.en.split("{")[1:]}
        assert {part.split("}")[0] for part in text.to_json()[language].split("{")[1:]} == values, key
    assert rendered("message.html", "fr", page="", key="missing").startswith("<!doctype html>")
