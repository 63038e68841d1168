"""What happens on the evening: withdrawals, walk-overs, corrections, calls to boards, undo."""

from collections import Counter
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.refusals import Refusal
from league.events import Call, Correct, Draw, Enter, Reopened, Report, Undo, Withdraw
from league.fixtures import NOBODY
from league.record import Record
from league.schedule import forecast, next_calls
from league.setup import setup_from_json
from tests.league.evening import call, do, drawn, now, on_boards, play_all, ready, score, setup
from tests.league.test_formats import FORMATS

QUICK: Final = settings(max_examples=20, deadline=None)
KEYS: Final = st.sampled_from(sorted(FORMATS))


@given(KEYS, st.integers(4, 12), st.randoms(use_true_random=False), st.floats(0.0, 0.5))
@QUICK
def test_withdrawals_at_any_moment_leave_a_valid_draw(name: str, count: int, random: Any, often: float) -> None:
    gone: set[int] = set()

    def leave(record: Record) -> Record:
        left = [entrant for entrant in now(record).entrants if entrant.number not in gone]
        if len(left) < 2 or random.random() >= often:
            return record
        entrant = random.choice(left)
        gone.add(entrant.number)
        found = do(record, Withdraw(entrant.name))
        for pairing in ready(found):
            assert not {pairing.home, pairing.away} & gone
        return found

    record = play_all(drawn(count, **FORMATS[name]), random.randrange, leave)
    assert now(record).over
    for pairing in now(record).standing.pairings.values():
        assert pairing.home is not None
        assert pairing.away is not None
        if pairing.state in ("done", "walkover", "bye"):
            assert pairing.winner is not None
    if FORMATS[name]["format"] in ("knockout", "double"):
        final = [p for p in now(record).standing.pairings.values() if p.fixture.from_end == 1][-1]
        assert final.winner is not None
        assert len(gone) >= count - 1 or final.winner != NOBODY


@given(KEYS, st.integers(4, 12), st.integers(1, 8), st.randoms(use_true_random=False))
@QUICK
def test_nobody_is_on_two_boards_at_once(name: str, count: int, boards: int, random: Any) -> None:
    names = [f"board-{number}" for number in range(boards)]
    record = drawn(count, **FORMATS[name])
    while not now(record).over:
        for fixture, board in next_calls(now(record), names):
            record = do(record, Call(fixture, board))
        playing = on_boards(record)
        assert len(playing) == len(set(playing))
        assert len(set(now(record).calls.values())) == len(now(record).calls) <= boards
        # No board is idle while a match could be on it.
        idle = len(now(record).calls) < boards
        assert not idle or all(
            {pairing.home, pairing.away} & {int(player[1:]) for player in playing} for pairing in ready(record)
        )
        fixture = random.choice(sorted(now(record).calls))
        pairing = now(record).standing.pairings[fixture]
        record = do(record, Report(fixture, score(record, pairing.fixture, home=random.random() < 0.5)))


def test_a_call_to_a_taken_board_or_of_a_busy_player_is_refused() -> None:
    record = drawn(4, format="round_robin")
    first, second, *_ = [pairing.fixture.id for pairing in ready(record)]
    record = do(record, Call(first, "one"))
    assert isinstance(call(record, second, "one"), Refusal)
    # It would count as begun now, and the result of the match that is on the board never be taken.
    assert isinstance(call(record, first, "one"), Refusal)
    assert now(do(record, Call(first, "two"))).calls == {first: "two"}
    shared = next(p for p in ready(record) if p.fixture.id not in (first, second))
    assert isinstance(call(record, shared.fixture.id, "two"), Refusal)
    assert now(do(record, Call(first, None))).calls == {}


@given(KEYS, st.integers(4, 16), st.randoms(use_true_random=False), st.sampled_from(["again", "keep"]))
@QUICK
def test_a_correction_plays_what_follows_again_or_keeps_it(name: str, count: int, random: Any, then: Any) -> None:
    record = play_all(drawn(count, **FORMATS[name]), random.randrange)
    done = [p for p in now(record).standing.pairings.values() if p.state == "done"]
    pairing = random.choice(done)
    assert pairing.result is not None
    turned = pairing.result.score[::-1]
    before = now(record).results
    record = do(record, Correct(pairing.fixture.id, (turned[0], turned[1]), then))
    assert not now(record).standing.mismatched
    assert now(record).results[pairing.fixture.id].winner == pairing.loser
    if then == "keep":
        assert now(record).results.keys() == before.keys()
    else:
        for fixture, result in now(record).results.items():
            stands = now(record).standing.pairings[fixture]
            assert (stands.home, stands.away) == (result.home, result.away)
    assert now(play_all(record, random.randrange)).over


