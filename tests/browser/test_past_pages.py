"""The pages of the history with a past: filters, legs, charts, head to head, files, and the ways there and back."""

import contextlib
import csv
import io
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import expect

from daemon.history.figures_schema import NAME, open_figures
from daemon.record.journal import Journal
from tests.browser.axe import violations
from tests.browser.conftest import PHONE, TELEVISION, OpenPage, PageDaemon
from tests.daemon.past import LEG, Past
from tests.rig import PtyBoard

NINE: Final = "T20 T20 T20 . S1 . T20 T20 T20 . S1 . T20 T19 D12 ."
SIZES: Final = (PHONE, (844, 390), (1024, 768), (1280, 720), (1080, 1920), TELEVISION)


def fill(past: Past) -> None:
    """Six matches of Ann, most of them won; the last one ended early."""
    past.add("x01", ("Ann", "Bob"), NINE)
    past.add("x01", ("Ann", "Bob"), f"{LEG} {LEG} S1 . {LEG}", "bar", start=101, best_of=3)
    past.add("x01", ("Ann", "Jürgen Müller-Lüdenscheidt"), LEG, start=101)
    past.add("cricket", ("Ann", "Bob"), "T20 T19 T18 . S1 . T17 T16 MISS . S1 . T15 MISS DB . S1 . SB .")
    past.add("bobs_27", ("Ann",), "D1 MISS MISS . " + "MISS MISS MISS . " * 5)
    past.add("x01", ("Ann", "Bob"), "T20 S20")


@pytest.fixture
def page_daemon(tmp_path: Path, pty: PtyBoard) -> Iterator[PageDaemon]:
    """A daemon that has a past."""
    with contextlib.closing(Journal(tmp_path / "data")) as journal, ThreadPoolExecutor(1) as thread:
        # Playwright's own loop runs in this one.
        thread.submit(fill, Past(journal)).result()
    with PageDaemon(tmp_path, pty, "embedded:") as running:
        yield running


def test_filters_find_matches_and_stay_in_the_address(open_page: OpenPage) -> None:
    page = open_page("/history")
    rows = page.locator(".matches a")
    expect(rows).to_have_count(6)
    expect(page.get_by_role("status").first).to_have_text("6 matches")
    expect(rows.first).to_contain_text("ended early, not counted")
    legs = rows.filter(has_text="best of 3")
    expect(legs.locator(".side")).to_contain_text(["Ann", "Bob"])
    expect(legs.locator(".points")).to_have_text(["1", "2"])
    expect(legs.locator(".won .names")).to_have_text(["Bob (Winner) ★"])
    page.get_by_label("Player").select_option("Bob")
    expect(rows).to_have_count(4)
    page.get_by_label("Game").select_option("x01")
    expect(rows).to_have_count(3)
    page.get_by_label("Board").select_option("bar")
    expect(rows).to_have_count(1)
    assert page.url.endswith("/history?player=Bob&game=x01&board=bar")
    page.reload()
    expect(rows).to_have_count(1)
    page.go_back()
    expect(rows).to_have_count(3)
    page.get_by_role("button", name="Clear filters").click()
    expect(rows).to_have_count(6)
    page.get_by_label("Period").select_option("own")
    page.get_by_label("From").fill("2026-03-02")
    page.get_by_label("To", exact=True).fill("2026-03-03")
    expect(rows).to_have_count(2)
    page.get_by_label("Period").select_option("today")
    expect(page.get_by_text("No match fits these filters.")).to_be_visible()


def test_filters_have_the_size_of_other_text(open_page: OpenPage) -> None:
    page = open_page("/history", TELEVISION)
    lists = page.locator(".filters select")
    expect(lists.first).to_be_visible()
    text = page.evaluate("getComputedStyle(document.body).fontSize")
    sizes = lists.evaluate_all("lists => lists.map(list => getComputedStyle(list).fontSize)")
    assert set(sizes) == {text}


