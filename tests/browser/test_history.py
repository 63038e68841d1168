"""The history in a real browser: matches, a replay dart by dart, players, a heat map, a file in and out."""

import json
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE, TELEVISION, OpenPage, PageDaemon
from tests.browser.steps import press, sees_darts, start

FILE: Final = "\n".join(
    [
        '{"match": 1, "rules": 1, "game": "x01", "players": ["Eva", "Öz"], "options": {"start": 101}}',
        *('{"throw": "T20"}', '{"throw": "S1"}', '{"throw": "D20"}', '{"next": true}'),
    ]
)


def play(page_daemon: PageDaemon, phone: Page) -> None:
    """Ann throws T20 S5 T20, Bob has thrown T19."""
    start(phone, "X01", ["Ann", "Bob"])
    page_daemon.throw("20;3", "5;1", "20;3")
    sees_darts(phone, "T20", "S5", "T20")
    press(phone, "Next")
    expect(phone.locator(".awaits")).to_have_text("Bob: dart 1")
    page_daemon.throw("19;3")
    sees_darts(phone, "T19")


TEAMS: Final = "\n".join(
    [
        '{"match": 1, "rules": 1, "game": "x01", "players": ["Eva", "Öz", "Cid", "Dan"],'
        ' "options": {"start": 101, "teams": 2}}',
        *('{"throw": "S1"}', '{"next": true}', '{"next": true}', '{"throw": "T20"}', '{"throw": "D20"}'),
        '{"next": true}',
    ]
)
DICE: Final = "\n".join(
    [
        '{"match": 1, "rules": 1, "game": "cerberus", "players": ["Eva", "Öz"], "options": {}}',
        *('{"roll": [5, 19, 3]}', '{"foul": true}', '{"throw": "D19"}'),
    ]
)


def bring_in(page: Page, folder: Path, text: str) -> None:
    file = folder / "match.jsonl"
    file.write_text(text)
    page.get_by_label("Import a match file").set_input_files(file)


def test_a_match_is_played_again_dart_by_dart(page_daemon: PageDaemon, phone: Page, open_page: OpenPage) -> None:
    play(page_daemon, phone)
    page = open_page("/history")
    page.locator(".matches a").click()
    slider, scores = page.get_by_role("slider"), page.locator(".moment > table td")
    expect(page.locator(".slider output")).to_have_text("5 of 5")
    expect(scores).to_have_text(["376", "444"])
    expect(page.locator(".thrown li:not(.open)")).to_have_text(["T19"])
    slider.press("ArrowLeft")
    expect(page.locator(".awaits")).to_have_text("Bob: dart 1")
    expect(page.locator(".action")).to_have_text("Next")
    page.get_by_role("button", name="One action back").click()
    expect(page.locator(".thrown li")).to_have_text(["T20", "S5", "T20"])
    expect(page.locator(".dart")).to_have_count(3)
    slider.press("Home")
    expect(scores).to_have_text(["501", "501"])
    expect(page.get_by_role("button", name="One action back")).to_be_disabled()
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".slider output")).to_have_text("5 of 5")
    expect(scores).to_have_text(["376", "444"])
    expect(page.get_by_role("link", name="Save as a match file")).to_have_count(0)


def test_players_with_their_figures_and_beds(page_daemon: PageDaemon, phone: Page, open_page: OpenPage) -> None:
    play(page_daemon, phone)
    page = open_page("/players")
    row = page.get_by_role("row", name="Ann")
    expect(row.get_by_role("cell")).to_have_text(["1", "0", "", "125.00", "125.00", "", ""])
    page.get_by_role("link", name="Ann").click()
    expect(page.get_by_role("heading", name="Ann")).to_be_visible()
    figures = page.locator(".rates div")
    expect(figures.filter(has_text="Best visit").locator("dd")).to_have_text("125")
    # The single 5 was told without its half: both are lit, the triple more than them.
    lit = page.locator('.heat path:not([data-darts="0"])')
    expect(lit).to_have_count(3)
    expect(page.locator('[data-bed="T20"]')).to_have_attribute("data-darts", "2")
    expect(page.locator('[data-bed="SI5"]')).to_have_attribute("data-darts", "1")
    opacity = [float(page.locator(f'[data-bed="{bed}"]').get_attribute("fill-opacity") or 0) for bed in ("T20", "SI5")]
    assert opacity[0] == 1 > opacity[1] > 0
    expect(page.locator(".heat li")).to_have_text(["T20 2", "S5 1"])
    expect(page.locator(".matches a")).to_have_count(1)


