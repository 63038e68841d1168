"""What the practice drills count for their players, by hand."""

from collections.abc import Mapping
from typing import Any

from engine.actions import Next, Roll, Throw
from engine.games import GAMES
from engine.match import Match
from engine.play import apply
from engine.random_play import start
from engine.segments import CLOCKWISE, SEGMENTS
from engine.statistics import statistics_of, visits


def figures(game: str, text: str, players: tuple[str, ...] = ("Ann",), **options: Any) -> Mapping[str, Any]:
    """The figures of a match by player from its darts; a full stop is `next`, and a number is rolled."""
    match = start(GAMES[game], players, options)
    assert isinstance(match, Match)
    for word in text.split():
        action = Next() if word == "." else Roll((int(word),)) if word.isdigit() else Throw(SEGMENTS[word])
        outcome = apply(match, action)
        assert isinstance(outcome, Match), (word, outcome)
        match = outcome
    counts = statistics_of(GAMES[game])
    return counts.count(visits(match), match.finished)


def shown(game: str, *parts: Mapping[str, Any]) -> dict[str, Any]:
    """What displays get of the figures of several matches."""
    counts = statistics_of(GAMES[game])
    return dict(counts.show(counts.total(parts)))


def test_the_best_and_the_mean_of_whole_drills_and_the_hits_of_all() -> None:
    good = figures("bull_practice", "DB SB MISS . " + "SB . " * 9)["Ann"]
    poor = figures("bull_practice", "MISS MISS SB . " + ". " * 9)["Ann"]
    stopped = figures("bull_practice", "DB DB DB .")["Ann"]
    assert shown("bull_practice", good, poor, stopped) == {
        "best_score": 12,
        "mean_score": 6.5,
        "drills": 2,
        "last_ten": [12, 1],
        "hit_rate": 83.33,  # 11 + 1 + 3 of 12 + 3 + 3 darts
    }


def test_other_options_do_not_compare() -> None:
    short = figures("bull_practice", "DB .", rounds=1)["Ann"]
    assert shown("bull_practice", short) == {"hit_rate": 100.0}


def test_the_class_is_that_of_the_best_challenge() -> None:
    best = figures("jdc_challenge", "S10 D10 T10 . " + ". " * 18)["Ann"]
    last = figures("jdc_challenge", "S10 . " + ". " * 18)["Ann"]
    found = shown("jdc_challenge", best, last)
    assert (found["best_score"], found["mean_score"], found["class"]) == (160, 85.0, "purple")


def test_the_lowest_score_and_the_fewest_rounds_are_best() -> None:
    low = figures("four_twenty", "D1 D1 D1 . " + ". " * 20)["Ann"]
    high = figures("four_twenty", ". " * 20 + "DB .")["Ann"]
    assert shown("four_twenty", low, high)["best_score"] == 370
    done = figures("kill_bull", "DB DB DB . . . DB DB . SB . DB . DB . SB .", ("Ann", "Bob"))
    assert "drills" not in done["Ann"]
    quick = figures("kill_bull", "DB DB DB . DB .")["Ann"]
    slow = figures("kill_bull", "DB . DB . DB . DB .")["Ann"]
    found = {"best_rounds": 2, "mean_rounds": 3.0, "drills": 2, "last_ten": [2, 4], "hit_rate": 100.0}
    assert shown("kill_bull", quick, slow) == found


def test_a_best_of_exactly_0_is_one() -> None:
    perfect = figures("four_twenty", "".join(f"D{number} . " for number in (*CLOCKWISE[1:], 20)) + ".")["Ann"]
    assert perfect["best_score"] == 0
    other = figures("four_twenty", "MISS . " + ". " * 20)["Ann"]
    for parts in ((perfect, other), (other, perfect)):
        assert shown("four_twenty", *parts)["best_score"] == 0
    nothing = figures("bull_practice", ". " * 9 + "MISS .")["Ann"]
    assert shown("bull_practice", nothing)["best_score"] == 0


def test_the_last_ten_results_are_kept_in_their_order() -> None:
    one = figures("bull_practice", "SB . " + ". " * 9)["Ann"]
    two = figures("bull_practice", "DB . " + ". " * 9)["Ann"]
    assert shown("bull_practice", *[one] * 9, two, one)["last_ten"] == [1] * 8 + [2, 1]


def test_the_turns_of_an_a1_drill_that_was_not_done_do_not_compare() -> None:
    numbers = [str(number) for number in range(20, 12, -1)]
    one = " . ".join(f"S{number} S{number} S{number}" for number in numbers) + " . SB SB SB . "
    two = " . ".join(f"S{number} S{number}" for number in numbers) + " . SB SB . "
    assert shown("a1_drill", figures("a1_drill", one + two)["Ann"])["best_turns"] == 18
    assert "best_turns" not in shown("a1_drill", figures("a1_drill", one + ". " * 51)["Ann"])


def test_checkouts_are_those_of_turns_that_could_finish() -> None:
    # 41 in two darts, a bust at 51, and 50 in one; 60 is left unfinished.
    ann = figures("ten_up_one_down", "S9 D16 . T20 . DB . S20 .")["Ann"]
    assert shown("ten_up_one_down", ann) == {"checkouts": 2, "checkout_rate": 50.0, "best_checkout": 50}
    # 169 cannot be finished in three darts, so that turn was no chance.
    ann = figures("checkout_121", "S1 S1 S1 . S20 .", start=172, top=200)["Ann"]
    assert shown("checkout_121", ann) == {"checkouts": 0}


def test_a_drawn_finish_counts_from_the_roll() -> None:
    ann = figures("random_checkout", "39 S20 D10 . 1 S1 .")["Ann"]
    assert shown("random_checkout", ann) == {"checkouts": 1, "checkout_rate": 50.0, "best_checkout": 40}
