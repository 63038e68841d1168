"""The JavaScript of every page, as sent: whatever has arrived when the page itself is drawn."""

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Response

from tests.lounge import lounge

DIST: Final = Path(__file__).parents[2] / "web" / "dist"
LIST: Final = Path(__file__).parents[2] / "web" / "public" / "page-paths.json"
PAGES: Final[dict[str, str]] = json.loads(LIST.read_text("utf-8"))["pages"]
LONGEST: Final = "french"
"""The language with the largest file of texts: in the others a page has less."""
MOST: Final = 90_000
"""Bytes that the JavaScript of a page may have at its first paint, compressed."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    """The origin, and what a path needs: a board with a match, and a match and a player of the past."""
    with lounge(tmp_path_factory.mktemp("site")) as (referee, origin):
        start = {"start": {"game": "x01", "players": ["Ada", "Ben"]}}
        for command in (start, {"throw": "T20"}, {"stop": True}, start):
            assert referee.ask(command)["ok"], command
        with urllib.request.urlopen(f"{origin}/history.json") as answer:
            match = json.load(answer)[-1]["id"]
        yield origin, {"board": "lounge", "match": match, "name": "Ada"}


def test_the_texts_of_one_language_are_the_longest() -> None:
    texts = {file.name.partition("-")[0]: file.stat().st_size for file in DIST.glob("*-*.js.gz")}
    assert max(("english", "german", "french"), key=texts.__getitem__) == LONGEST


@pytest.mark.parametrize("name", PAGES)
def test_no_page_has_more_javascript_than_it_may(
    chromium: Browser, site: tuple[str, dict[str, str]], name: str
) -> None:
    origin, parts = site
    page = chromium.new_page(locale="fr")
    sent: dict[str, int] = {}

    def count(response: Response) -> None:
        file = DIST / urlsplit(response.url).path.lstrip("/")
        if file.suffix == ".js":
            sent[file.name] = len(Path(f"{file}.gz").read_bytes())

    page.on("response", count)
    page.goto(origin + PAGES[name].format(**parts))
    page.locator("#app > :not(.first[role])").first.wait_for(state="attached")
    page.context.close()
    assert "app.js" in sent
    assert sum(sent.values()) <= MOST, f"{sum(sent.values())} bytes: {sent}"
