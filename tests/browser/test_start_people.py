"""The form of a new match: people are suggested, what is usual is one touch, and what does not fit is said."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from daemon.people import hand_files
from tests.browser.axe import violations
from tests.browser.conftest import PHONE
from tests.pictures import Studio, studio


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("people")


@pytest.fixture(scope="module")
def set_up(chromium: Browser, place: Path) -> Iterator[Studio]:
    with studio(chromium, place) as running:
        for players in (["Cleo", "Dan"], ["Eve", "Cleo", "Rex"]):
            bots = {"Rex": 25} if "Rex" in players else {}
            start = {"game": "count_up", "players": players, "bots": bots}
            assert running.referee.ask({"start": start})["ok"]
            assert running.referee.ask({"stop": True})["ok"]
        yield running


@pytest.fixture
def form(chromium: Browser, set_up: Studio) -> Iterator[Page]:
    set_up.referee.ask({"stop": True})
    page = chromium.new_page(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en")
    page.goto(f"{set_up.origin}/board/lounge/control")
    page.get_by_role("searchbox").fill("x01")
    page.get_by_text("X01", exact=True).click()
    yield page
    page.close()


def names(form: Page) -> list[str]:
    found: list[str] = form.locator(".seats input:not([type])").evaluate_all("all => all.map(input => input.value)")
    return found


def started(set_up: Studio, form: Page) -> dict[str, Any]:
    form.get_by_role("button", name="Game on").click()
    expect(form.locator(".playing")).to_be_visible()
    state: dict[str, Any] = set_up.referee.watcher.last("match")
    return state


def test_known_people_take_a_seat_by_a_touch_and_are_shuffled(set_up: Studio, form: Page) -> None:
    people = form.get_by_role("group", name="Who is playing?")
    # Those who played last come first, and a bot is nobody.
    expect(people.get_by_role("button")).to_have_text(["Eve", "Cleo", "Dan"])
    for name in ("Dan", "Eve", "Cleo"):
        people.get_by_role("button", name=name).click()
    expect(people).to_have_count(0)
    assert names(form) == ["Dan", "Eve", "Cleo"]
    assert violations(form) == []
    form.get_by_role("button", name="Shuffle").click()
    assert sorted(names(form)) == ["Cleo", "Dan", "Eve"]
    order = names(form)
    assert [player["name"] for player in started(set_up, form)["players"]] == order


def test_the_usual_starts_and_legs_are_one_touch_and_kept_as_a_match_of_ones_own(set_up: Studio, form: Page) -> None:
    form.get_by_role("group", name="Points").get_by_role("button", name="301").click()
    form.get_by_role("group", name="Best of").get_by_role("button", name="5").click()
    saved = form.get_by_role("group", name="Saved matches")
    form.get_by_role("button", name="Save this one").click()
    expect(saved.get_by_role("button", pressed=True)).to_have_text("X01 301 · best of 5")
    form.reload()
    form.get_by_role("searchbox").fill("cricket")
    form.get_by_text("Cricket", exact=True).click()
    form.get_by_role("group", name="Best of").get_by_role("button", name="3").click()
    expect(saved.get_by_role("button", name="X01 301 · best of 5", pressed=False)).to_be_visible()
    saved.get_by_role("button", name="X01 301 · best of 5").click()
    expect(form.get_by_role("radio", name="X01", exact=True, include_hidden=True)).to_be_checked()
    form.get_by_role("button", name="Forget this one").click()
    expect(saved).to_have_count(0)
    state = started(set_up, form)
    assert (state["game"], state["options"]) == ("x01", {"start": 301, "legs": 3})


def test_best_of_is_a_format_in_a_game_without_legs_of_its_own(set_up: Studio, form: Page) -> None:
    form.get_by_role("searchbox").fill("cricket")
    form.get_by_text("Cricket", exact=True).click()
    form.get_by_role("group", name="Best of").get_by_role("button", name="3").click()
    state = started(set_up, form)
    assert (state["game"], state["options"]) == ("cricket", {"best_of": 3})


def test_what_does_not_fit_is_said_in_words(form: Page) -> None:
    go, why = form.get_by_role("button", name="Game on"), form.locator("form > .why")
    people = form.get_by_role("group", name="Who is playing?")
    people.get_by_role("button", name="Dan").click()
    form.get_by_role("textbox", name="Player 2").fill("Dan")
    expect(why).to_have_text("Two players are called Dan.")
    expect(go).to_be_disabled()
    form.get_by_role("textbox", name="Player 2").fill("Eve")
    form.get_by_text("Options", exact=True).click()
    form.get_by_label("Start", exact=True).fill("5000")
    expect(why).to_have_text("Start: 101–1001, please.")
    expect(go).to_be_disabled()
    form.get_by_label("Start", exact=True).fill("401")
    expect(go).to_be_enabled()


def test_formats_that_the_rules_refuse_with_legs_are_not_offered(set_up: Studio, form: Page) -> None:
    form.get_by_text("Legs and who starts").click()
    form.get_by_label("Who starts").select_option("bull")
    form.get_by_role("group", name="Best of").get_by_role("button", name="3").click()
    expect(form.get_by_label("Who starts")).to_have_count(0)
    assert started(set_up, form)["options"] == {"legs": 2}


def test_the_order_of_dart_wars_is_kept_in_a_medley(set_up: Studio, form: Page) -> None:
    form.get_by_role("searchbox").fill("dart wars")
    form.get_by_text("Dart Wars", exact=True).click()
    form.get_by_text("Options", exact=True).click()
    form.get_by_label("Who starts").select_option("listed")
    form.get_by_text("Legs and who starts").click()
    form.get_by_role("button", name="Add to the match").click()
    options = started(set_up, form)["options"]
    first = options["legs"][0]
    assert (first["game"], first["options"], "order" in options) == ("dart_wars", {"order": "listed"}, False)


def test_a_handicap_of_who_no_longer_plays_is_not_sent(set_up: Studio, form: Page) -> None:
    first, second = (form.get_by_role("textbox", name=f"Player {number}") for number in (1, 2))
    first.fill("Dan")
    second.fill("Eve")
    form.get_by_text("Options", exact=True).click()
    handicap = form.get_by_role("group", name="Individual start (2 to 5001)")
    handicap.get_by_label("Dan").fill("301")
    handicap.get_by_label("Eve").fill("401")
    second.fill("Cleo")
    state = started(set_up, form)
    assert state["options"] == {"handicap": {"Dan": 301}}
    assert [player["name"] for player in state["players"]] == ["Dan", "Cleo"]


def test_averages_for_a_handicap_are_filled_in_from_the_matches_played(set_up: Studio, form: Page) -> None:
    for first, darts in (("Dan", "T20 S1 D20"), ("Eve", "S20 S20 S20 / MISS MISS S4 / S1 D20")):
        second = "Eve" if first == "Dan" else "Dan"
        start = {"game": "x01", "players": [first, second], "options": {"start": 101}}
        assert set_up.referee.ask({"start": start})["ok"]
        for dart in darts.split():
            assert set_up.referee.ask({"next": True} if dart == "/" else {"throw": dart})["ok"]
        assert set_up.referee.ask({"next": True})["ok"]
    set_up.referee.ask({"stop": True})
    form.reload()
    for number, name in ((1, "Dan"), (2, "Eve")):
        form.get_by_role("textbox", name=f"Player {number}").fill(name)
    form.get_by_role("button", name="Add a player").click()
    form.get_by_role("textbox", name="Player 3").fill("Fay")
    form.get_by_text("Options", exact=True).click()
    fields = form.get_by_role("group", name="Averages for a handicap")
    form.get_by_role("button", name="Fill in from the matches played").click()
    # Dan has 105 points with 6 darts, Eve 101 with 5.
    expect(fields.get_by_label("Dan")).to_have_value("52.5")
    expect(fields.get_by_label("Eve")).to_have_value("60.6")
    expect(fields.get_by_label("Fay")).to_have_value("")
    expect(form.get_by_text("No average is known of Fay")).to_be_visible()
    fields.get_by_label("Fay").fill("0.5")
    expect(form.locator(".why")).to_have_text("Averages for a handicap: 1–180, please.")
    fields.get_by_label("Fay").fill("40.4")
    assert violations(form) == []
    state = started(set_up, form)
    assert state["options"] == {"averages": {"Dan": 52.5, "Eve": 60.6, "Fay": 40.4}}
    assert [player["score"] for player in state["players"]] == [435, 501, 334]


def test_a_match_is_made_fair_and_its_chance_is_shown_before_it_is_agreed(set_up: Studio, form: Page) -> None:
    seats = form.locator(".seats li")
    for place, skill in ((0, "-9"), (1, "-30")):
        seats.nth(place).get_by_label("Bot", exact=True).check(force=True)
        seats.nth(place).locator("input[type=range]").fill(skill)
    expect(seats.nth(0).locator(".skill")).to_contain_text("county player · 9 mm")
    form.get_by_role("button", name="Make it fair").click()
    told = form.locator(".fair [role=status]")
    expect(told).to_have_text(re.compile(r"^Fair: Bot 1 50%, Bot 2 50%$"))
    assert violations(form) == []
    form.get_by_text("Options").click()
    starts = form.get_by_role("group", name="Individual start (2 to 5001)")
    given = int(starts.get_by_label("Bot 1").input_value())
    assert given > 501
    # Another handicap has another chance.
    starts.get_by_label("Bot 1").fill("700")
    expect(told).to_have_text("")
    starts.get_by_label("Bot 1").fill(str(given))
    expect(told).to_have_text(re.compile("^Fair"))
    state = started(set_up, form)
    assert state["options"]["handicap"]["Bot 1"] == given


def test_a_bot_throws_like_somebody_who_is_not_there(set_up: Studio, place: Path, form: Page) -> None:
    seat = form.locator(".seats li").nth(1)
    seat.get_by_label("Bot", exact=True).check(force=True)
    like = seat.get_by_label("How Bot 2 throws")
    expect(like.locator("option")).to_contain_text(["with a skill", "like Cleo", "like Cleo in an earlier month"])
    like.select_option("like Cleo in an earlier month")
    expect(seat.locator("input[type=range]")).to_have_count(0)
    expect(seat.get_by_placeholder("Ghost 2")).to_be_visible()
    assert violations(form) == []
    # Nothing was worked out of Cleo yet.
    form.get_by_role("button", name="Game on").click()
    expect(form.get_by_text("No hand of an earlier month is known of Cleo.")).to_be_visible()
    expect(form.locator(".playing")).to_have_count(0)
    hand_files.write(place / "data", "Cleo", {"months": [{"month": "2020-02", "skill_mm": 27.5}]})
    state = started(set_up, form)
    assert state["bots"] == {"Ghost 2": 27.5}


def test_a_ghost_throws_a_recorded_leg_again(set_up: Studio, place: Path, form: Page) -> None:
    legs = {hand_files.ALL: {"best": {"501-open-double-split": [[60, "T20", "MISS", "MISS"]]}}}
    hand_files.write(place / "data", "Cleo", {"hand": {"skill_mm": 20}, "legs": legs})
    seat = form.locator(".seats li").nth(1)
    seat.get_by_label("Bot", exact=True).check(force=True)
    seat.get_by_label("How Bot 2 throws").select_option("the best leg of Cleo, dart by dart")
    assert form.evaluate("document.documentElement.scrollWidth <= innerWidth")
    state = started(set_up, form)
    assert state["ghosts"] == {"Ghost 2": "record"}
    expect(form.get_by_title("Throws the darts of a recorded leg.")).to_have_text("Ghost")