def test_a_phone_opens_the_filters(open_page: OpenPage) -> None:
    page = open_page("/history", PHONE, language="de")
    expect(page.locator(".matches a")).to_have_count(6)
    expect(page.get_by_label("Spielart")).to_be_hidden()
    page.get_by_role("button", name="Filter").click()
    page.get_by_label("Spielart").select_option("cricket")
    expect(page.locator(".matches a")).to_have_count(1)


def test_leg_by_leg(open_page: OpenPage) -> None:
    page = open_page("/history?format=legs")
    page.locator(".matches a").click()
    expect(page.locator(".results thead th")).to_have_text(["Ann", "Bob (Winner) ★"])
    expect(page.locator(".results tr.points td")).to_have_text(["1", "2"])
    expect(page.locator(".legs tbody tr")).to_have_count(3)
    expect(page.locator(".legs tbody tr").nth(2).locator("td.won")).to_contain_text("Ø 101.0")
    expect(page.locator(".slider output")).to_have_text("14 of 14")
    page.get_by_role("button", name="Watch leg 3").click()
    # It plays from the first dart of the leg to the end.
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator(".slider output")).to_have_text("14 of 14")


NAMES: Final = ("Maximiliane Oberhuber-Schmidt", "Bartholomew Featherstonehaugh", "Zoë")
LONG: Final = "\n".join(
    [
        json.dumps({"match": 1, "rules": 1, "game": "x01", "players": NAMES, "options": {"start": 101}}),
        *('{"throw": "T17"}', '{"throw": "S10"}', '{"throw": "D20"}', '{"next": true}'),
    ]
)
TOO_WIDE: Final = """() => [...document.querySelectorAll("html, .scrolls, .moment tbody th")]
  .filter(part => part.scrollWidth > part.clientWidth).map(part => `${part.localName}.${part.className}`)"""


def test_long_names_have_room_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("/history", PHONE, language="de")
    added = page.request.post(f"{page.url.removesuffix('/history')}/history", data=LONG)
    page.goto(f"{page.url}/{added.json()['id']}")
    expect(page.locator(".moment th").first).to_be_visible()
    assert page.evaluate(TOO_WIDE) == []
    page.goto(page.url.split("/history")[0] + f"/players/{NAMES[0]}")
    expect(page.locator(".opponents tbody tr")).to_have_count(2)
    assert page.evaluate(TOO_WIDE) == []


def test_the_page_of_a_player(open_page: OpenPage) -> None:
    page = open_page("/players/Ann")
    tiles = page.locator(".rates div")
    # The one that ended early does not count.
    expect(tiles.filter(has_text="Matches played").locator("dd")).to_have_text("5")
    chart = page.get_by_role("img", name="Average: from")
    expect(chart).to_be_visible()
    expect(chart.locator(".dot")).to_have_count(3)
    page.get_by_role("button", name="Months").click()
    expect(page.get_by_text("The curve begins with the second match.")).to_be_visible()
    expect(page.locator(".doubles li").first).to_contain_text("D20")
    row = page.locator(".opponents tbody tr").filter(has_text="Bob")
    expect(row.locator(".balance")).to_have_text("2 : 1")
    best = page.locator(".bests a").filter(has_text="9 darts")
    expect(best).to_have_count(1)
    drill = page.locator(".games-played li").filter(has_text="Bob’s 27")
    expect(drill).to_contain_text("Last ten results")
    best.click()
    page.wait_for_url("**/history/*-*")


