"""Players' statistics: compared with figures worked out by hand, and with what the games themselves count."""

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.history.archive import Archive
from daemon.history.figures_json import load
from daemon.history.match_import import read_match_file
from daemon.history.statistics import Figures, of_match, to_json, total
from daemon.record.journal import Imported, Journal
from daemon.session.rollouts import next_action
from daemon.system.catalogue import faces, games
from engine.actions import Correct, Throw, Undo, action_from_json
from engine.games import GAMES, cricket_state, x01, x01_state
from engine.match import Header, Match
from engine.matchfile import open_match
from engine.play import apply, replayed
from engine.random_play import random_match
from engine.refusals import Refusal
from engine.segments import SEGMENTS
from engine.statistics import Statistics
from tests.games.setups import SETUPS, face_of
from tests.games.test_guide import FILES, installed, site  # noqa: F401

BEFORE_GAMES_COUNTED: Final = """{"matches": 2, "won": 1, "games": {"x01": 2}, "beds": {"T20": 3},
"x01": {"points": 202, "darts": 8, "first_points": 202, "first_darts": 8, "legs": 1, "chances": 2,
"tons": {"100": 1}, "best_visit": 120,
"best_checkout": 120, "best_leg": 9}, "cricket": {"marks": 0, "rounds": 0, "best": 0.0}}"""
"""A row of `figures.db` from a version in which the daemon itself counted X01 and Cricket."""


def played(game: str, text: str, players: tuple[str, ...] = ("Ann", "Bob"), **options: Any) -> Match:
    """A match from words: a bed is a dart, `.` is next, `<` is undo, `2=T20` corrects the second dart."""
    match = open_match(Header(game, players, options), games(), faces())
    assert isinstance(match, Match)
    for word in text.split():
        dart, equals, bed = word.partition("=")
        value: Any = {".": {"next": True}, "<": {"undo": True}}.get(word, {"throw": word})
        action = action_from_json({"correct": {"dart": int(dart), "throw": bed}} if equals else value)
        assert not isinstance(action, Refusal)
        outcome = apply(match, action)
        assert not isinstance(outcome, Refusal), (word, outcome)
        match = outcome
    return match


def figures(match: Match, name: str = "Ann") -> dict[str, Any]:
    return to_json(of_match(match)[name], games())


def sums_of(figures: Figures, game: str, *names: str) -> tuple[Any, ...]:
    """Some figures at one game, each 0 where nothing was counted."""
    return tuple(figures.by_game.get(game, {}).get(name, 0) for name in names)


def test_averages_by_hand() -> None:
    """One visit, a bust, and a finish from 120."""
    # 201 double out. Ann: T20 S20 S1 (81, 120 left), T20 T20 finishes nothing: 120 - 120 = 0 by a triple, bust.
    # Then T20 S20 D20: 120 out. Points 81 + 0 + 120 = 201 with 3 + 2 + 3 = 8 darts: 201 x 3 / 8 = 75.375.
    match = played("x01", "T20 S20 S1 . S1 . T20 T20 . S1 . T20 S20 D20 .", start=201)
    assert match.finished
    ann = figures(match)
    assert ann["x01"]["average"] == 75.38
    assert ann["x01"]["first_nine"] == 75.38
    # One dart could have finished: the D20, with 40 left. After the first T20 of the bust 60 were left.
    assert (ann["x01"]["legs"], ann["x01"]["checkout_rate"]) == (1, 100.0)
    assert (ann["x01"]["best_visit"], ann["x01"]["best_checkout"]) == (120, 120)
    assert ann["x01"]["tons"] == {"100": 1}
    assert "best_leg" not in ann["x01"]
    assert (ann["matches"], ann["won"], ann["games"]) == (1, 1, {"x01": 1})
    assert ann["beds"] == {"T20": 4, "S20": 2, "D20": 1, "S1": 1}
    bob = figures(match, "Bob")
    assert (bob["won"], bob["x01"]["average"], bob["beds"]) == (0, 3.0, {"S1": 2})


