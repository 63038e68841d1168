"""Only files and pages are answered: every other path is 404, whatever it looks like."""

from hypothesis import given
from hypothesis import strategies as st

from daemon.web.page_paths import page_paths
from daemon.web.pages import PAGES
from tests.daemon.house import House

LISTED = PAGES.parent / "public"
BOARD = st.from_regex(r"[a-z0-9-]{1,32}", fullmatch=True)
SEGMENT = st.from_regex(r"[A-Za-z0-9%._~-]{1,40}", fullmatch=True)


PAGE_PATHS = (
    *("/", "/wall", "/board/lounge", "/board/lounge/", "/board/lounge/control", "/overlay/lounge?size=60", "/setup"),
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


@given(board=BOARD)
def test_every_name_of_a_board_has_its_pages(board: str) -> None:
    for path in (f"/board/{board}", f"/board/{board}/control", f"/overlay/{board}"):
        assert page_paths(LISTED).fullmatch(path)


@given(first=SEGMENT, more=st.lists(SEGMENT, max_size=3))
def test_no_other_first_part_of_a_path_is_a_page(first: str, more: list[str]) -> None:
    known = {"board", "overlay", "wall", "history", "players", "pair", "card", "setup", "learn"}
    if first not in known:
        assert page_paths(LISTED).fullmatch("/".join(["", first, *more])) is None
