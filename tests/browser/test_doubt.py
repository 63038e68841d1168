"""One dart that closed two beds: a hit and a doubt, which one touch makes a dart, or the right bed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PageDaemon
from tests.browser.steps import sees_darts, sees_scores, start
from tests.rig import PtyBoard

WIRED = """\
name = "wired"
title = "A board whose neighbouring beds close together"
dialect = "sector-multiplier"
source = "a test"
[pace]
neighbour_ms = 2000
"""


@pytest.fixture
def page_daemon(tmp_path: Path, pty: PtyBoard) -> Iterator[PageDaemon]:
    file = tmp_path / "wired.toml"
    file.write_text(WIRED, encoding="utf-8")
    with PageDaemon(tmp_path, pty, "embedded:", str(file)) as running:
        yield running


def test_the_bed_that_closed_with_a_dart_is_the_first_to_correct_it_to(
    page_daemon: PageDaemon, phone: Page, television: Page
) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    page_daemon.throw("20;1", "5;1")
    expect(phone.locator("fieldset.answers button")).to_have_text(["S5"])
    phone.get_by_role("button", name="Dart 1: S20. Correct it").click()
    near = phone.locator(".near button")
    expect(near.first).to_have_text("S5")
    assert len(set(near.all_inner_texts())) == near.count()
    near.first.click()
    sees_darts(television, "S5")
    sees_scores(television, "496", "501")