def test_the_first_nine_are_of_each_leg() -> None:
    """Alone from 101, two legs. First: 60, 20, 1 and D10; nine darts, with three misses, are over before it."""
    leg = "T20 MISS MISS . S20 MISS MISS . S1 MISS MISS . D10 ."
    match = played("x01", f"{leg} T20 S1 D20 .", ("Ann",), start=101, legs=2)
    x01_figures = figures(match)["x01"]
    # 81 in 9 darts of the first leg, 101 in 3 of the second: 182 x 3 / 12 = 45.5. In all 202 x 3 / 13 = 46.615.
    assert (x01_figures["first_nine"], x01_figures["average"]) == (45.5, 46.62)
    # Chances: at 21 none, at 20 both misses and the D10 in the first leg; at 40 one in the second.
    assert x01_figures["checkout_rate"] == 50.0


def test_the_best_leg_is_of_501() -> None:
    nine = "T20 T20 T20 . S1 . T20 T20 T20 . S1 . T20 T19 D12 ."
    ann = figures(played("x01", nine))["x01"]
    assert (ann["best_leg"], ann["best_checkout"], ann["tons"]) == (9, 141, {"180": 2, "140": 1})
    assert ann["average"] == 167.0


def test_an_undone_dart_was_never_thrown() -> None:
    match = played("x01", "T20 < S5 S5 2=T19 S1 .")
    assert figures(match)["beds"] == {"S1": 1, "S5": 1, "T19": 1}
    assert figures(match)["x01"]["average"] == 63.0


def test_darts_after_a_corrected_end_of_a_visit_do_not_count() -> None:
    """The first dart of the visit is corrected and finishes the leg, so the two after it do not count."""
    match = played("x01", "S1 S1 S1 1=D20 .", ("Ann",), start=101, handicap={})
    assert figures(match)["x01"]["darts"] == 3
    match = played("x01", "S1 S20 T20 . S1 S1 S1 1=D10 .", ("Ann",), start=101)
    ann = figures(match)
    assert match.finished
    assert ann["x01"]["darts"] == 4
    assert ann["beds"] == {"D10": 1, "S1": 1, "S20": 1, "T20": 1}


def test_marks_per_round_by_hand() -> None:
    """T20 3, D19 2, MISS; then T20 3 more that score, S5 none: 8 marks in 2 rounds."""
    match = played("cricket", "T20 D19 MISS . S1 . T20 S5 . ")
    assert figures(match)["cricket"] == {"mpr": 4.0, "rounds": 2}
    assert figures(match, "Bob")["cricket"] == {"mpr": 0.0, "rounds": 1}


@pytest.mark.parametrize(("game", "options"), [(g, o) for g in ("x01", "cricket") for o in SETUPS.get(g, ({},))])
@settings(max_examples=6)
@given(seats=st.integers(1, 4), seed=st.integers(0, 2**32))
def test_the_games_count_the_same(game: str, options: dict[str, Any], seats: int, seed: int) -> None:
    names = ("Ann", "Bob", "Cid", "Dee")[:seats]
    record = random_match(GAMES[game], names, options, None, Random(seed), 400)
    begun = open_match(record.header, games(), faces())
    assert isinstance(begun, Match)
    match = replayed(begun, record.actions)
    assert isinstance(match, Match)
    found, shown = of_match(match), {player["name"]: player for player in match.view()["players"]}
    for name, seat in zip(names, match.state.seats, strict=True):
        if isinstance(seat, x01_state.Seat):
            # The game counts the points of a visit that is still open, and so do we.
            assert sums_of(found[name], "x01", "points", "darts") == (seat.total.points, seat.total.darts)
            assert to_json(found[name], games()).get("x01", {"average": 0.0})["average"] == shown[name]["average"]
        elif isinstance(seat, cricket_state.Seat):
            assert sums_of(found[name], "cricket", "marks", "rounds") == (seat.counted, seat.rounds)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=4)
