"""Calls whose match no longer counts: its players have changed, or it was decided without the board."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from league.events import Call, Correct, Report, Undo, Withdraw
from league.record import Record
from league.schedule import next_calls
from tests.league.evening import do, drawn, now, on_boards, ready, score
from tests.league.test_formats import FORMATS


def called_final() -> Record:
    """A knock-out of four whose final is on the board `one`."""
    record = drawn(4, format="knockout")
    for pairing in ready(record):
        record = do(record, Report(pairing.fixture.id, (2, 0)))
    return do(record, Call("R2-1", "one"), 10.0)


def boards_left(record: Record) -> list[str]:
    """The boards on which a match may still be played that does not count."""
    return [left.board for left in now(record).left]


def test_a_correction_takes_a_match_with_other_players_off_its_board_and_holds_it_not() -> None:
    record = called_final()
    before = now(record).standing.pairings["R2-1"]
    record = do(record, Correct("R1-1", (0, 2)), 20.0)
    after = now(record).standing.pairings["R2-1"]
    assert (before.home, before.away) != (after.home, after.away)
    assert now(record).calls == {}
    # It is called again by itself, with the players who are to play it now.
    assert now(record).held == frozenset()
    assert next_calls(now(record), ["one"]) == (("R2-1", "one"),)
    # What may still be played on the board.
    (left,) = now(record).left
    assert (left.board, left.pairing.home, left.pairing.away) == ("one", before.home, before.away)
    assert (left.began, left.at, left.at_once) == (10.0, 20.0, False)


def test_a_correction_that_changes_no_players_leaves_the_call() -> None:
    record = do(called_final(), Correct("R1-1", (2, 1)))
    assert now(record).calls == {"R2-1": "one"}
    assert now(record).left == ()


def test_undo_of_a_correction_brings_the_call_back_and_not_one_of_other_players() -> None:
    record = do(called_final(), Correct("R1-1", (0, 2)), 20.0)
    record = do(record, Call("R2-1", "two"), 30.0)
    record = do(record, Undo(), 40.0)
    # The match of the wrong players is on the board `two`; the one on the board `one` goes on.
    assert now(record).calls == {"R2-1": "one"}
    assert now(record).began["R2-1"] == 10.0
    assert [(left.board, left.began) for left in now(record).left] == [("two", 30.0)]


def test_a_withdrawal_leaves_the_match_on_its_board_until_it_is_taken_back() -> None:
    record = called_final()
    tournament = now(record)
    home = tournament.by_number(tournament.standing.pairings["R2-1"].home or 0)
    record = do(record, Withdraw(home.name), 20.0)
    assert now(record).calls == {}
    assert boards_left(record) == ["one"]
    assert now(do(record, Undo(), 30.0)) == tournament


def test_a_call_that_is_moved_or_taken_back_leaves_a_match_that_ends_at_once() -> None:
    record = do(called_final(), Call("R2-1", "two"), 20.0)
    assert [(left.board, left.at_once) for left in now(record).left] == [("one", True)]
    record = do(record, Call("R2-1", None), 30.0)
    assert boards_left(record) == ["one", "two"]


def test_a_result_from_the_board_leaves_nothing_there_and_a_typed_one_does() -> None:
    assert now(do(called_final(), Report("R2-1", (2, 0), match="m"))).left == ()
    assert boards_left(do(called_final(), Report("R2-1", (2, 0)))) == ["one"]


def test_a_match_goes_on_if_the_result_before_it_comes_out_the_same_soon() -> None:
    for at, score_, called in ((20.0, (2, 1), {"R2-1": "one"}), (20.0, (0, 2), {}), (100.0, (2, 1), {})):
        record = do(called_final(), Undo(), 15.0)
        assert now(record).calls == {}
        record = do(record, Report("R1-2", score_, match="again"), at)
        assert now(record).calls == called
        assert boards_left(record) == ([] if called else ["one"])
        assert now(record).began.get("R2-1", 10.0) == 10.0
    # Somebody else has been called to the board meanwhile.
    record = drawn(8, format="knockout")
    first, second, third, _ = [pairing.fixture.id for pairing in ready(record)]
    record = do(do(record, Report(first, (2, 0))), Report(second, (2, 0)))
    record = do(do(record, Call("R2-1", "one"), 10.0), Undo(), 15.0)
    record = do(do(record, Call(third, "one"), 16.0), Report(second, (2, 0)), 20.0)
    assert now(record).calls == {third: "one"}


def test_a_later_call_stands_when_what_came_before_it_is_taken_back() -> None:
    record = drawn(4, format="round_robin")
    first, second = ready(record)[:2]
    record = do(record, Call(first.fixture.id, "one"), 10.0)
    name = now(record).by_number(first.home or 0).name
    record = do(record, Withdraw(name), 20.0)
    # Its board was free again, and another match is played there.
    record = do(record, Call(second.fixture.id, "one"), 100.0)
    record = do(record, Undo(), 110.0)
    assert now(record).calls == {second.fixture.id: "one"}
    assert now(record).standing.pairings[first.fixture.id].state == "ready"
    assert now(record).held == frozenset()


@given(st.sampled_from(sorted(FORMATS)), st.integers(4, 12), st.integers(1, 5), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_through_corrections_withdrawals_and_undo_nobody_is_called_twice_and_nothing_is_held(
    name: str, count: int, boards: int, random: Any
) -> None:
    names, record = [f"board-{number}" for number in range(boards)], drawn(count, **FORMATS[name])
    sides: dict[tuple[str, float], tuple[int | None, int | None]] = {}
    gone = changes = 0
    for clock in range(400):
        for fixture, board in next_calls(now(record), names):
            record = do(record, Call(fixture, board), float(clock))
        playing = on_boards(record)
        assert len(playing) == len(set(playing))
        assert len(set(now(record).calls.values())) == len(now(record).calls)
        assert not now(record).held
        for fixture in now(record).calls:
            pairing = now(record).standing.pairings[fixture]
            assert pairing.state == "ready"
            # Whoever was called plays: with other players it is another call.
            called = (fixture, now(record).began[fixture])
            assert sides.setdefault(called, (pairing.home, pairing.away)) == (pairing.home, pairing.away)
        if now(record).over:
            break
        kind = random.random() if changes < 12 else 1.0
        changes += kind < 0.4
        results = sorted(now(record).results.items())
        if kind < 0.1 and results:
            fixture, result = random.choice(results)
            turned = Correct(fixture, (result.score[1], result.score[0]), random.choice(["again", "keep"]))
            after = record.act(turned, float(clock))
            record = after if isinstance(after, Record) else record
        elif kind < 0.2 and gone < count // 3:
            entrant = random.choice(now(record).entrants)
            after = record.act(Withdraw(entrant.name), float(clock))
            gone += isinstance(after, Record)
            record = after if isinstance(after, Record) else record
        elif kind < 0.4:
            after = record.act(Undo(), float(clock))
            record = after if isinstance(after, Record) else record
        else:
            fixture = random.choice(sorted(now(record).calls))
            pairing = now(record).standing.pairings[fixture]
            home = random.random() < 0.5
            record = do(record, Report(fixture, score(record, pairing.fixture, home=home), match=f"m{clock}"), clock)
    assert now(record).over
