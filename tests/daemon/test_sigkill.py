"""Promise: a dart that was shown is never lost, and none counts twice, whenever the daemon is killed."""

import random
from pathlib import Path
from typing import Any, Final

import pytest

from tests.at_the_bus import Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard

KILLS: Final = 120
BEDS: Final = [(number, factor) for number in range(1, 21) for factor in (1, 2, 3)]
LETTERS: Final = {1: "S", 2: "D", 3: "T"}


def text(bed: tuple[int, int]) -> str:
    return f"{LETTERS[bed[1]]}{bed[0]}"


def another(chance: random.Random, sent: list[str]) -> tuple[int, int]:
    """A bed, but none of the last ones: the same again just after a start may be held still, and is no dart."""
    return chance.choice([bed for bed in BEDS if text(bed) not in sent[-12:]])


@pytest.mark.parametrize("seed", [1])
def test_killed_at_any_moment(tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard, seed: int) -> None:
    """Darts are thrown and turns closed without a pause, with a kill in the middle of it, again and again."""
    chance = random.Random(seed)
    daemon = Daemon(tmp_path, "--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url)
    referee = Referee(watcher, "lounge")
    daemon.start()
    referee.online()
    # A visit of 1001 with open finish cannot end before some hundred darts, and a bust ends nothing.
    start = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 1001, "legs": 20, "out": "open"}}
    assert referee.ask({"start": start})["ok"]
    sent: list[str] = []
    for _ in range(KILLS):
        since = len(watcher.seen)
        for _ in range(chance.randint(1, 5)):
            bed = another(chance, sent)
            sent.append(text(bed))
            pty.say(f"{bed[0]};{bed[1]}\r\n".encode())
            if chance.random() < 0.5:
                watcher.publish(f"{referee.root}/command", {"id": f"next-{len(sent)}", "next": True})
        if chance.random() < 0.7:
            watcher.wait(lambda m: m.topic.endswith("/hit"), "a hit", since)
        daemon.kill()
        shown = watcher.last("/match")
        since = len(watcher.seen)
        daemon.start()
        referee.online(since)
        back = referee.state(lambda _: True, "the state after the kill", since)
        assert back["match"] == shown["match"]
        assert back["revision"] >= shown["revision"]
        if back["revision"] == shown["revision"]:
            assert back == shown
    daemon.stop()
    hits = each_once(watcher.all("/hit"))
    in_the_order_thrown([hit["segment"] for hit in hits], sent)
    the_record_holds_what_was_shown(daemon, watcher)


def each_once(hits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The hits without those that came again: one that was under way at a kill may, with the id and all that it had."""
    once = {hit["id"]: hit for hit in hits}
    assert all(once[hit["id"]] == hit for hit in hits), "two darts have one id"
    assert [hit["id"] for hit in once.values()] == [f"lounge-{n}" for n in range(1, len(once) + 1)], "a hit is missing"
    return list(once.values())


def in_the_order_thrown(seen: list[str], sent: list[str]) -> None:
    """What was heard is what was thrown, less the darts that were in a dead daemon's buffers."""
    rest = iter(sent)
    assert all(dart in rest for dart in seen), "a dart was invented, doubled or reordered"


def the_record_holds_what_was_shown(daemon: Daemon, watcher: Watcher) -> None:
    from daemon.record.history import History
    from engine import jsontext
    from engine.actions import Throw, action_from_json
    from engine.games import GAMES
    from engine.match import Match, apply
    from engine.matchfile import open_match, read_header
    from engine.refusals import Refusal

    history = History(daemon.data)
    [(row, _)] = history.matches()
    header = read_header(row.header.encode())
    assert not isinstance(header, Refusal)
    match = open_match(header, GAMES, {})
    assert isinstance(match, Match)
    # The revision of the start is 1, and every action of this match made the next one.
    pictures = {1: match.view()}
    for line in history.actions(row.id):
        action = action_from_json(jsontext.parse(line.encode()))
        assert not isinstance(action, Refusal)
        outcome = apply(match, action)
        assert not isinstance(outcome, Refusal)
        match = outcome.match
        pictures[len(pictures) + 1] = match.view()
        assert not isinstance(action, Throw) or match.played
    shown = [p for p in watcher.all("/match") if p is not None]
    assert shown
    for picture in shown:
        kept = {key: value for key, value in picture.items() if key not in ("match", "revision", "schema", "options")}
        assert pictures[picture["revision"]] == kept
