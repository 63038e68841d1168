"""A hint is there for who asks for it on a phone, and never unasked; about cards it is on their owner's phone alone."""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE, OpenPage, PageDaemon
from tests.browser.steps import sees_darts, start
from tests.pictures import SHOTS, Shot, Studio, studio

UNDER_THE_MARK: Final = """mark => {
  const box = mark.getBoundingClientRect();
  return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2).dataset.bed;
}"""
WORDS: Final = {"throw": "Aim: ", "choose": "Choose: ", "move": "Move: "}


def test_a_hint_is_asked_for_and_goes_with_the_next_dart(
    page_daemon: PageDaemon, phone: Page, open_page: OpenPage
) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    other = open_page("/board/lounge/control", PHONE)
    expect(other.get_by_role("button", name="Hint")).to_be_enabled()
    expect(phone.locator(".hint, .hint-mark").filter(visible=True)).to_have_count(0)
    phone.get_by_role("button", name="Hint").click()
    expect(phone.locator(".hint")).to_have_text(re.compile(r"^Aim: T\d+\. A club player hits it with \d+ darts of 100"))
    bed = re.findall(r"T\d+", phone.locator(".hint").inner_text())[0]
    assert phone.locator(".hint-mark").evaluate(UNDER_THE_MARK) == bed
    assert violations(phone) == []
    expect(other.locator(".hint")).to_have_text("")
    page_daemon.throw("20;3")
    sees_darts(phone, "T20")
    expect(phone.locator(".hint")).to_have_text("")
    expect(phone.locator(".hint-mark")).to_have_count(0)


def test_a_hint_about_cards_is_seen_by_their_owner(page_daemon: PageDaemon, phone: Page, open_page: OpenPage) -> None:
    start(phone, "Dards", ["Ann", "Bob"], {"Who starts": "listed", "Mode": "hands"})
    expect(phone.get_by_role("button", name="Hint")).to_be_disabled()
    other = open_page("/board/lounge/control", PHONE)
    other.get_by_label("Whose phone is this?").select_option("Bob")
    expect(other.locator(".hand button").first).to_be_visible()
    expect(other.get_by_role("button", name="Hint")).to_be_disabled()
    phone.get_by_label("Whose phone is this?").select_option("Ann")
    phone.get_by_role("button", name="Hint").click()
    expect(phone.locator(".hint")).to_have_text(
        re.compile(r"^Play the (\d+|[AJQK]) of (clubs|diamonds|hearts|spades)\.$")
    )
    expect(other.locator(".hint")).to_have_text("")


@pytest.fixture(scope="module")
def set_up(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with studio(chromium, tmp_path_factory.mktemp("hints")) as running:
        yield running


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.game)
def test_every_game_has_words_for_its_hints(set_up: Studio, chromium: Browser, shot: Shot) -> None:
    actor = set_up.play(shot)
    page = chromium.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en").new_page()
    page.add_init_script(f"localStorage.setItem('oche.player', '{actor}')")
    page.goto(f"{set_up.origin}/board/lounge/control")
    page.get_by_role("button", name="Hint", exact=True).click()
    hint = page.locator(".hint")
    expect(hint).to_have_text(re.compile(f"^{WORDS[shot.scene.view['turn']['awaits']]}"))
    assert not re.search(r"[{}_]|undefined|NaN|: \.", hint.inner_text()), hint.inner_text()
    page.context.close()
