"""Two phones and two houses: from an invitation by code to the rematch, and what pages say when the line is down."""

from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.axe import violations
from tests.browser.two_houses import Evening

WITH_PANELS = ("asked", "adjourned", "asked-again")
"""Steps at which the phones are looked at: on each another part of the panel is open."""


def test_two_new_users_play_with_each_other(chromium: Browser, tmp_path: Path) -> None:
    seen = []
    with ExitStack() as stack:
        evening = Evening(stack, chromium, tmp_path)

        def step(name: str) -> None:
            seen.append(name)
            if name in WITH_PANELS:
                assert violations(evening.host) == []
                assert violations(evening.guest) == []

        evening.play(step)
    assert seen[-1] == "rematch"
