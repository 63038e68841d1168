"""Every rule and every table of docs/show.md is one that the program takes, and each rule acts in a match."""

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.show.cues import Cue
from daemon.show.rules import due
from daemon.system.config_parser import parse
from daemon.system.show_config import FIELDS, Http, ShowRule, When, Wled
from tests.show.played import Played

GUIDE: Final = Path("docs/show.md").read_text()
BLOCKS: Final = re.findall(r"^```toml\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
RULES: Final = [rule for block in BLOCKS for rule in parse(block, "docs/show.md").show]


def cues() -> list[Cue]:
    """What matches bring in which everything happens that the guide's rules wait for."""
    maximum = Played("x01", ["Ann", "Bob"], {"start": 501})
    maximum.act("T20", "T20", "T20", "next", "S20", "S1", "S5", "next")
    short = Played("x01", ["Bob", "Ann"], {"start": 101, "legs": 1})
    short.act("T20", "T20", "next", "T20", "S1", "D20", "next")
    bulls = Played("x01", ["Ann", "Bob"], {"start": 501})
    bulls.act("DB", "SB", "SB", "next", "T20", "T20", "MISS", "next")
    cricket = Played("cricket", ["Ann", "Bob"], {})
    cricket.act("T20", "T19", "S18", "next")
    return [cue for played in (maximum, short, bulls, cricket) for cue in played.cues]


def test_there_are_rules_in_the_guide() -> None:
    assert len(RULES) >= 5


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.when.model_dump(exclude_unset=True)))
def test_a_rule_of_the_guide_acts(rule: ShowRule) -> None:
    found = [sent for cue in cues() if (sent := due([rule], cue)) != due([], cue)]
    assert found
    assert (len(found[0].wled), len(found[0].mqtt), len(found[0].http)) == (
        len(rule.wled),
        len(rule.mqtt),
        len(rule.http),
    )
    assert found[0].shout.keys() == {name for name in ("sound", "picture", "words") if getattr(rule, name)}
    assert "$" not in repr(found[0])


def examples() -> dict[str, When]:
    """The examples of the table of conditions, by the condition."""
    table = GUIDE.split("| condition | holds for | example |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (`.*?) \|.*\| `(.*?)` \|$", table, re.MULTILINE)
    return {
        name: parse(f"[[show]]\nwhen = {{ {text} }}\nwords = 'x'\n", "docs/show.md").show[0].when for name, text in rows
    }


@pytest.mark.parametrize(("names", "when"), examples().items(), ids=lambda value: str(value)[:20])
def test_an_example_of_a_condition_can_hold(names: str, when: When) -> None:
    assert any(f"`{name}`" in names for name in when.model_fields_set)
    [rule] = parse("[[show]]\nwhen = { total = 1 }\nwords = 'x'\n", "docs/show.md").show
    assert any(due([rule.model_copy(update={"when": when})], cue).shout for cue in cues())


def test_the_tables_have_everything() -> None:
    assert {name for names in examples() for name in re.findall("`([a-z]+)`", names)} == set(When.model_fields)
    outputs = GUIDE.split("| output | does |")[1].split("\n\n")[0]
    for name in {*ShowRule.model_fields} - {"when", "priority"} | {*Wled.model_fields, *Http.model_fields}:
        assert re.search(rf"`{name}( =.*?)?`", outputs), name
    for name in FIELDS:
        assert f"`${name}`" in GUIDE


def test_the_first_rule_has_five_lines() -> None:
    first: dict[str, Any] = tomllib.loads(BLOCKS[0])
    assert len(BLOCKS[0].strip().splitlines()) == 5
    assert first["show"][0]["when"] == {"total": 180}
