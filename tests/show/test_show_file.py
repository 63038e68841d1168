"""The file of rules that the page makes: what somebody wrote by hand stays, and mistakes disable one rule alone."""

import json
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from daemon.system import show_file
from daemon.system.show_config import ShowRule
from daemon.system.show_file import FILE, RuleFile, change_rules, edited, read_rules, simplified
from engine.refusals import Refusal

WRITTEN: Final = """\
# All our lights.

# Ann's maximum
[[show]]
when = { total = 180 }  # the best there is
words = "Ann!"

# Bob's bull
[[show]]
when = { segment = "DB", player = ["Bob", "Eve"] }
[[show.wled]]
at = "http://wled.local"  # above the board
color = "#ff0000"
"""
BULL: Final = {
    "when": {"segment": ["DB"], "player": ["Bob"]},
    "wled": [{"at": "http://wled.local", "color": "#0000ff"}],
}
SAID: Final = {"when": {"event": ["won"]}, "words": "$winners"}


def write(folder: Path, text: str) -> RuleFile:
    (folder / FILE).write_text(text, encoding="utf-8")
    return read_rules(folder)


def changed(folder: Path, at: int | None, values: dict[str, Any] | None) -> str:
    found = change_rules(folder, read_rules(folder).version, at, values)
    assert isinstance(found, RuleFile), found
    assert found == read_rules(folder)
    return (folder / FILE).read_text("utf-8")


def test_a_missing_file_has_no_rules(tmp_path: Path) -> None:
    assert read_rules(tmp_path).rules == ()
    text = changed(tmp_path, None, SAID)
    assert text.endswith('[[show]]\nwhen = {event = "won"}\nwords = "$winners"\n')
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    assert len(read_rules(tmp_path).valid) == 1


def test_a_changed_value_leaves_the_comments_of_its_rule_and_of_the_others(tmp_path: Path) -> None:
    write(tmp_path, WRITTEN)
    text = changed(tmp_path, 1, BULL)
    assert text == WRITTEN.replace('["Bob", "Eve"]', '"Bob"').replace("#ff0000", "#0000ff")


def test_a_removed_rule_takes_its_own_comment_along(tmp_path: Path) -> None:
    write(tmp_path, WRITTEN)
    text = changed(tmp_path, 0, None)
    assert "All our lights" in text
    assert "Bob's bull" in text
    assert "Ann" not in text


def test_an_added_rule_comes_last(tmp_path: Path) -> None:
    write(tmp_path, WRITTEN)
    text = changed(tmp_path, None, SAID)
    assert text.startswith(WRITTEN)
    assert [rule.words for rule in read_rules(tmp_path).valid] == ["Ann!", None, "$winners"]


def test_a_rule_with_mistakes_disables_itself_alone_and_names_all_of_them(tmp_path: Path) -> None:
    bad = '\n[[show]]\nwhen = { total = "high", dart = 4 }\nwled = { at = "wled.local", preset = 1 }\n'
    found = write(tmp_path, WRITTEN + bad)
    assert len(found.valid) == 2
    assert [mistake.path for mistake in found.rules[2].mistakes] == [
        ("when", "dart"),
        ("when", "total"),
        ("wled", 0, "at"),
    ]
    assert len(found.messages) == 3
    assert all("Rule 3 of show.toml does nothing" in message for message in found.messages)
    assert changed(tmp_path, 2, SAID).startswith(WRITTEN)
    assert len(read_rules(tmp_path).valid) == 3


@pytest.mark.parametrize(
    "text",
    ["[[show]\n", "show = 3\n", 'show = [{ when = { total = 1 }, words = "x" }]\n', "[boards]\nden = 'x'\n"],
)
def test_what_cannot_be_changed_stays(text: str, tmp_path: Path) -> None:
    version = write(tmp_path, text).version
    assert isinstance(change_rules(tmp_path, version, None, SAID), Refusal)
    assert (tmp_path / FILE).read_text() == text


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"\xff")
    found = read_rules(tmp_path)
    assert found.problem is not None
    assert "not UTF-8" in found.problem
    assert isinstance(change_rules(tmp_path, found.version, None, SAID), Refusal)


def test_of_two_changes_at_once_the_second_is_refused(tmp_path: Path) -> None:
    before = write(tmp_path, WRITTEN)
    assert isinstance(change_rules(tmp_path, before.version, 0, None), RuleFile)
    refused = change_rules(tmp_path, before.version, 0, None)
    assert isinstance(refused, Refusal)
    assert refused.reason == "stale_revision"
    assert isinstance(change_rules(tmp_path, read_rules(tmp_path).version, 9, None), Refusal)


def deep(depth: int) -> list[Any]:
    found: list[Any] = [1, 2]
    for _ in range(depth):
        found = [found, 1]
    return found


@pytest.mark.parametrize(
    "values",
    [
        {"http": {"url": "http://x", "body": {"a": None}}},
        {"mqtt": {"topic": "x", "payload": {"a": [None, 1]}}},
        {"wled": {"at": "http://x", "preset": 1, "effect": None}},
        *({"mqtt": {"topic": "x", "payload": deep(depth)}} for depth in (150, 400)),
    ],
)
def test_what_toml_does_not_have_is_refused(values: dict[str, Any], tmp_path: Path) -> None:
    version = write(tmp_path, WRITTEN).version
    for at in (0, None):
        found = change_rules(tmp_path, version, at, {"when": {"total": 1}, **values})
        if isinstance(found, RuleFile):  # tomllib of some versions reads lists of this depth
            assert found.problem is None
            version = found.version
            assert "null" not in json.dumps(values)
        else:
            assert (found.reason, "no null" in found.message) == ("bad_value", True)


def test_there_are_not_more_rules_than_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show_file, "MOST_RULES", 2)
    refused = change_rules(tmp_path, write(tmp_path, WRITTEN).version, None, SAID)
    assert isinstance(refused, Refusal)
    assert refused.reason == "too_large"


TEXTS: Final = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="$"), min_size=1, max_size=20)
LIGHTS: Final = st.fixed_dictionaries(
    {"at": st.just("http://wled.local")}, optional={"preset": st.integers(1, 250), "seconds": st.floats(0.5, 600)}
).filter(lambda light: "preset" in light)
RULES: Final = st.fixed_dictionaries(
    {"when": st.fixed_dictionaries({"player": st.lists(TEXTS, min_size=1, max_size=3)})}, optional={}
).flatmap(
    lambda rule: st.fixed_dictionaries(
        {"when": st.just(rule["when"]), "words": TEXTS},
        optional={"wled": st.lists(LIGHTS, max_size=2), "priority": st.integers(-100, 100)},
    )
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no fault
@given(rules=st.lists(RULES, max_size=3), changes=st.lists(st.tuples(st.integers(0, 3), st.none() | RULES), max_size=3))
def test_a_file_means_what_the_changes_say(
    rules: list[dict[str, Any]], changes: list[tuple[int, dict[str, Any] | None]]
) -> None:
    text, wanted = "", [simplified(rule) for rule in rules]
    for rule in rules:
        text = edited(text, None, rule) or ""
    for number, values in changes:
        at = number if number < len(wanted) else None
        if at is None and values is None:
            continue
        found = edited(text, at, values)
        assert found is not None
        text = found
        if values is None:
            del wanted[number]
        else:
            wanted[number : number + 1 if at is not None else number] = [simplified(values)]
    assert tomllib.loads(text).get("show", []) == wanted
    for values in wanted:
        ShowRule.model_validate(values)
