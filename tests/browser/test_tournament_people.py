"""`/tournament`: what people do there, on their phones and as referees."""

import json
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from daemon.tournament.payloads import state_of
from league.events import Correct, Draw, Enter, Reopened, Report
from league.record import Record
from tests.browser.axe import violations
from tests.browser.cups import OUTSIDE, PHONES, WALLS, cup, show, sized
from tests.league.evening import do, now, setup
from tests.rig import LIMIT_SECONDS
from tests.screens import SCROLLS, SIDEWAYS
from tests.stage import Stage


@pytest.fixture(scope="module")
def page(on_stage: Stage) -> Iterator[Page]:
    page = on_stage.page(WALLS[0], path="/tournament")
    expect(page.locator("h1")).to_be_visible()
    yield page
    page.context.close()


@pytest.fixture
def door(on_stage: Stage) -> Iterator[Callable[..., None]]:
    """Sends commands to a tournament of the daemon itself, whose list of entrants is open."""

    def do(**command: Any) -> None:
        request = urllib.request.Request(f"{on_stage.origin}/tournament.json", json.dumps(command).encode())
        with urllib.request.urlopen(request, timeout=LIMIT_SECONDS) as answer:
            assert json.load(answer)["ok"]

    do(tournament=1, name="Door", format="knockout")
    yield do
    do(close=True)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Your name", "Enter", "Withdraw", "This name is on the list already")),
        ("de", ("Dein Name", "Anmelden", "Abmelden", "Dieser Name steht schon auf der Liste")),
        ("fr", ("Votre nom", "S’inscrire", "Se désinscrire", "Ce nom est déjà sur la liste")),
    ],
)
def test_a_phone_enters_and_withdraws_while_the_list_is_open(
    on_stage: Stage, door: Callable[..., None], language: str, words: tuple[str, str, str, str]
) -> None:
    label, enter, leave, known = words
    door(enter={"name": "Ann/Bob", "players": ["Ann", "Bob"]})
    page = on_stage.page(PHONES[0], language, "/tournament")
    expect(page.locator("h1")).to_have_text("Door")
    page.get_by_label(label).fill(" Zoë ")
    page.get_by_role("button", name=enter, exact=True).click()
    expect(page.locator(".cup-names li")).to_have_text(["Ann/Bob", "Zoë"])
    expect(page.get_by_role("button", name=leave, exact=True)).to_be_enabled()
    assert violations(page) == []
    assert sized(page, PHONES[0], SIDEWAYS) is False
    page.get_by_role("button", name=leave, exact=True).click()
    expect(page.locator(".cup-names li")).to_have_text(["Ann/Bob"])
    page.get_by_label(label).fill("Bob")
    page.get_by_role("button", name=enter, exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text(known)
    assert violations(page) == []
    page.set_viewport_size({"width": WALLS[0][0], "height": WALLS[0][1]})
    expect(page.get_by_label(label)).to_be_hidden()
    page.context.close()


def test_a_player_withdraws_on_their_phone_after_the_draw_and_nobody_else(on_stage: Stage) -> None:
    state = cup(8, 0.3, {"format": "knockout"})
    on_stage.publish("oche/test/tournament", state)
    name = next(f for f in state["fixtures"] if "board" in f)["home"]
    me, other = (next(e["name"] for e in state["entrants"] if (e["number"] == name) is own) for own in (True, False))
    page = on_stage.page(PHONES[0], path="/tournament")
    leave = page.get_by_role("button", name="Withdraw from the tournament")
    page.get_by_label("Your name").select_option(me)
    # A referee has another page for it.
    expect(page.get_by_role("status")).to_contain_text("You play")
    expect(leave).to_have_count(0)
    user = {"user": "me", "password": "secret", "role": "player", "name": me.upper()}
    page.evaluate("user => localStorage.setItem('oche.access', JSON.stringify(user))", user)
    sent: list[Any] = []

    def answer(route: Route) -> None:
        sent.append(route.request.post_data_json)
        route.fulfill(json={"ok": True, "revision": 9})

    page.route("**/tournament/enter", answer)
    page.reload()
    page.get_by_label("Your name").select_option(other)
    expect(page.get_by_role("status")).to_have_count(1)
    expect(leave).to_have_count(0)
    page.get_by_label("Your name").select_option(me)
    leave.click()
    assert violations(page) == []
    assert sized(page, PHONES[0], SIDEWAYS) is False
    page.get_by_role("button", name="Cancel").click()
    assert sent == []
    leave.click()
    leave.click()
    entrants = [e | ({"withdrawn": True} if e["name"] == me else {}) for e in state["entrants"]]
    on_stage.publish("oche/test/tournament", {**state, "entrants": entrants})
    expect(page.get_by_role("status")).to_have_text("You have withdrawn.")
    expect(leave).to_have_count(0)
    assert sent == [{"withdraw": me}]
    page.context.close()


def test_after_a_correction_the_final_is_played_again_or_kept(on_stage: Stage, page: Page) -> None:
    record = do(Record(), setup(format="knockout"))
    for name in ("Ann", "Bob", "Cem", "Dora"):
        record = do(record, Enter(name, (name,)))
    record = do(record, Draw("seed"))
    for fixture in ("R1-1", "R1-2", "R2-1"):
        record = do(record, Report(fixture, (2, 0)), 1e9)
    final = now(record).standing.pairings["R2-1"]
    beaten = now(record).by_number(now(record).standing.pairings["R1-1"].loser or 0).name
    names = [now(record).by_number(number or 0).name for number in (final.home, final.away)]
    sized(page, WALLS[0], SCROLLS)
    shown = page.locator(".cup-bracket > section").last.locator("li p")
    for title, then, expected in (
        ("Before", None, [f"{names[0]}2", f"{names[1]}0"]),
        ("Kept", "keep", [f"{names[0]}2", f"{names[1]}0"]),
        ("Again", "again", [beaten, names[1]]),
    ):
        after = record if then is None else do(record, Correct("R1-1", (0, 2), then), 1e9)  # type: ignore[arg-type]
        show(on_stage, page, dict(state_of(now(after), "20260101-193000-abcdef", len(after.events), 2, 1e9)), title)
        expect(shown).to_have_text(expected)


def test_a_score_sheet_is_printed_for_each_match_that_can_begin(on_stage: Stage) -> None:
    state = cup(16, 0.3, {"format": "groups", "groups": 4, "best_of": 3})
    on_stage.publish("oche/test/tournament", state)
    page = on_stage.page(WALLS[1], path="/tournament?sheets")
    can_begin = [fixture for fixture in state["fixtures"] if fixture["state"] == "ready"]
    expect(page.locator(".cup-sheet")).to_have_count(len(can_begin))
    expect(page.locator(".cup-sheet").first.locator(".cup-grids table")).to_have_count(3)
    assert violations(page) == []
    page.emulate_media(media="print")
    expect(page.locator(".cup-sheet h2").first).to_have_css("color", "rgb(0, 0, 0)")
    expect(page.get_by_role("link", name="Bracket and tables")).to_be_hidden()
    # A sheet for each page: A4 less its margins, at 96 dots an inch.
    page.set_viewport_size({"width": 718, "height": 1046})
    sheets = [sheet.bounding_box() for sheet in page.locator(".cup-sheet").all()]
    assert all(box is not None and box["height"] < 1046 and box["width"] <= 718 for box in sheets), sheets
    page.context.close()


@pytest.mark.parametrize("then", ["again", "keep"])
def test_a_referee_corrects_a_result_and_says_what_becomes_of_later_ones(
    on_stage: Stage, door: Callable[..., None], then: str
) -> None:
    for name in ("Ann", "Bob", "Cem", "Dora"):
        door(enter={"name": name})
    door(draw="seed")
    for fixture in ("R1-1", "R1-2", "R2-1"):
        door(result={"fixture": fixture, "score": [2, 0]})
    page = on_stage.page(PHONES[0], path="/tournament")
    page.get_by_role("link", name="Referee").click()
    # The form has the whole width of a phone.
    assert page.get_by_label("Match").evaluate("select => select.clientWidth") > 330
    page.get_by_label("Match").select_option("R1-1")
    away = page.get_by_label("Match").locator("option:checked").inner_text().split("  ")[0].split(" – ")[1]
    page.get_by_role("spinbutton").nth(0).fill("2")
    page.get_by_role("spinbutton").nth(1).fill("2")
    page.get_by_role("button", name="Correct the result").click()
    expect(page.get_by_role("alert")).to_have_text("A match cannot end with this score.")
    page.get_by_role("spinbutton").nth(0).fill("1")
    page.get_by_label("keep their results" if then == "keep" else "are played again").check()
    assert violations(page) == []
    assert sized(page, PHONES[0], SIDEWAYS) is False
    page.get_by_role("button", name="Correct the result").click()
    expect(page.get_by_role("status")).to_contain_text("1 : 2 is saved.")
    state = json.load(urllib.request.urlopen(f"{on_stage.origin}/tournament.json", timeout=LIMIT_SECONDS))
    names = {entrant["number"]: entrant["name"] for entrant in state["entrants"]}
    fixtures = {fixture["id"]: fixture for fixture in state["fixtures"]}
    assert fixtures["R1-1"]["score"] == [1, 2]
    assert names[fixtures["R1-1"]["winner"]] == away
    assert fixtures["R2-1"]["state"] == ("done" if then == "keep" else "ready")
    # Somebody leaves, and it is taken back: each asks once more.
    page.get_by_label("Who leaves").select_option(away)
    page.get_by_role("button", name=f"Withdraw {away}").click()
    page.get_by_role("button", name=f"Withdraw {away}").click()
    expect(page.get_by_label("Who leaves").locator("option")).to_have_count(4)
    page.get_by_role("button", name="Take back the last result").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Take back the last result").click()
    page.get_by_role("button", name="Take back the last result").click()
    expect(page.get_by_label("Who leaves").locator("option")).to_have_count(5)
    page.context.close()


def test_a_referee_is_told_of_a_match_that_went_on_and_others_are_not(on_stage: Stage, page: Page) -> None:
    record = do(Record(), setup(format="knockout"))
    for name in ("Ann", "Bob", "Cem", "Dora"):
        record = do(record, Enter(name, (name,)))
    record = do(record, Draw("seed"))
    for fixture in ("R1-1", "R1-2"):
        record = do(record, Report(fixture, (2, 0)), 1e9)
    record = do(record, Reopened("R1-1", (1, 2)))
    state = dict(state_of(now(record), "20260101-193000-abcdef", len(record.events), 2, 1e9))
    for size in (*WALLS, *PHONES):
        sized(page, size, SCROLLS)
        show(on_stage, page, state, f"Reopened {size}")
        told = page.get_by_role("alert").filter(has_text="on the board it ended 1 : 2")
        expect(told).to_be_visible()
        assert sized(page, size, SCROLLS if size in WALLS else SIDEWAYS) is False
        if size in WALLS:
            assert page.evaluate(OUTSIDE) == []
    told.get_by_role("link", name="Correct the result").click()
    page.get_by_role("button", name="Correct the result").first.click()
    expect(page.get_by_role("spinbutton").nth(1)).to_have_value("2")
    page.goto(f"{on_stage.origin}/tournament")
