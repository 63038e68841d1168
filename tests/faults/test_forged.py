"""Promise 7: of messages that a machine forges, none changes a match, or is read, against what the guide says.

`scripts/soak MINUTES forged` does the same with other seeds for as long as you like.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from daemon.people.access import User, access_list
from tests.daemon.house import changed
from tests.faults.forged import ROOT, Forged, Forger, Scene, may_change, may_read
from tests.faults.forged_at_the_broker import BATCH, at_the_broker
from tests.faults.forged_rules import Rules

LOUNGE = f"{ROOT}/board/lounge"
AWAITED = {"lounge": "Ann", "attic": "Jürgen K."}
THROW, STOP = b'{"id": 1, "throw": "T20"}', b'{"stop": true}'


@pytest.mark.parametrize(
    ("user", "topic", "payload", "may"),
    [
        ("rita", f"{LOUNGE}/command", STOP, True),
        ("ann", f"{LOUNGE}/command/ann", THROW, True),
        ("jurgen-k", f"{ROOT}/board/attic/command/jurgen-k", THROW, True),
        ("rita", f"{LOUNGE}/match", b"{}", False),
        ("ann", f"{LOUNGE}/command", THROW, False),
        ("ann", f"{LOUNGE}/command/ann", STOP, False),
        ("ann", f"{LOUNGE}/command/ann", b'{"deck": ["2H"]}', False),
        ("ann", f"{LOUNGE}/command/ann", b'{"hint": true}', True),
        ("bob", f"{LOUNGE}/command/bob", b'{"hint": true}', False),
        ("tv", f"{LOUNGE}/command/tv", b'{"hint": true}', False),
        ("ann", f"{ROOT}/board/attic/command/ann", THROW, False),
        ("bob", f"{LOUNGE}/command/ann", THROW, False),
        ("bob", f"{LOUNGE}/command/bob", THROW, False),
        ("eve", f"{LOUNGE}/command/eve", THROW, False),
        ("tv", f"{LOUNGE}/command", THROW, False),
        ("tv", f"{LOUNGE}/command/tv", THROW, False),
        ("nobody", f"{LOUNGE}/command", THROW, False),
    ],
)
def test_what_the_guide_says_of_a_message(user: str, topic: str, payload: bytes, may: bool) -> None:
    assert may_change(Forged(user, topic, payload), AWAITED) is may
    assert not may_change(Forged(user, topic, payload, retain=True), AWAITED)


def test_what_the_guide_says_of_a_reader() -> None:
    secret = [f"{ROOT}/pairing", f"{LOUNGE}/hand/1", f"{LOUNGE}/hand/bob", f"{LOUNGE}/command", f"{ROOT}/reply/bob"]
    assert not [(user, topic) for user in ("tv", "ann", "nobody") for topic in secret if may_read(user, topic)]
    assert all(may_read("rita", topic) for topic in secret)
    assert may_read("ann", f"{LOUNGE}/hand/ann")
    assert not may_read("tv", f"{LOUNGE}/hand/tv")
    assert may_read("tv", f"{ROOT}/unconfirmed")


def test_every_kind_of_message_is_drawn() -> None:
    forger, scene = Forger(1), Scene({"lounge": 7, "attic": 3}, {"lounge": ("Ann", "throw"), "attic": ("Bob", "deck")})
    drawn = [forger.draw(scene) for _ in range(20_000)]
    again = Forger(1)
    assert drawn[:50] == [again.draw(scene) for _ in range(50)]
    text = [message.payload for message in drawn]
    kinds: dict[str, Callable[[Forged], bool]] = {
        "retained": lambda m: m.retain,
        "too large": lambda m: len(m.payload) > 64 * 1024,
        "empty": lambda m: not m.payload,
        "an alias": lambda m: m.alias is not None,
        "a response topic": lambda m: m.answer_to is not None,
        "another's command topic": lambda m: m.topic == f"{LOUNGE}/command/bob" and m.user == "ann",
        "the referee's topic": lambda m: m.topic == f"{LOUNGE}/command" and m.user == "tv",
        "a hint": lambda m: b'"hint": true' in m.payload,
        "a hand": lambda m: m.topic.startswith(f"{LOUNGE}/hand/"),
        "another node": lambda m: m.topic.startswith("oche/other/"),
        "a shared topic": lambda m: m.topic.startswith("$share/"),
    }
    assert not [kind for kind, is_it in kinds.items() if not any(map(is_it, drawn))]
    for part in (b'"revision": 6', b'"revision": 7', b'"id": "fence-1"', b'"by": "referee"'):
        assert any(part in payload for payload in text), part


def test_no_forged_message_passes_the_rules() -> None:
    rules = Rules(seed=1)
    rules.run(20_000)
    assert rules.tried == 20_000
    assert rules.changed > 200, "those who may are heard"


def _with(line: str) -> Callable[[str, list[User]], str]:
    """The access list with one line more for every display or player."""

    def made(node: str, users: list[User]) -> str:
        listed = access_list(node, users)
        for user in users:
            if user.role != "referee":
                listed += f"user {user.name}\ntopic {line.format(root=ROOT, user=user.name)}\n"
        return listed

    return made


@pytest.mark.parametrize(
    "line",
    [
        "write {root}/board/+/command",
        "write {root}/board/+/command/+",
        "write {root}/board/+/match",
        "write {root}/status",
        "read {root}/pairing",
        "read {root}/board/+/hand/+",
        "read {root}/board/+/command",
    ],
)
def test_a_wrong_access_list_is_found(line: str) -> None:
    with pytest.raises(AssertionError):
        Rules(seed=1, make_list=_with(line)).run(20_000)


def test_a_missing_check_is_found() -> None:
    with pytest.raises(AssertionError, match="a match was changed"):
        Rules(seed=1, allowed=lambda *_: None).run(20_000)


def test_no_forged_message_passes_the_broker_and_the_daemon(tmp_path: Path) -> None:
    did = at_the_broker(tmp_path, seed=1, count=2 * BATCH)
    assert did["forged_at_broker"] >= 2 * BATCH
    assert did["heard"] >= 2, "players whose turn it is are heard"


WRONG = {
    "the check of the turn": [
        "import daemon.session.board_commands",
        "daemon.session.board_commands.allowed = lambda *_: None",
    ],
    "the code for all": [
        "import daemon.people.access as access",
        "rules = access._rules",
        "access._rules = lambda node, user, topics: [*rules(node, user, topics), f'read oche/{node}/pairing']",
    ],
}


@pytest.mark.parametrize("lines", WRONG.values(), ids=WRONG)
def test_a_wrong_daemon_is_found(tmp_path: Path, lines: list[str]) -> None:
    with pytest.raises(AssertionError, match=r"seen at|was sent"):
        at_the_broker(tmp_path, seed=1, count=2 * BATCH, program=changed(tmp_path, *lines))


def test_the_oracle_knows_a_command_by_its_one_key() -> None:
    both = json.dumps({"throw": "T20", "next": True}).encode()
    assert not may_change(Forged("ann", f"{LOUNGE}/command/ann", both), AWAITED)
