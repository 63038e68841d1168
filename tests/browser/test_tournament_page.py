"""`/tournament`: what it shows of every format, on walls without scrolling, on phones without scrolling sideways."""

import json
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from daemon.tournament.payloads import state_of
from league.events import Correct, Draw, Enter, Reopened, Report
from league.record import Record
from tests.browser.axe import violations
from tests.browser.cups import CUPS, cup
from tests.league.evening import do, now, setup
from tests.rig import LIMIT_SECONDS
from tests.screens import SCROLLS, SIDEWAYS
from tests.stage import Stage, stage

WALLS: Final = ((1920, 1080), (1280, 720), (1024, 768), (1080, 1920))
PHONES: Final = ((390, 844), (844, 390))
OUTSIDE: Final = """() => [...document.querySelectorAll("main :is(p, h1, h2, span, td, th, li)")]
  .filter(part => part.getClientRects().length)
  .filter(part => {
    const box = part.getBoundingClientRect();
    return box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.left < -1 || box.top < -1;
  }).map(part => part.textContent)"""
"""Texts outside a screen that does not scroll."""
CUT: Final = """() => [...document.querySelectorAll(".cup-name > span:last-child, .few .cup-line > span")]
  .filter(part => part.getClientRects().length && part.scrollWidth > part.clientWidth + 1)
  .filter(part => getComputedStyle(part).display !== "inline")
  .map(part => part.parentElement.textContent)"""
"""Names without the part that tells them from others, and cut ones where there is room for all of it."""


