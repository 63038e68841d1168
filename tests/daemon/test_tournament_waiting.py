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
