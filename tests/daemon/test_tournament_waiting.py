"""A match of a tournament that waits: its players are late, or its winner walks off without a last `next`."""

from pathlib import Path
from typing import Any

from tests.daemon.house import changed
from tests.daemon.tournament_evening import SHORT, Organizer, done, lasting
from tests.mqtt_clients import Referee, watching
from tests.rig import Daemon, free_port


def late(state: dict[str, Any]) -> list[str]:
    """The fixtures whose players are late."""
    return [fixture["id"] for fixture in state["fixtures"] if "late" in fixture]


def test_who_has_not_thrown_is_late_and_a_match_that_is_won_ends_by_itself_and_undo_takes_its_result_back(
    tmp_path: Path,
) -> None:
    # At the second look at an unchanged board, not after minutes.
    at_once = ("fixture_boards.WON_SECONDS = 0.0", "fixture_boards.LATE_SECONDS = 0.0")
    soon = changed(tmp_path, "from daemon.tournament import fixture_boards", *at_once)
    port = free_port()
    board = ("--board", "one=virtual@sim:?pace=600", "--broker", f"embedded://127.0.0.1:{port}")
    with Daemon(tmp_path, *board, program=soon) as daemon, watching(port) as watcher:
        one, organizer = Referee(watcher, "one"), Organizer(daemon)
        one.online()
        organizer.do(tournament=1, name="Friday", format="knockout", pause=0, options=SHORT, best_of=1)
        for name in ("Ann", "Bob"):
            organizer.do(enter={"name": name})
        organizer.do(draw="x")
        one.state(lambda match: not match.get("finished"), "the match")
        organizer.until(lambda state: late(state) == ["R1-1"], "that somebody is late")
        assert one.ask({"throw": "T20"})["ok"]
        state = organizer.until(lambda state: not late(state), "that nobody is")
        watcher.wait(
            lambda m: m.topic == "oche/test/tournament" and lasting(m.payload) == lasting(state), "the state on the bus"
        )
        for bed in ("S20", "S20"):
            assert one.ask({"throw": bed})["ok"]
        # A turn that wins nothing waits for its players.
        assert one.ask({"next": True})["ok"]
        assert one.ask({"throw": "MISS"})["ok"]
        assert one.ask({"next": True})["ok"]
        last = one.ask({"throw": "S1"})
        ended = done(organizer.until(lambda state: len(done(state)) == 1, "the result"))[0]
        assert (ended["winner"], ended["score"]) == (ended["home"], [1, 0])
        actions = organizer.ask(f"/history/{ended['match']}.json")[1]["actions"]
        assert (actions[-1]["next"], actions[-1]["by"]) == (True, "clock")
        # The board has gone on by that `next` alone; whoever takes it back takes back the result.
        since = len(watcher.seen)
        assert one.ask({"undo": True})["revision"] > last["revision"]
        watcher.wait(
            lambda m: m.topic == "oche/test/tournament" and not done(m.payload), "the result taken back", since
        )
        organizer.until(lambda state: len(done(state)) == 1, "the result again")


def play(board: Referee, *beds: str) -> None:
    """Throws and ends turns; everything must be taken."""
    for bed in beds:
        assert board.ask({"next": True} if bed == "next" else {"throw": bed})["ok"]


def test_a_match_that_goes_on_after_another_result_is_told_to_the_referee_until_they_correct_it(tmp_path: Path) -> None:
    port = free_port()
    boards = [part for name in ("one", "two") for part in ("--board", f"{name}=virtual@sim:?pace=600")]
    with Daemon(tmp_path, *boards, "--broker", f"embedded://127.0.0.1:{port}") as daemon, watching(port) as watcher:
        one, organizer = Referee(watcher, "one"), Organizer(daemon)
        one.online()
        # So long a pause that the final is not called to the board, which would end what it shows.
        long = {"start": 501, "out": "open"}
        organizer.do(tournament=1, name="Friday", format="knockout", pause=600, options=long, best_of=1)
        for name in ("Ann", "Bob", "Cem", "Dora"):
            organizer.do(enter={"name": name})
        organizer.do(draw="x")
        one.state(lambda match: not match.get("finished"), "the match")
        ton, nothing = ("T20", "T20", "T20", "next"), ("MISS", "MISS", "MISS", "next")
        won = (*ton, *nothing, *ton, *nothing, "T20", "T19", "D12", "next")
        state = organizer.state()
        first = next(fixture for fixture in state["fixtures"] if fixture.get("board") == "one")
        other = next(fixture["id"] for fixture in state["fixtures"] if fixture.get("board") == "two")
        play(one, *won)
        ended = done(organizer.until(lambda state: len(done(state)) == 1, "the result"))[0]
        assert (ended["id"], ended["score"], ended["maximums"]) == (first["id"], [1, 0], [2, 0])
        organizer.do(result={"fixture": other, "score": [1, 0]})
        final = next(f for f in organizer.state()["fixtures"] if f.get("from_end") == 1)
        assert one.ask({"undo": True})["ok"]
        seen = organizer.until(lambda state: "reopened" in fixture_of(state, first["id"]), "that it was opened again")
        assert fixture_of(seen, first["id"])["score"] == [1, 0]
        assert "board_score" not in fixture_of(seen, first["id"])
        # A restart does not forget it, and the other one wins on the board.
        daemon.kill()
        daemon.start()
        one.online()
        organizer.until(lambda state: "reopened" in fixture_of(state, first["id"]), "the same after a restart")
        assert one.ask({"undo": True})["ok"]
        play(one, "MISS", "next", *won)
        seen = organizer.until(lambda state: "board_score" in fixture_of(state, first["id"]), "the score of the board")
        assert fixture_of(seen, first["id"])["board_score"] == [0, 1]
        assert fixture_of(seen, final["id"])["home"] == first["home"]
        organizer.do(correct={"fixture": first["id"], "score": [0, 1]})
        state = organizer.state()
        assert "reopened" not in fixture_of(state, first["id"])
        assert first["away"] in (fixture_of(state, final["id"])["home"], fixture_of(state, final["id"])["away"])


def fixture_of(state: dict[str, Any], wanted: str) -> dict[str, Any]:
    """The fixture with an id."""
    found: dict[str, Any] = next(fixture for fixture in state["fixtures"] if fixture["id"] == wanted)
    return found
