"""The pages as an installed app: manifest, icons and a screen that stays on."""

import base64
import json

from playwright.sync_api import Browser, Page

from tests.browser.conftest import OpenPage, PageDaemon
from tests.icons import ICONS, PUBLIC, draw, size_of

SAME = """async ([one, other]) => {
  const points = async source => {
    const picture = new Image();
    picture.src = source;
    await picture.decode();
    const canvas = new OffscreenCanvas(32, 32);
    const pen = canvas.getContext("2d");
    pen.drawImage(picture, 0, 0, 32, 32);
    return pen.getImageData(0, 0, 32, 32).data;
  };
  const [a, b] = [await points(one), await points(other)];
  return a.every((channel, i) => Math.abs(channel - b[i]) <= 16);
}"""
LOCKS = """
window.locks = [];
Object.defineProperty(navigator, "wakeLock", { value: { request: async kind => {
  const lock = { kind, released: false, release: async () => { lock.released = true; } };
  locks.push(lock);
  return lock;
} } });
"""


def test_the_manifest_names_icons_of_the_sizes_that_they_have(page_daemon: PageDaemon, open_page: OpenPage) -> None:
    page = open_page("/board/lounge")
    address = page.locator("link[rel=manifest]").get_attribute("href")
    answer = page.request.get(f"{page_daemon.origin}{address}")
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = json.loads(answer.body())
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    purposes = set()
    for icon in manifest["icons"]:
        found = page.request.get(f"{page_daemon.origin}{icon['src']}")
        assert found.headers["content-type"] == icon["type"]
        purposes.add(icon.get("purpose", "any"))
        if icon["type"] == "image/png":
            assert "x".join(map(str, size_of(found.body()))) == icon["sizes"]
    assert purposes == {"any", "maskable"}
    apple = page.locator("link[rel=apple-touch-icon]").get_attribute("href")
    assert size_of(page.request.get(f"{page_daemon.origin}{apple}").body()) == (180, 180)


def test_the_icons_are_those_of_the_drawing(chromium: Browser) -> None:
    page = chromium.new_page()
    for name, (size, share, ground) in ICONS.items():
        kept, drawn = (
            f"data:image/png;base64,{_base64(picture)}"
            for picture in ((PUBLIC / name).read_bytes(), draw(chromium, size, share, ground))
        )
        assert page.evaluate(SAME, [kept, drawn]), f"{name} is not of this drawing: run scripts/icons"
    page.close()


def _base64(picture: bytes) -> str:
    return base64.b64encode(picture).decode()


def test_a_scoreboard_and_a_wall_keep_their_screen_on(page_daemon: PageDaemon, chromium: Browser) -> None:
    for path in ("/board/lounge", "/wall"):
        page: Page = chromium.new_page()
        page.add_init_script(LOCKS)
        page.goto(f"{page_daemon.origin}{path}")
        page.wait_for_function("() => locks.length === 1 && locks[0].kind === 'screen'")
        # The browser releases it when the page is hidden; it is asked for again when the page is back.
        page.evaluate("locks[0].released = true; document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_function("() => locks.length === 2")
        page.close()