@given(seed=st.integers(0, 2**32))
def test_every_game_has_figures(game: str, seed: int) -> None:
    names = ("Ann", "Bob", "Cid")
    record = random_match(GAMES[game], names, {}, face_of(GAMES[game], {}), Random(seed), 200)
    match = open_match(record.header, games(), faces())
    assert isinstance(match, Match)
    for action in record.actions:
        match = getattr(apply(match, action), "match", match)
    found = of_match(match)
    assert set(found) == set(names)
    for one in found.values():
        assert set(one.beds) <= set(SEGMENTS)
        assert one.games == {game: 1}


@settings(max_examples=20)
@given(st.lists(st.sampled_from([*SEGMENTS, ".", "<", "2=T20", "1=D20"]), max_size=40))
def test_undoing_everything_leaves_nothing(words: list[str]) -> None:
    match = open_match(Header("x01", ("Ann", "Bob"), {"start": 101}), games(), faces())
    assert isinstance(match, Match)
    for word in words:
        dart, equals, bed = word.partition("=")
        action = Correct(int(dart), SEGMENTS[bed]) if equals else Throw(SEGMENTS[word]) if word in SEGMENTS else Undo()
        match = getattr(apply(match, action), "match", match)
    sums = of_match(match)
    assert sum(sum(one.beds.values()) for one in sums.values()) <= len(match.played)
    while not isinstance(outcome := apply(match, Undo()), Refusal):
        match = outcome
    assert all(not one.beds and sums_of(one, "x01", "darts") == (0,) for one in of_match(match).values())


def test_who_plays_alone_beats_nobody() -> None:
    """Also where the game itself says that they have won."""
    match = played("x01", "T20 S1 D20 .", ("Ann",), start=101)
    assert match.view()["winners"] == ["Ann"]
    assert {key: figures(match)[key] for key in ("matches", "alone", "won")} == {"matches": 1, "alone": 1, "won": 0}
    both = figures(played("x01", "T20 S1 D20 .", start=101))
    assert (both["won"], both.get("alone")) == (1, None)


def test_who_beats_the_house_has_won() -> None:
    opened = open_match(Header("boss_fight", ("Ann",), {}), games(), faces())
    assert isinstance(opened, Match)
    random, match = Random(1), opened
    while not match.finished:
        action = next_action(match.game, match.state, {"Ann": 1.0}, random)
        after = apply(match, action)
        assert isinstance(after, Match)
        match = after
    assert match.view()["winners"] == ["Ann"]
    assert (figures(match)["won"], figures(match).get("alone")) == (1, None)


def test_figures_add_up() -> None:
    one, two = (of_match(played("x01", text))["Ann"] for text in ("T20 S1 S1 .", "T19 T19 T19 ."))
    both = total([one, two], games())
    assert both.matches == 2
    assert sums_of(both, "x01", "points", "darts", "best_visit") == (62 + 171, 6, 171)
    assert both.beds == {"T19": 3, "S1": 2, "T20": 1}
    assert total([], games()) == Figures()
    assert total([one], games()) == one
    assert to_json(Figures(), games()) == {"matches": 0, "won": 0, "games": {}, "beds": {}}


@settings(max_examples=8)
@given(game=st.sampled_from(["x01", "cricket"]), seed=st.integers(0, 2**32))
def test_partners_have_figures_of_their_own(game: str, seed: int) -> None:
    """Each has what they threw, and together they have what the game counts for their team."""
    names, options = ("Ann", "Bob", "Cid", "Dee", "Eve"), {"teams": 2}
    record = random_match(GAMES[game], names, options, None, Random(seed), 300)
    begun = open_match(record.header, games(), faces())
    assert isinstance(begun, Match)
    match = replayed(begun, record.actions)
    assert isinstance(match, Match)
    found = of_match(match)
    for team, seat in enumerate(match.state.seats):
        partners = total((found[name] for name in names[team::2]), games())
        if isinstance(seat, x01_state.Seat):
            assert sums_of(partners, "x01", "points", "darts", "best_leg") == (seat.total.points, seat.total.darts, 0)
        else:
            assert sums_of(partners, "cricket", "marks", "rounds") == (seat.counted, seat.rounds)