def test_leaderboards_and_achievements(open_page: OpenPage) -> None:
    page = open_page("/players")
    rating = page.locator(".leaders section").filter(has=page.get_by_role("heading", name="Rating"))
    expect(rating.locator("li").first).to_contain_text("Ann")
    expect(rating.locator("li")).to_have_count(3)
    # The value stands beside the name, at the end of the line.
    name, value = (rating.locator(f"li >> nth=0 >> {part}").bounding_box() for part in ("a", ".leader-value"))
    assert name is not None
    assert value is not None
    assert value["x"] >= name["x"] + name["width"] - 1
    assert value["y"] < name["y"] + name["height"] / 2
    page.get_by_role("button", name="Tonight").click()
    expect(page.get_by_text("No match was played to its end in this time.")).to_be_visible()
    assert page.url.endswith("/players?period=tonight")
    page.reload()
    expect(page.get_by_role("button", name="Tonight")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="All time").click()
    rating.get_by_role("link", name="Ann").click()
    page.wait_for_url("**/players/Ann")
    expect(page.locator(".rates div").filter(has_text="Rating").locator("dd")).to_contain_text("±")
    expect(page.locator(".achievements li").filter(has_text="A nine-darter")).to_have_count(1)


def test_leaderboards_on_a_screen_are_asked_for_again(open_page: OpenPage) -> None:
    page = open_page("/players?period=all", alone=True)
    page.clock.install()
    page.reload()
    expect(page.locator(".leaders li").first).to_be_visible()
    with page.expect_response("**/leaders.json?period=all"):
        page.clock.run_for(61_000)
    expect(page.locator(".leaders li").first).to_be_visible()


def test_the_table_of_the_matches_is_saved(open_page: OpenPage) -> None:
    page = open_page("/history?game=cricket")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as CSV").click()
    assert download.value.suggested_filename == "history.csv"
    text = download.value.path().read_text("utf-8-sig")
    assert [row["player"] for row in csv.DictReader(io.StringIO(text, newline=""))] == ["Ann", "Bob"]


def test_from_the_control_page_to_the_history_and_back(open_page: OpenPage) -> None:
    page = open_page("/board/lounge/control", PHONE)
    page.get_by_role("link", name="History").click()
    page.wait_for_url("**/history?board=lounge")
    expect(page.locator(".matches a")).to_have_count(5)
    page.get_by_role("link", name="To the board lounge").click()
    page.wait_for_url("**/board/lounge/control")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_every_page_fits_and_breaks_no_rule_of_accessibility(open_page: OpenPage, scheme: str) -> None:
    found, over = {}, []
    page = open_page(f"/history?theme={scheme}", PHONE, scheme=scheme)
    expect(page.locator(".matches a").first).to_be_visible()
    match = page.locator(".matches a").filter(has_text="best of 3").get_attribute("href")
    for path, ready in (("/history", ".matches a"), ("/players/Ann", ".chart .dot"), (match, ".legs td")):
        page.goto(f"{page.url.split('/history')[0].split('/players')[0]}{path}?theme={scheme}")
        expect(page.locator(ready).first).to_be_visible()
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
                over.append((path, width, height))
            if (width, height) in (PHONE, TELEVISION):
                found[path, width] = violations(page)
    assert over == []
    assert {where: broken for where, broken in found.items() if broken} == {}


def test_figures_that_are_being_counted_appear_when_they_are_there(
    open_page: OpenPage, tmp_path: Path, complaints: list[str]
) -> None:
    with contextlib.closing(open_figures(tmp_path / "data" / NAME)) as figures:
        figures.execute("BEGIN IMMEDIATE")  # as the process that counts
        page = open_page("/players")
        expect(page.get_by_text("being counted")).to_be_visible()
        figures.execute("ROLLBACK")
        expect(page.locator(".players-table").get_by_role("link", name="Ann")).to_be_visible()
        expect(page.get_by_text("being counted")).to_have_count(0)
    assert complaints
    assert all("503" in one for one in complaints)
    complaints.clear()


def test_achievements_appear_when_the_file_of_figures_is_free(open_page: OpenPage, tmp_path: Path) -> None:
    expect(open_page("/players").locator(".players-table").get_by_role("link", name="Ann")).to_be_visible()
    with contextlib.closing(open_figures(tmp_path / "data" / NAME)) as figures:
        figures.execute("BEGIN IMMEDIATE")
        page = open_page("/players/Ann")
        expect(page.locator(".achievements")).to_contain_text("Matches are still being counted.")
        figures.execute("ROLLBACK")
        expect(page.locator(".achievements li").first).to_be_visible()