def test_a_file_in_and_out(page_daemon: PageDaemon, open_page: OpenPage, tmp_path: Path, complaints: list[str]) -> None:
    page = open_page("/history")
    expect(page.get_by_text("Nothing has been played yet.")).to_be_visible()
    bring_in(page, tmp_path, FILE)
    page.wait_for_url("**/history/*-*")
    expect(page.locator(".moment > table tbody th")).to_have_text(["Eva ★", "Öz"])
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as a match file").click()
    saved = download.value.path().read_text().splitlines()
    assert [json.loads(line) for line in saved] == [json.loads(line) for line in FILE.splitlines()]
    page.goto(f"{page_daemon.origin}/history")
    bring_in(page, tmp_path, FILE)
    expect(page.get_by_text("This match is already here.")).to_be_visible()
    bring_in(page, tmp_path, FILE + '\n{"throw": "T20"}')
    expect(page.locator(".bring-in .problem")).to_contain_text("6: The match is over")
    # The browser itself writes a refused request to the console.
    assert all("422" in said for said in complaints)
    complaints.clear()
    expect(page.locator(".matches a")).to_have_count(1)


def test_a_player_is_forgotten(page_daemon: PageDaemon, open_page: OpenPage) -> None:
    page = open_page("/history", PHONE, language="de")
    page.get_by_label("Spieldatei importieren").set_input_files(
        {"name": "m.jsonl", "mimeType": "text/plain", "buffer": FILE.encode()}
    )
    page.wait_for_url("**/history/*-*")
    page.goto(f"{page_daemon.origin}/players/%C3%96z")
    page.get_by_role("button", name="Öz vergessen").click()
    page.get_by_role("button", name="Öz wirklich vergessen").click()
    page.wait_for_url("**/players")
    expect(page.locator("tbody th")).to_have_text(["Eva", "Player 1"])


def test_what_is_not_there_is_said(open_page: OpenPage, complaints: list[str]) -> None:
    page = open_page("/history/20200101-000000-000000")
    expect(page.get_by_role("alert")).to_contain_text("There is no match")
    page.get_by_role("link", name="Players").click()
    expect(page.get_by_text("Nothing has been played yet.")).to_be_visible()
    assert all("404" in said for said in complaints)
    complaints.clear()


@pytest.mark.parametrize("path", ["/history", "/players", "/players/Ann", "match"])
def test_nothing_runs_over_the_edge(page_daemon: PageDaemon, phone: Page, open_page: OpenPage, path: str) -> None:
    play(page_daemon, phone)
    page = open_page("/history" if path == "match" else path)
    if path == "match":
        page.locator(".matches a").click()
        expect(page.locator(".thrown")).to_be_visible()
    else:
        expect(page.locator("main :is(a, td, dd)").first).to_be_visible()
    for width, height in (PHONE, (844, 390), (1024, 768), (1080, 1920), TELEVISION):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, height)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_no_page_of_the_history_breaks_a_rule_of_accessibility(
    page_daemon: PageDaemon, phone: Page, open_page: OpenPage, scheme: str
) -> None:
    play(page_daemon, phone)
    found = {}
    for path, size in (("/history", PHONE), ("/players", TELEVISION), ("/players/Ann", PHONE)):
        page = open_page(f"{path}?theme={scheme}", size, scheme=scheme)
        expect(page.locator("main :is(.names, th a, dd)").first).to_be_visible()
        found[path] = violations(page)
        if path == "/history":
            page.locator(".matches a").click()
            expect(page.locator(".slider output")).to_have_text("5 of 5")
            found["replay"] = violations(page)
    assert {page: broken for page, broken in found.items() if broken} == {}


def test_partners_have_one_line_in_a_replay_on_a_phone(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/history", PHONE)
    bring_in(page, tmp_path, TEAMS)
    rows = page.locator(".moment > table tr")
    expect(rows.locator("th:not([scope=col])")).to_have_text(["Eva & Cid ★", "Öz & Dan"])
    expect(rows.locator("td")).to_have_text(["0", "101"])
    page.get_by_role("slider").press("Home")
    expect(rows.locator("td")).to_have_text(["101", "101"])
    expect(page.locator("tr.at-turn")).to_contain_text(["Eva & Cid"])


def test_what_was_rolled_and_done_is_told_in_words(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/history", PHONE)
    bring_in(page, tmp_path, DICE)
    action, slider = page.locator(".action"), page.get_by_role("slider")
    for words in ("D19", "Foul", "5 · 19 · 3", "The start"):
        expect(action).to_have_text(words)
        slider.press("ArrowLeft")