def test_stored_figures_of_an_earlier_version_stay_valid() -> None:
    """They are not counted again, and new matches add to them."""
    before = load(BEFORE_GAMES_COUNTED)
    assert to_json(before, games()) == {
        "matches": 2, "won": 1, "games": {"x01": 2}, "beds": {"T20": 3},
        "x01": {
            "average": 75.75, "ppd": 25.25, "first_nine": 75.75, "darts": 8, "legs": 1, "tons": {"100": 1},
            "best_visit": 120, "checkout_rate": 50.0, "best_checkout": 120, "best_leg": 9,
        },
    }  # fmt: skip
    both = total([before, of_match(played("x01", "T20 T20 T20 ."))["Ann"]], games())
    assert sums_of(both, "x01", "points", "best_visit", "best_checkout", "best_leg") == (382, 180, 120, 9)
    assert both.by_game["x01"]["tons"] == {"100": 1, "180": 1}


def test_a_game_of_another_package_counts_for_its_players(installed: Path, tmp_path: Path) -> None:  # noqa: F811
    """The game of `docs/games.md`, from its entry point to what `/players.json` answers."""
    with contextlib.closing(Journal(tmp_path)) as journal:
        archive = Archive(journal, games(), faces())
        read = read_match_file(FILES["hot_number.jsonl"].encode(), games(), faces())
        assert isinstance(read, Imported)
        asyncio.run(journal.write(read))
        players = archive.players()
    assert isinstance(players, list)
    figures = {player["name"]: dict(player)["hot_number"] for player in players}
    assert figures["Ann"] == {"average": 4.0, "best_turn": 4}
    assert figures["Bob"] == {"average": 4.0, "best_turn": 4}


@pytest.mark.parametrize("fault", ["count", "show", "value"])
def test_a_fault_in_the_statistics_of_a_game_is_its_own(fault: str) -> None:
    """The game has no figures then; matches, wins and beds are counted."""

    def raise_error(*_: object) -> Any:
        raise ZeroDivisionError

    good = x01.X01().statistics()
    broken = {
        "count": Statistics(raise_error, good.show),
        "show": Statistics(good.count, raise_error),
        "value": Statistics(lambda _visits, _finished: {"Ann": {"average": cast("Any", object())}}),
    }[fault]

    class Broken(x01.X01):
        def statistics(self) -> Statistics[x01_state.State]:
            return broken

    match = replace(played("x01", "T20 T20 S1 ."), game=Broken())
    shown = to_json(of_match(match)["Ann"], {"x01": match.game})
    expected = {"matches": 1, "won": 0, "games": {"x01": 1}, "beds": {"S1": 1, "T20": 2}}
    assert shown == expected | {"awards": {"low_ton": 1}}


def test_the_figures_of_a_match_in_legs_are_those_of_the_whole_match() -> None:
    """The first nine are of each leg; the best marks per round are of a match, not of its best leg."""
    match = played("x01", "T20 S1 D20 . S1 . T20 S1 D20 .", start=101, best_of=3)
    ann = figures(match)["x01"]
    assert (ann["average"], ann["first_nine"], ann["darts"], ann["legs"]) == (101.0, 101.0, 6, 2)
    legs = "T20 T19 . MISS MISS MISS . D20 MISS MISS . MISS MISS MISS . S20 T19"
    running = played("cricket", f"{legs}", numbers=[20, 19], best_of=3)
    assert figures(running)["cricket"] == {"mpr": 4.0, "rounds": 3}
    over = played("cricket", f"{legs} .", numbers=[20, 19], best_of=3)
    assert over.finished
    assert figures(over)["cricket"] == {"mpr": 4.0, "rounds": 3, "best_mpr": 4.0}
