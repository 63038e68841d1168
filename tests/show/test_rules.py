"""Which rules a cue fulfils, what is sent then, and what a configuration may say."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.show.cues import BoardFollower, Cue
from daemon.show.example import example
from daemon.show.rules import due, fulfils
from daemon.system.config_parser import parse
from daemon.system.show_config import FIELDS, ShowRule, When
from daemon.system.urls import UsageError
from engine.actions import Correct
from engine.segments import SEGMENTS
from tests.show.played import Played

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def rules(text: str) -> list[ShowRule]:
    return parse(text, "show.toml").show


def when(text: str) -> When:
    return rules(f"[[show]]\nwhen = {{ {text} }}\nwords = 'x'\n")[0].when


def cue(kind: str, state: Mapping[str, Any] | None = None, **fields: Any) -> Cue:
    return Cue("lounge", {"event": kind} | fields, state or {})


VISIT = {
    "game": "x01",
    "turn": {"player": "Ann", "darts": ["T20", "SO20", "T20"], "awaits": "next"},
    "players": [{"name": "Ann", "score": 361}, {"name": "Bob", "score": 40}],
    "bots": {"Bob": 25},
}
THIRD = cue("dart", VISIT, player="Ann", dart="T20", points=60, left=361)
SCORE = cue("score", VISIT, player="Ann", points=140, left=361, marks=7)
TURN = cue("turn", VISIT, player="Bob")
AWARD = cue("award", VISIT, player="Ann", award="high_ton", points=140)


@pytest.mark.parametrize(
    ("condition", "yes", "no"),
    [
        ("event = 'dart'", THIRD, SCORE),
        ("event = ['turn', 'score']", SCORE, THIRD),
        ("board = 'lounge', event = 'dart'", THIRD, SCORE),
        ("game = ['cricket', 'x01'], event = 'dart'", THIRD, cue("dart", {}, dart="T20")),
        ("player = 'Ann'", THIRD, TURN),
        ("bot = true", TURN, THIRD),
        ("bot = false", THIRD, TURN),
        ("segment = 'T20'", THIRD, SCORE),
        ("segment = ['S20', 'D20']", cue("dart", VISIT, player="Ann", dart="SI20"), THIRD),
        ("dart = 3", THIRD, cue("dart", VISIT | {"turn": {"darts": ["T20"]}}, dart="T20")),
        ("combination = ['T20', 'T20', 'S20']", SCORE, cue("score", VISIT | {"turn": {}}, points=140)),
        ("total = 140", SCORE, THIRD),
        ("range = [100, 140]", SCORE, cue("score", VISIT, points=141)),
        ("range = 140", SCORE, cue("score", VISIT, points=141)),
        ("total = 40", cue("checkout", VISIT, player="Ann", points=40), cue("bust", VISIT, points=40)),
        ("marks = [5, 9]", SCORE, cue("score", VISIT, points=1, marks=4)),
        ("award = 'high_ton'", AWARD, cue("award", VISIT, award="hat_trick")),
        ("need = [2, 170]", TURN, cue("turn", VISIT, player="Ann")),
    ],
)
def test_a_condition(condition: str, yes: Cue, no: Cue) -> None:
    assert fulfils(yes, when(condition))
    assert not fulfils(no, when(condition))


@pytest.mark.parametrize(
    "condition",
    [
        *("event = ['turn', 'won']", "segment = ['S20', 'D16']", "segment = 'DB', dart = 3", "dart = 2", "bot = true"),
        *("combination = ['S20', 'S1', 'S5']", "total = 26", "range = [100, 139]", "marks = [5, 9]", "bot = false"),
        *("award = 'shanghai', player = ['Bob', 'Eve']", "need = [2, 170], game = 'x01'", "board = 'den', total = 0"),
    ],
)
def test_the_example_of_a_rule_fulfils_it(condition: str) -> None:
    wanted = when(condition)
    found = example(wanted, "lounge")
    assert fulfils(found, wanted)
    assert found.fields["player"]
    assert found.fields["winners"]


def test_of_rules_for_one_output_the_highest_priority_sends() -> None:
    found = rules(
        """
        [[show]]
        when = { event = "score" }
        words = "$total"
        wled = { at = "http://a.local", preset = 1 }

        [[show]]
        when = { range = [100, 180] }
        priority = 5
        words = "$player: $total"
        wled = [{ at = "http://b.local", color = "#ff0000" }]
        http = { url = "http://c.local/$player?n=$total", body = { who = "$player", cost = "$$1", of = [1, "$board"] } }
        """
    )
    played = Played("x01", ["Ann & Bob", "Cid"], {})
    [score] = [cue for cue in played.act("T20", "T20", "S20") if cue.kind == "score"]
    sent = due(found, score)
    assert sent.shout == {"words": "Ann & Bob: 140"}
    assert [light.at for light in sent.wled] == ["http://a.local", "http://b.local"]
    [request] = sent.http
    assert request.url == "http://c.local/Ann%20%26%20Bob?n=140"
    assert request.body == {"who": "Ann & Bob", "cost": "$1", "of": [1, "lounge"]}
    assert due(found, TURN) == due([], TURN)


def test_a_correction_calls_nothing_twice() -> None:
    [rule] = rules("[[show]]\nwhen = { event = ['dart', 'score'] }\nwords = '$event $segment'\n")
    played = Played("x01", ["Ann", "Bob"], {})
    played.act("T20", "T20", "T20")
    before = [due([rule], cue).shout for cue in played.cues]
    assert [shout["words"] for shout in before if shout] == ["dart T20", "dart T20", "dart T20", "score "]
    assert not [shout for cue in played.do(Correct(3, SEGMENTS["S20"])) if (shout := due([rule], cue).shout)]


@given(JSON, JSON)
def test_nothing_on_the_bus_raises(state: Any, event: Any) -> None:
    follower = BoardFollower("lounge")
    follower.take_state(state)
    everything = rules(
        "[[show]]\nwhen = { board = 'lounge' }\nwords = '" + " ".join(f"${name}" for name in FIELDS) + "'\n"
    )
    for sent in (event, {"event": event}, {"event": "score", "points": event, "marks": event, "player": event}):
        found = follower.take_event(sent)
        if found is not None:
            due([*everything, *rules("[[show]]\nwhen = { marks = 5, need = 3, range = 7 }\nwords = 'x'\n")], found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[show]]\nwords = 'x'", "when"),
        ("[[show]]\nwhen = {}\nwords = 'x'", "at least one condition"),
        ("[[show]]\nwhen = { total = 180 }", "name what it does"),
        ("[[show]]\nwhen = { event = 'darts' }\nwords = 'x'", "event"),
        ("[[show]]\nwhen = { segment = 'T21' }\nwords = 'x'", "'T21' is no bed"),
        ("[[show]]\nwhen = { range = [180, 100] }\nwords = 'x'", "[100, 180]"),
        ("[[show]]\nwhen = { total = 1 }\nwords = '$points'", "there is no $points; the fields are $player"),
        ("[[show]]\nwhen = { total = 1 }\nwords = 'cost $'", "a $ stands before"),
        ("[[show]]\nwhen = { total = 1 }\nwled = { at = 'wled.local', preset = 1 }", "http://wled.local"),
        ("[[show]]\nwhen = { total = 1 }\nwled = { at = 'http://a' }", "name what it shows"),
        ("[[show]]\nwhen = { total = 1 }\nmqtt = { topic = 'oche/a/board/b/command' }", "not for rules"),
        ("[[show]]\nwhen = { total = 1 }\nmqtt = { topic = 'a/#' }", "no + and no #"),
        ("[[show]]\nwhen = { total = 1 }\nsound = '../secret'", "sound"),
        ("[caller_door]\naddress = 'nowhere'", "is not an address"),
        ("[caller_door]\ntoken = 'short'", "token"),
        ("[[show]]\nwhen = { total = 1 }\nmqtt = { topic = 'x/y', payload = { day = 2026-11-22 } }", "must be JSON"),
        ("[[show]]\nwhen = { total = 1 }\nhttp = { url = 'http://x', headers = { a = \"b\\nc\" } }", "headers"),
        ("[caller_door]\nfrom = ['192.168.1.20', '192.168.1']", "'192.168.1' is not an IP address"),
    ],
)
def test_a_mistake_is_named(text: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse(text, "show.toml")
    assert said in str(refused.value)


def test_all_mistakes_are_named_at_once() -> None:
    with pytest.raises(UsageError) as refused:
        rules("[[show]]\nwhen = { segment = 'T21', dart = 4 }\nwords = 'x'\n[[show]]\nwhen = { total = 1 }")
    for said in ("T21", "show.0.when.dart", "name what it does"):
        assert said in str(refused.value)
