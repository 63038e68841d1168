"""The template of an MQTT input: the line that a payload is, whatever is published."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.system.config import board_specs
from daemon.system.template import LONGEST_LINE, LONGEST_PAYLOAD, Template, parse_template
from daemon.system.urls import UsageError, board_url


def line(template: str, payload: bytes | object) -> str | None:
    parsed = parse_template(template)
    assert isinstance(parsed, Template), parsed
    return parsed.line(payload if isinstance(payload, bytes) else json.dumps(payload).encode())


@pytest.mark.parametrize(
    ("template", "payload", "expected"),
    [
        ("{}", b"320", "320"),
        ("{}", b" 320\r\n", "320"),
        ("{/sector};{/multiplier}", {"sector": 20, "multiplier": 3}, "20;3"),
        ("{/dart/0}:{/ring}", {"dart": ["20"], "ring": "T"}, "20:T"),
        ('{{"segment":"{/bed}"}}', {"bed": "T20"}, '{"segment":"T20"}'),
        ("{/a~1b}{/c~0d}{/}", {"a/b": 1, "c~d": 2, "": 3}, "123"),
        ("{/number}", b'{"number": 1e3}', "1e3"),
        ("{/number}", {"other": 1}, None),
        ("{/number}", {"number": True}, None),
        ("{/number}", {"number": None}, None),
        ("{/number}", {"number": {"a": 1}}, None),
        ("{/number}", {"number": [1]}, None),
        ("{/0}", [5], "5"),
        ("{/00}", [5], None),
        ("{/-1}", [5], None),
        ("{/9999}", [5], None),
        ("{/number}", b"20", None),
        ("{/number}", b'{"number": NaN}', None),
        ("{/number}", b"[" * 4000, None),
        ("{}", b"\xff", None),
        ("{}", b"", None),
        ("{}", b"20x3\n20x2", None),
        ("{/bed}", {"bed": "20x3\n20x2"}, None),
        ("{}", b"1" * (LONGEST_LINE + 1), None),
        ("{/bed}", b'{"bed": "T20"' + b" " * LONGEST_PAYLOAD + b"}", None),
    ],
)
def test_the_line_of_a_payload(template: str, payload: bytes | object, expected: str | None) -> None:
    assert line(template, payload) == expected


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(
    payload=st.binary(max_size=300) | VALUES.map(lambda value: json.dumps(value).encode()), text=st.text(max_size=30)
)
def test_no_payload_and_no_template_raise_or_make_two_lines(payload: bytes, text: str) -> None:
    for template in (parse_template(text), parse_template("{/a}{/0}x{}"), parse_template("{}")):
        if isinstance(template, Template):
            found = template.line(payload)
            assert found is None or (found.isprintable() and 0 < len(found) <= LONGEST_LINE)


KEYS = st.text(st.characters(codec="utf-8", exclude_characters="{}", exclude_categories=["C", "Z"]), max_size=6)


@given(keys=st.lists(KEYS, min_size=1, max_size=4), number=st.integers(0, 999))
def test_a_pointer_finds_what_is_at_its_path(keys: list[str], number: int) -> None:
    value: Any = number
    for key in reversed(keys):
        value = {key: value}
    pointer = "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in keys)
    assert line(f"{{{pointer}}}", value) == str(number)


@given(text=st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=30))
def test_text_beside_a_pointer_stays_as_it_is(text: str) -> None:
    doubled = text.replace("{", "{{").replace("}", "}}")
    assert line(doubled + "{/n}", {"n": 7}) == text + "7"


@pytest.mark.parametrize(
    "text", ["", "{", "}", "{sector}", "{/a~2}", "{{}}", "no pointer", "{/a}{", "\n{}", "{}" * 101]
)
def test_what_is_not_a_template(text: str) -> None:
    assert isinstance(parse_template(text), str)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("mqtt:oche/test/board/lounge/hit", ["below oche/"]),
        ("mqtt:homeassistant/status", ["below homeassistant/"]),
        ("mqtt:$SYS/broker", ["does not begin with"]),
        ("mqtt:dartboard/%23?template=%7Bsector%7D&qos=1", ["without + and #", "JSON pointer", "'qos'"]),
        ("mqtt:dartboard/+", ["without + and #"]),
        ("mqtt:a%0Ab", ["printable"]),
    ],
)
def test_every_mistake_in_an_address_is_said(address: str, words: list[str]) -> None:
    with pytest.raises(UsageError) as wrong:
        board_url(address)
    assert all(word in str(wrong.value) for word in words), wrong.value


def test_every_mistake_of_a_configuration_is_said_at_once() -> None:
    boards = [
        "a=online-dart@mqtt:oche/x",
        "b=json-segment@listen://0.0.0.0:8765",
        "c=json-segment@listen://127.0.0.1:8765",
        "d=json-segment@listen://127.0.0.1:8765?token=ok",
        "e=online-dart@mqtt:dartboard/1",
        "f=online-dart@mqtt:dartboard/1",
        "g",
    ]
    with pytest.raises(UsageError) as wrong:
        board_specs(boards)
    lines = str(wrong.value).splitlines()
    assert len(lines) == 5
    assert [
        word in text for word, text in zip(("oche/", "anyone", "no name", "c and d", "e and f"), lines, strict=True)
    ]
    with pytest.raises(UsageError, match="both listen"):
        board_specs([f"{name}=suffix@listen://127.0.0.1:8765?token=same" for name in "ab"])
    assert len(board_specs([f"{name}=suffix@listen://127.0.0.1:8765?token={name}" for name in "ab"])) == 2
