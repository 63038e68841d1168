"""Only files and pages are answered: every other path is 404, whatever it looks like."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.web.not_found import LANGUAGES, not_found_page, preferred
from daemon.web.page_paths import page_paths
from daemon.web.pages import PAGES
from tests.daemon.house import House

LISTED = PAGES.parent / "public"
BOARD = st.from_regex(r"[a-z0-9-]{1,32}", fullmatch=True)
SEGMENT = st.from_regex(r"[A-Za-z0-9%._~-]{1,40}", fullmatch=True)


PAGE_PATHS = (
    *("/", "/wall", "/board/lounge", "/board/lounge/", "/board/lounge/control", "/overlay/lounge?size=60", "/setup"),
    "/board/lounge/health",
    *(
        "/pair?code=1",
        "/history",
        "/history/20261120-200000-lounge",
        "/players",
        "/players/Zo%C3%AB",
        "/players/AC%2FDC",
    ),
)
NO_PATHS = (
    *("/sw.js", "/favicon-x", "/foo.js", "/index.htm", "/board", "/board/", "/board/Lounge", "/board/lounge/controls"),
    *("/boards", "/wall/lounge", "/overlay", "/overlay/a/b", "//", "/players/a/b", "/history/a%2Fb", "/.git/config"),
)


def test_files_and_pages_are_served_and_everything_else_is_404(house: House) -> None:
    for path in PAGE_PATHS:
        status, text = house.ask("GET", path)
        assert (path, status) == (path, 200)
        assert b'<div id="app">' in text
    for path in ("/app.js", "/app.css", "/favicon.svg", "/favicon.ico", "/index.html"):
        assert (path, house.ask("GET", path)[0]) == (path, 200)
    for path in NO_PATHS:
        status, text = house.ask("GET", path)
        assert (path, status) == (path, 404)
        assert b"<script" not in text
        assert b'<a href="/?all">' in text


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"),
        ("en;q=0.1, DE-at;q=0.9", "de"),
        ("pl, ja;q=0.9", "en"),
        ("fr;q=much, de;q=0.1", "de"),
    ],
)
def test_an_unknown_address_has_a_page_that_helps_in_the_language_of_the_browser(accepted: str, language: str) -> None:
    text = not_found_page(accepted)
    assert f'<html lang="{language}">' in text
    assert LANGUAGES[language].heading in text
    assert {path.partition("?")[0] for path in re.findall('href="([^"]+)"', text)} == {"/", "/history", "/players"}


@given(accepted=st.text())
def test_a_header_that_no_browser_sends_has_the_page_as_well(accepted: str) -> None:
    assert preferred(accepted) in LANGUAGES


@given(board=BOARD)
def test_every_name_of_a_board_has_its_pages(board: str) -> None:
    for path in (f"/board/{board}", f"/board/{board}/control", f"/overlay/{board}"):
        assert page_paths(LISTED).fullmatch(path)


@given(first=SEGMENT, more=st.lists(SEGMENT, max_size=3))
def test_no_other_first_part_of_a_path_is_a_page(first: str, more: list[str]) -> None:
    known = {"board", "overlay", "wall", "history", "players", "pair", "card", "setup", "learn"}
    if first not in known:
        assert page_paths(LISTED).fullmatch("/".join(["", first, *more])) is None
