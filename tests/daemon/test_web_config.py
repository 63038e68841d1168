"""The table [web]: what the pages are told, what is a mistake, and which sites may embed the pages."""

import http.client
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.system.config import load_settings
from daemon.system.config_parser import parse
from daemon.system.config_writer import toml_of
from daemon.system.contrast import READABLE, contrast, readable_on
from daemon.system.urls import UsageError
from daemon.system.web_config import DARK, LIGHT
from daemon.web.pages import HEADERS, headers
from tests.daemon.house import answers
from tests.rig import Daemon, until

CSS = Path(__file__).parents[2] / "web" / "src" / "css" / "colours.css"
COLOURS = st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)
CROWN = """
[web]
name = "The Crown"
logo = "crown.png"
accent = "#66DDAA"
idle = "League night on Thursday"
night = ["22:30", "6:00"]
fixed_sides = true
font_size = 120
frame_ancestors = ["http://homeassistant.local:8123", "https://[fd00::1]"]
"""


def test_the_pages_are_told_what_is_configured() -> None:
    web = parse(CROWN, "x").web.to_json()
    assert contrast(web["accent"]["light"], LIGHT) >= READABLE
    assert web == {
        "name": "The Crown",
        "logo": "crown.png",
        "accent": {"dark": "#66ddaa", "light": web["accent"]["light"]},
        "idle": "League night on Thursday",
        "night": ["22:30", "06:00"],
        "fixed_sides": True,
        "font_size": 120,
    }
    assert parse("", "x").web.to_json() == {"night": ["23:00", "07:00"], "fixed_sides": False, "font_size": 100}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("name = ''", "web.name"),
        ("name = 'a\\u0000'", "web.name"),
        (f"name = '{'x' * 33}'", "web.name"),
        ("logo = '../crown.png'", "without a path"),
        ("logo = 'crown.svg'", ".png"),
        ("accent = 'orange'", 'like "#ffb81c"'),
        ("accent = '#ffb81'", 'like "#ffb81c"'),
        ("accent = '#203040'", "contrast of 1."),
        ("idle = ' '", "web.idle"),
        ("night = ['23:00']", "when it begins and ends"),
        ("night = ['23:00', '24:00']", "when it begins and ends"),
        ("font_size = 300", "web.font_size"),
        ("fixed_sides = 'left'", "web.fixed_sides"),
        ("frame_ancestors = ['*']", "'*' is not the address of a site"),
        ("frame_ancestors = ['http://a/lovelace']", "'http://a/lovelace' is not"),
        ("frame_ancestors = ['http://a; script-src *']", "is not the address"),
        ("frame_ancestors = ['http://me@a']", "is not the address"),
        ("colour = '#ffffff'", "web.colour"),
    ],
)
def test_a_mistake_is_named(line: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse("[web]\n" + line.replace("'", '"'), "oche.toml")
    assert said in str(refused.value)


def test_all_mistakes_of_a_configuration_are_named_at_once(tmp_path: Path) -> None:
    file = tmp_path / "oche.toml"
    file.write_text(
        'http = "nowhere"\nbroker = "ftp://x"\nnode = "Two Words"\n'
        '[web]\naccent = "#101010"\nfont_size = 10\n[boards]\nden = "nonsense"\n'
        '[[show]]\nwhen = { segment = "T21" }\nwords = "x"\n'
        '[caller_door]\naddress = "0.0.0.0:8079"\n[tls]\ncertificate = "/none"\nkey = "/none"\n'
    )
    with pytest.raises(UsageError) as refused:
        load_settings(str(file), [], None, None, None, None)
    said = str(refused.value)
    for mistake in (
        "nowhere",
        "ftp://x",
        "Two Words",
        "web.accent",
        "web.font_size",
        "nonsense",
        "T21",
        "0.0.0.0:8079",
    ):
        assert mistake in said
    assert "The certificate /none" in said


@given(COLOURS, st.sampled_from([(DARK, "#ffffff"), (LIGHT, "#000000")]))
def test_a_colour_becomes_readable(colour: str, on: tuple[str, str]) -> None:
    background, towards = on
    found = readable_on(colour, background, towards)
    assert contrast(found, background) >= READABLE
    if contrast(colour, background) >= READABLE:
        assert found == colour


@given(COLOURS)
def test_an_accent_is_taken_or_a_readable_one_is_offered(colour: str) -> None:
    try:
        parse(f'[web]\naccent = "{colour}"', "x")
    except UsageError as error:
        offered = re.findall(r'lighter: "(#[0-9a-f]{6})"', str(error))
        assert len(offered) == 1
        parse(f'[web]\naccent = "{offered[0]}"', "x")


def test_contrasts_are_those_of_the_guidelines_and_of_the_pages() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    css = CSS.read_text("utf-8")
    assert f"--raised: {DARK};" in css
    assert f"--felt: {LIGHT};" in css


def test_setup_keeps_tables_that_it_does_not_ask_about() -> None:
    before = (
        f'# ours\nnode = "a"\n{CROWN}\n[caller_door]\nfrom = ["192.168.1.2"]\n\n[[show]]\nwhen = {{ total = 180 }}\n'
    )
    before += 'words = "x"  # loud\n'
    config = parse(before, "x").model_copy(update={"node": "b"})
    assert toml_of(config, before) == before.replace('"a"', '"b"')
    assert parse(toml_of(config), "x") == config


def test_nobody_embeds_the_pages_unless_the_owner_says_so(tmp_path: Path) -> None:
    assert headers([]) == HEADERS
    frame = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe", "Sec-Fetch-Mode": "navigate"}
    config = tmp_path / "oche.toml"
    config.write_text(CROWN)
    with Daemon(tmp_path, "--config", str(config), "--board", "lounge=virtual@sim:?pace=600") as daemon:
        until(lambda: answers(daemon.http), "the pages")

        def ask(path: str, **more: str) -> tuple[int, str, Any]:
            client = http.client.HTTPConnection("127.0.0.1", daemon.http, timeout=20)
            client.request("GET", path, headers={**frame, **{k.replace("_", "-"): v for k, v in more.items()}})
            answer = client.getresponse()
            body = answer.read()
            client.close()
            return answer.status, answer.getheader("Content-Security-Policy") or "", body

        status, policy, _ = ask("/board/lounge")
        assert status == 200
        assert policy.endswith("frame-ancestors 'self' http://homeassistant.local:8123 https://[fd00::1]")
        assert ask("/history.json")[0] == 403
        assert ask("/board/lounge", Sec_Fetch_Dest="image")[0] == 403
        assert ask("/board/lounge", Origin="http://homeassistant.local:8123")[0] == 403
        told = json.loads(ask("/geometry.json", Sec_Fetch_Site="same-origin")[2])
        assert told["web"]["name"] == "The Crown"
