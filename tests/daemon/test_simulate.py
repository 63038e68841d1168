"""`oche simulate`: the same seed plays the same matches, and its figures are those of the matches."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import pytest

from daemon.cli.simulate import figures
from daemon.cli.simulation import ALONE, Plan, Played, opened, play_all, rival_seats
from daemon.main import main
from engine.games import GAMES
from engine.match import Match
from engine.random_play import LONGEST

QUICK: Final[dict[str, dict[str, Any]]] = {"x01": {"start": 101}, "cricket": {"numbers": [20]}}
CLOCK: Final = {"seconds", "darts_per_second"}


def simulated(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["simulate", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def begun(plan: Plan) -> Match:
    match = opened(plan)
    assert isinstance(match, Match)
    return match


@pytest.mark.parametrize("rivals", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_to_its_end(name: str, rivals: bool) -> None:
    players = max(2, GAMES[name].seats.start)
    plan = Plan(name, players, QUICK.get(name, {}), 25.0, 1, rivals)
    (played,) = play_all(plan, 1, 1)
    assert played.winners is not None
    assert set(played.winners) <= set(range(players))
    assert 0 < played.darts < played.actions < LONGEST


def test_figures_do_not_depend_on_how_many_processes_play() -> None:
    plan = Plan("x01", 3, {"start": 101}, 30.0, 7)
    alone = play_all(plan, 12, 1)
    assert play_all(plan, 12, 3) == alone
    # Each match is its own, too: the first ones are the same however many follow.
    assert play_all(plan, 5, 1) == alone[:5]
    assert play_all(replace(plan, seed=8), 12, 1) != alone
    assert len({(one.actions, one.winners) for one in alone}) > 6


def test_a_seed_gives_the_same_figures_again(capsys: pytest.CaptureFixture[str]) -> None:
    # One more than a single process plays.
    arguments = ("dards", "--players", "3", "--matches", str(ALONE + 1), "--seed", "5", "--skill", "20")
    once, again = (simulated(capsys, *arguments) for _ in range(2))
    assert {k: v for k, v in once.items() if k not in CLOCK} == {k: v for k, v in again.items() if k not in CLOCK}
    assert once.keys() >= CLOCK
    assert (once["game"], once["players"], once["matches"], once["skill"], once["seed"]) == ("dards", 3, 51, 20.0, 5)
    assert once["options"] == {"order": "listed"}
    assert sum(once["won"]) == pytest.approx(1.0, abs=0.001)


def test_a_drawn_seed_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("x01", "--matches", "3", "--options", '{"start": 101}')
    drawn = simulated(capsys, *arguments)
    again = simulated(capsys, *arguments, "--seed", str(drawn["seed"]))
    assert {k: v for k, v in drawn.items() if k not in CLOCK} == {k: v for k, v in again.items() if k not in CLOCK}


def test_better_darts_need_fewer(capsys: pytest.CaptureFixture[str]) -> None:
    sharp, poor = (simulated(capsys, "x01", "--matches", "10", "--seed", "1", "--skill", mm) for mm in ("5", "60"))
    assert sharp["darts"]["median"] * 2 < poor["darts"]["median"]


def test_figures_of_matches_that_are_known() -> None:
    plan = Plan("cerberus", 2, {}, 25.0, 1, rivals=True)
    # A win of seat 1, a shared one, one of the house, and a match without an end.
    played = [Played(10, 6, (0,)), Played(30, 20, (0, 1)), Played(20, 9, ()), Played(LONGEST, 900, None)]
    found = figures(plan, begun(plan), played)
    assert found["actions"] == {"median": 20, "longest": LONGEST}
    assert found["darts"] == {"median": 9, "longest": 900}
    assert found["won"] == [0.375, 0.125]
    assert (found["house"], found["unfinished"]) == (0.25, 1)
    # In match 0 the bot sits in seat 1, in match 1 in seat 2: a whole win and half of one.
    assert found["bots"] == 0.375


def test_a_win_shared_with_the_house_counts_in_parts() -> None:
    plan = Plan("cerberus", 1, {"rounds": 1}, 25.0, 1, rivals=False)
    found = figures(plan, begun(plan), [Played(5, 3, (0, 1)), Played(5, 3, (0,)), Played(5, 3, ()), Played(5, 3, ())])
    assert (found["won"], found["house"]) == ([0.375], 0.625)


@pytest.mark.parametrize("players", range(1, 7))
def test_bots_and_rivals_have_the_same_seats_in_two_matches(players: int) -> None:
    plan = Plan("x01", players, {}, 25.0, 1, rivals=True)
    one, other = set(rival_seats(plan, 0)), set(rival_seats(plan, 1))
    assert one | other == set(range(players))
    assert not one & other
    assert not rival_seats(replace(plan, rivals=False), 1)


def test_bots_beat_rivals_who_take_no_advice(capsys: pytest.CaptureFixture[str]) -> None:
    found = simulated(capsys, "cricket", "--matches", "20", "--seed", "1", "--skill", "15", "--rival", "random")
    assert found["bots"] > 0.75
    assert Fraction(str(sum(found["won"]))) == 1


def test_words_say_what_the_object_says(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("cerberus", "--players", "1", "--matches", "10", "--seed", "3")
    found = simulated(capsys, *arguments)
    assert main(["simulate", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "cerberus: 10 matches of 1, skill 25 mm, seed 3"
    assert lines[1].split() == [
        "actions",
        "median",
        f"{found['actions']['median']},",
        "longest",
        str(found["actions"]["longest"]),
    ]
    assert lines[3].startswith(f"won      seat 1 {found['won'][0]:.1%}")
    assert [line.split()[0] for line in lines[1:]] == ["actions", "darts", "won", "speed"]


@pytest.mark.parametrize(
    ("code", "arguments", "message"),
    [
        (1, ("x01", "--options", '{"stop": 3}'), "unknown_option"),
        (1, ("x01", "--options", '{"start": 3}'), "bad_option"),
        (2, ("chess",), "no game 'chess'"),
        (2, ("dart_wars", "--players", "9"), "bad_players"),
        (2, ("x01", "--players", "-1"), "bad_players"),
        (2, ("x01", "--options", "[1]"), "--options"),
        (2, ("x01", "--options", "{"), "--options"),
        (2, ("x01", "--skill", "nan"), "--skill"),
        (2, ("x01", "--skill", "0.1"), "--skill"),
        (2, ("x01", "--matches", "0"), "--matches"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_sentence(
    capsys: pytest.CaptureFixture[str], code: int, arguments: tuple[str, ...], message: str
) -> None:
    assert main(["simulate", *arguments]) == code
    told = capsys.readouterr()
    assert not told.out
    assert message in told.err
    assert told.err.rstrip().endswith(".") or told.err.rstrip().endswith("}.")
