"""What the wire cannot tell from a repeat: counted, shown with the match, and one command makes it a dart."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.session import payloads
from engine.darts import Points, Position
from engine.hits import Hit, dart_of
from engine.segments import PLAYABLE, SEGMENTS, Segment
from tests.daemon.thrown import each_once
from tests.drivers.boards import MODELS
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard

LINES = 500
X01 = {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 301}}}


Play = Callable[[str], tuple[Daemon, Referee]]


@pytest.fixture
def play(tmp_path: Path, broker: Mosquitto, watcher: Watcher) -> Iterator[Play]:
    """Begins a match on the board that is named."""
    with ExitStack() as stack:

        def begin(board: str) -> tuple[Daemon, Referee]:
            daemon = Daemon(tmp_path, "--board", f"lounge={board}", "--broker", broker.url)
            stack.enter_context(daemon)
            referee = Referee(watcher, "lounge")
            referee.online()
            assert referee.ask(X01)["ok"]
            return daemon, referee

        yield begin


def test_a_second_line_in_a_row_is_shown_as_a_doubt_and_one_touch_makes_it_a_dart(
    play: Play, watcher: Watcher, pty: PtyBoard
) -> None:
    daemon, referee = play(f"maddarts@{pty.path}")
    pty.say(b"20;3\r\n20;3\r\n20;3\r\n")
    shown = referee.state(lambda s: len(s.get("doubtful", ())) == 2, "two doubts")
    assert (shown["turn"]["darts"], shown["doubtful"]) == (["T20"], ["T20", "T20"])
    topic = f"{referee.root}/status"
    status = watcher.wait(lambda m: m.topic == topic and m.payload["counters"].get("doubtful") == 2, "its counter")
    assert any("one touch makes it a dart" in message for message in status.payload["limits"])
    assert referee.ask({"throw": "T20"})["ok"]
    shown = referee.state(lambda s: len(s["turn"]["darts"]) == 2, "the dart that it was")
    assert (shown["turn"]["darts"], shown["doubtful"]) == (["T20", "T20"], ["T20"])
    # Another bed is another dart: the doubt stays, until the turn is over.
    assert referee.ask({"throw": "S5"})["ok"]
    assert referee.state(lambda s: len(s["turn"]["darts"]) == 3, "the third dart")["doubtful"] == ["T20"]
    assert referee.ask({"next": True})["ok"]
    assert "doubtful" not in referee.state(lambda s: s["turn"]["player"] == "Bob", "the next turn")
    assert daemon.stop() == 0


def test_a_doubt_of_points_names_the_beds_that_it_can_have_been(play: Play, pty: PtyBoard) -> None:
    daemon, referee = play(f"score-only@{pty.path}")
    pty.say(b"57\r\n18\r\n18\r\n")
    shown = referee.state(lambda s: bool(s.get("doubtful")), "the doubt")
    assert sorted(shown["doubtful"]) == ["D9", "S18", "T6"]
    assert referee.ask({"throw": "D9"})["ok"]
    assert "doubtful" not in referee.state(lambda s: len(s["turn"]["darts"]) == 3, "the dart")
    assert daemon.stop() == 0


HELD = {
    "maddarts": (b"20;3\r\n", b"19;3\r\n"),
    "loewen-darts": (b"320\r\n", b"319\r\n"),
    "score-only": (b"60\r\n", b"57\r\n"),
}


@pytest.mark.parametrize("model", HELD)
def test_a_dart_that_is_held_over_a_restart_is_not_scored_again(
    play: Play, watcher: Watcher, pty: PtyBoard, tmp_path: Path, model: str
) -> None:
    """The board, reset by the opening or not, says it again, and that cannot be told from a second dart."""
    same, other = HELD[model]
    # A board that takes its time to start: a busy machine may be late to say it again.
    slow = tmp_path / f"{model}.toml"
    slow.write_text(f"{(MODELS / slow.name).read_text()}\n[pace]\nboot_ms = 60_000\n")
    daemon, referee = play(f"{slow}@{pty.path}")
    pty.say(same)
    before = referee.state(lambda s: len(s["turn"]["darts"]) == 1, "the dart")
    since = len(watcher.seen)
    daemon.kill()
    daemon.start()
    referee.online(since)
    pty.say(same)
    shown = referee.state(lambda s: bool(s.get("doubtful")), "the doubt", since)
    assert (shown["turn"]["darts"], shown["doubtful"]) == (before["turn"]["darts"], before["turn"]["darts"])
    pty.say(other)
    referee.state(lambda s: len(s["turn"]["darts"]) == 2, "another bed", since)
    assert daemon.stop() == 0
    assert [hit["seq"] for hit in each_once(watcher.all("/hit"))] == [1, 2]


@given(
    st.sampled_from(list(SEGMENTS.values()))
    | st.builds(Position, st.floats(-2, 2), st.floats(-2, 2))
    | st.sampled_from(PLAYABLE).map(lambda bed: Points(bed.points, (bed, SEGMENTS["S1"])))
)
def test_a_hit_is_read_as_it_was_written(dart: Segment | Position | Points) -> None:
    written = json.dumps(payloads.hit(Hit("lounge", 1, dart, "2026-11-21T20:00:00.000Z", {"board": "lounge"})))
    assert dart_of(json.loads(written)) == dart


def test_a_contact_that_rings_on_and_on_does_not_make_the_match_longer(
    play: Play, watcher: Watcher, pty: PtyBoard
) -> None:
    daemon, referee = play(f"maddarts@{pty.path}")
    for _ in range(LINES + 1):
        pty.say(b"20;3\r\n")
    topic = f"{referee.root}/status"
    watcher.wait(lambda m: m.topic == topic and m.payload["counters"].get("doubtful") == LINES, "all of them")
    shown = [picture.get("doubtful", []) for picture in watcher.all("/match") if picture is not None]
    assert shown[-1] == ["T20"] * 3
    assert len(shown) <= 5, "what is no news is not sent again"
    assert daemon.stop() == 0