@pytest.fixture(scope="module")
def on_stage(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(chromium, tmp_path_factory.mktemp("stage")) as running:
        yield running


@pytest.fixture(scope="module")
def page(on_stage: Stage) -> Iterator[Page]:
    page = on_stage.page(WALLS[0], path="/tournament")
    expect(page.locator("h1")).to_have_text("There is no tournament.")
    yield page
    page.context.close()


def show(on: Stage, page: Page, state: dict[str, Any], name: str) -> None:
    """Shows a tournament under this name, which no other has."""
    on.publish("oche/test/tournament", {**state, "name": name})
    expect(page.locator("h1")).to_have_text(name)


def sized(page: Page, size: tuple[int, int], what: str) -> Any:
    """What a function of the page returns once it is drawn at this size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return page.evaluate(
        f"() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))).then({what})"
    )


@pytest.mark.parametrize("part", [-1, 0.0, 0.6, 1.0])
@pytest.mark.parametrize("name", CUPS)
def test_a_wall_shows_it_without_scrolling_and_a_phone_without_scrolling_sideways(
    on_stage: Stage, page: Page, name: str, part: float
) -> None:
    count, keys = CUPS[name]
    show(on_stage, page, cup(count, part, keys), f"{name} {part}")
    for size in WALLS:
        assert sized(page, size, SCROLLS) is False, size
        assert sized(page, size, OUTSIDE) == [], size
        assert sized(page, size, CUT) == [], size
    for size in PHONES:
        assert sized(page, size, SIDEWAYS) is False, size


WHOLE: Final = """() => [...document.querySelectorAll(".cup-name > span")]
  .filter(part => part.getClientRects().length && part.scrollWidth > part.clientWidth + 1)
  .filter(part => getComputedStyle(part).display !== "inline")
  .map(part => part.parentElement.textContent)"""
"""Names of which any part is cut."""
SMALL_NAMES: Final = """() => [...document.querySelectorAll(".cup-winner b, .cup-order td")]
  .filter(part => part.getClientRects().length && parseFloat(getComputedStyle(part).fontSize) < 32)
  .map(part => part.textContent)"""
"""Names of the final order that are too small for a wall of 1080 lines."""


@pytest.mark.parametrize(("part", "count", "title"), [(0.2, 1, "Round 1"), (1.0, 4, "Last 16")])
def test_a_wall_shows_the_round_that_is_played(
    on_stage: Stage, page: Page, part: float, count: int, title: str
) -> None:
    show(on_stage, page, cup(64, part, CUPS["knockout-64"][1]), f"round {part}")
    assert sized(page, WALLS[0], WHOLE) == []
    sections = page.locator(".cup-bracket > section")
    expect(sections).to_have_count(count)
    expect(sections.first.get_by_role("heading")).to_have_text(title)


def test_a_wall_shows_the_losers_side_and_marks_what_is_on(on_stage: Stage, page: Page) -> None:
    state = cup(16, 0.6, CUPS["double-16"][1])
    show(on_stage, page, state, "double")
    sized(page, WALLS[0], SCROLLS)
    brackets = page.locator(".cup-bracket")
    expect(brackets).to_have_count(2)
    expect(brackets.first.get_by_role("heading").last).to_have_text("Finals")
    expect(brackets.last.get_by_role("heading").first).to_have_text("Losers, round 1")
    playing = [fixture for fixture in state["fixtures"] if "board" in fixture]
    marked = page.locator(".cup-bracket [aria-current=true]")
    expect(marked).to_have_count(len(playing))
    names = {entrant["number"]: entrant["name"] for entrant in state["entrants"]}
    for fixture in playing:
        expect(marked.filter(has_text=names[fixture["home"]])).to_contain_text(names[fixture["away"]])


@pytest.mark.parametrize(("name", "places"), [("groups-16", 16), ("knockout-64", 16), ("round-8", 3)])
def test_a_tournament_that_is_over_says_who_has_won_and_the_order_of_the_others(
    on_stage: Stage, page: Page, name: str, places: int
) -> None:
    count, keys = CUPS[name]
    state = cup(count, 1.0, keys)
    show(on_stage, page, state, f"over {name}")
    names = {entrant["number"]: entrant["name"] for entrant in state["entrants"]}
    assert sized(page, WALLS[0], SMALL_NAMES) == []
    expect(page.locator(".cup-winner")).to_have_text(f"Winner {names[state['winner']]}")
    expect(page.get_by_role("table", name="Final order").locator("td:visible")).to_have_count(places - 1)
    assert violations(page) == []
    sized(page, PHONES[0], SIDEWAYS)
    expect(page.get_by_role("table", name="Final order").locator("td:visible")).to_have_count(count - 1)


def test_it_says_who_plays_where_and_what_comes_next(on_stage: Stage, page: Page) -> None:
    state = cup(8, 0.3, {"format": "knockout"})
    sized(page, WALLS[0], SCROLLS)
    show(on_stage, page, state, "Friday")
    names = {entrant["number"]: entrant["name"] for entrant in state["entrants"]}
    playing = next(fixture for fixture in state["fixtures"] if fixture.get("board") == "lounge")
    line = page.locator(".cup-list").first.locator(".cup-line").first
    expect(line).to_have_text(f"{names[playing['home']]}lounge{names[playing['away']]}")
    expect(page.locator(".cup-head")).to_contain_text("2 of 7 matches played")
    expect(page.locator(".cup-bracket > section")).to_have_count(3)
    expect(page.locator(".cup-bracket .won")).to_have_count(2)
    assert violations(page) == []
    sized(page, PHONES[0], SIDEWAYS)
    page.get_by_label("Your name").select_option(names[playing["home"]])
    expect(page.locator(".cup-me [role=status]")).to_have_text(f"You play {names[playing['away']]} on lounge now.")
    expect(page.locator(".cup-all .cup-line")).to_have_count(7)
    assert violations(page) == []


@pytest.mark.parametrize(
    ("language", "said", "late", "mine"),
    [
        ("en", "2 of 7 matches played", "late on lounge", "You are late: {} on lounge, now."),
        ("de", "2 von 7 Spielen gespielt", "lounge: zu spät", "Du bist zu spät: jetzt gegen {} an lounge."),
        ("fr", "2 matchs joués sur 7", "lounge : en retard", "Vous êtes en retard : contre {} sur lounge, maintenant."),
    ],
)
def test_it_speaks_the_language_of_the_browser_and_says_who_is_late(
    on_stage: Stage, language: str, said: str, late: str, mine: str
) -> None:
    state = cup(8, 0.3, {"format": "knockout"})
    waiting = next(fixture for fixture in state["fixtures"] if fixture.get("board") == "lounge")
    waiting["late"] = True
    names = {entrant["number"]: entrant["name"] for entrant in state["entrants"]}
    on_stage.publish("oche/test/tournament", state)
    page = on_stage.page(PHONES[0], language, "/tournament")
    expect(page.locator(".cup-head")).to_contain_text(said)
    expect(page.locator(".cup-list .late .cup-score")).to_have_text(late)
    page.locator(".cup-me select").select_option(names[waiting["home"]])
    expect(page.locator(".cup-me [role=status]")).to_have_text(mine.format(names[waiting["away"]]))
    assert violations(page) == []
    # The screen is dark, and paper is white.
    page.emulate_media(media="print")
    expect(page.locator("h1")).to_have_css("color", "rgb(0, 0, 0)")
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