@given(KEYS, st.integers(4, 9), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_nobody_plays_themselves_when_results_are_kept(name: str, count: int, random: Any) -> None:
    """Whoever keeps a result below the winners' side can be there twice after a correction."""

    def correct(record: Record) -> Record:
        for pairing in ready(record):
            assert pairing.home != pairing.away
        if random.random() < 0.4 and (results := sorted(now(record).results.items())):
            fixture, result = random.choice(results)
            return do(record, Correct(fixture, (result.score[1], result.score[0]), "keep"))
        return record

    record = play_all(drawn(count, **FORMATS[name]), random.randrange, correct)
    assert now(record).over
    if FORMATS[name]["format"] in ("knockout", "double"):
        assert now(record).winner is not None


@given(KEYS, st.integers(4, 12), st.integers(1, 6), st.randoms(use_true_random=False))
@QUICK
def test_undo_takes_back_exactly_what_came_last(name: str, count: int, steps: int, random: Any) -> None:
    records = [drawn(count, **FORMATS[name])]
    while len(records) <= steps and (found := ready(records[-1])):
        pairing = random.choice(found)
        result = Report(pairing.fixture.id, score(records[-1], pairing.fixture, home=random.random() < 0.5))
        leaves = random.random() < 0.3
        event = Withdraw(now(records[-1]).by_number(pairing.home or 0).name) if leaves else result
        records.append(do(records[-1], event))
    for before, after in zip(reversed(records[:-1]), reversed(records[1:]), strict=True):
        assert do(after, Undo()) == before
    assert records[0].act(Undo(), 0.0) == Refusal("nothing_to_undo", "There is nothing to take back.")


def test_undo_keeps_the_calls_that_still_can_be() -> None:
    record = drawn(8, format="knockout")
    first, second, third, _ = [pairing.fixture for pairing in ready(record)]
    record = do(record, Report(first.id, (2, 0)))
    record = do(record, Call(third.id, "one"))
    record = do(record, Report(second.id, (2, 1)))
    record = do(record, Call("R2-1", "two"))
    record = do(record, Undo())
    assert now(record).calls == {third.id: "one"}
    assert set(now(record).results) == {first.id}


def test_a_withdrawal_before_the_draw_takes_the_entrant_off_the_list() -> None:
    record = do(do(Record(), setup(format="knockout")), Enter("Ann", ("Ann",)))
    record = do(do(record, Enter("Bob and Cem", ("Bob", "Cem"))), Enter("Dora", ("Dora",)))
    assert isinstance(record.act(Enter("Cem", ("Cem",)), 0.0), Refusal)
    record = do(do(record, Withdraw("Ann")), Draw("x"))
    assert len(now(record).fixtures) == 1
    assert isinstance(record.act(Enter("Eve", ("Eve",)), 0.0), Refusal)


@pytest.mark.parametrize(
    ("legs", "home", "away"), [(3, 1, 0), (3, 3, 0), (3, 1, 1), (3, 2, 2), (5, 2, 1), (1, 0, 0), (3, 4, 2)]
)
def test_a_score_that_does_not_end_a_knockout_match_is_refused(legs: int, home: int, away: int) -> None:
    record = drawn(2, format="knockout", best_of=legs)
    assert isinstance(record.act(Report("R1-1", (home, away)), 0.0), Refusal)


def test_late_rounds_are_longer() -> None:
    record = drawn(8, format="knockout", best_of=3, late=[{"best_of": 5}, {"best_of": 7, "game": "cricket"}])
    plays = {f.id: now(record).play_of(f) for f in now(record).fixtures}
    assert [plays[f].best_of for f in ("R1-1", "R2-1", "R3-1")] == [3, 5, 7]
    assert [plays[f].game for f in ("R1-1", "R2-1", "R3-1")] == ["x01", "x01", "cricket"]


def test_the_final_of_the_winners_is_a_round_before_the_final_of_a_double_knockout() -> None:
    record = drawn(4, format="double", best_of=3, late=[{"best_of": 5}, {"best_of": 7}])
    plays = {f.id: now(record).play_of(f).best_of for f in now(record).fixtures}
    assert plays == {"W1-1": 3, "W1-2": 3, "W2-1": 5, "L1-1": 3, "L2-1": 3, "F1": 7, "F2": 7}


@pytest.mark.parametrize(("groups", "rounds"), [(2, 2), (3, 3)])
def test_legs_of_a_knockout_after_groups_are_odd_in_every_round(groups: int, rounds: int) -> None:
    keys: dict[str, Any] = {"tournament": 1, "name": "x", "format": "groups", "groups": groups, "best_of": 4}
    late = [{"best_of": 5}] * rounds
    assert isinstance(setup_from_json(keys | {"late": late[1:]}), Refusal)
    record = drawn(3 * groups, **keys | {"late": late})
    assert {now(record).play_of(f).best_of for f in now(record).fixtures if f.group is None} == {5}


def test_all_rounds_of_a_swiss_tournament_count_as_its_matches() -> None:
    assert now(drawn(68, format="swiss", rounds=15)).drawn
    with pytest.raises(AssertionError, match="525 matches; 512 is the most"):
        drawn(70, format="swiss", rounds=15)


@given(KEYS, st.integers(4, 10), st.randoms(use_true_random=False))
@QUICK
def test_the_forecast_is_never_past_and_right_at_the_end(name: str, count: int, random: Any) -> None:
    record, clock = drawn(count, **FORMATS[name]), 0.0
    forecasts = []
    while not now(record).over:
        for fixture, board in next_calls(now(record), ["one", "two"]):
            record = do(record, Call(fixture, board), clock)
        end = forecast(now(record), 2, clock)
        assert end is not None
        assert end >= clock
        forecasts.append(end)
        clock += 300.0
        fixture = min(now(record).calls)
        pairing = now(record).standing.pairings[fixture]
        record = do(record, Report(fixture, score(record, pairing.fixture, home=random.random() < 0.5)), clock)
    assert forecast(now(record), 2, clock) == clock
    # With every match of the same length the forecast in the middle is within a half of the time it takes.
    assert 0.5 * clock <= forecasts[len(forecasts) // 2] <= 1.6 * clock
    assert len(Counter(now(record).results)) == len(now(record).results)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_forecast_counts_the_pause_between_two_matches_on_a_board(name: str) -> None:
    def ends(pause: int) -> tuple[float, int]:
        """The forecast of the end on one board, and the number of matches until then."""
        record = drawn(8, pause=pause, **FORMATS[name])
        found = forecast(now(record), 1, 0.0)
        assert found is not None
        tournament = now(record)
        rounds = tournament.setup.rounds if tournament.setup.format == "swiss" else 1
        matches = [p for p in tournament.standing.pairings.values() if p.open and p.fixture.only_after is None]
        return found, rounds * len(matches)

    (without, matches), (with_pause, _) = ends(0), ends(100)
    # The last match is followed by none.
    assert with_pause - without == pytest.approx(100.0 * (matches - 1))


def test_a_match_that_goes_on_after_its_result_was_used_is_named_until_a_referee_corrects_it() -> None:
    record = drawn(4, format="knockout")
    first, second = (pairing.fixture.id for pairing in ready(record))
    with pytest.raises(AssertionError):
        do(record, Reopened(first, None))
    record = do(do(record, Report(first, (2, 0))), Report(second, (2, 1)))
    record = do(record, Reopened(first, None))
    assert now(record).reopened == {first: None}
    # Nothing is told twice, and the result stands.
    assert isinstance(record.act(Reopened(first, None), 0.0), Refusal)
    record = do(record, Reopened(first, (1, 2)))
    assert now(record).reopened == {first: (1, 2)}
    assert now(record).results[first].score == (2, 0)
    assert now(do(record, Reopened(first, (2, 0)))).reopened == {}
    assert now(do(record, Correct(first, (1, 2)))).reopened == {}
    assert now(do(record, Correct(second, (1, 2)))).reopened == {first: (1, 2)}
    # Undo takes back the result before it, and what was said about another one stays.
    assert now(do(record, Undo())).reopened == {first: (1, 2)}
    assert now(do(do(record, Undo()), Undo())).reopened == {}


def test_180s_of_a_result_decide_a_table_that_asks_for_them_and_a_correction_keeps_them() -> None:
    table = {"win": 2, "order": ["points", "maximums"]}
    record = drawn(3, format="round_robin", table=table)
    circle = {frozenset((1, 2)): 1, frozenset((2, 3)): 2, frozenset((1, 3)): 3}
    for pairing in ready(record):
        home = circle[frozenset((pairing.home or 0, pairing.away or 0))] == pairing.home
        maximums = (int(pairing.home == 3), int(pairing.away == 3))
        record = do(record, Report(pairing.fixture.id, score(record, pairing.fixture, home=home), maximums=maximums))
    assert now(record).winner == 3
    fixture, result = next(iter(now(record).results.items()))
    again = do(do(record, Correct(fixture, result.score[::-1])), Correct(fixture, result.score))
    assert now(again).standing.tables == now(record).standing.tables
