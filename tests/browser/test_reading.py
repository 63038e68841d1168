"""Whether the pages can be read: from three metres, at once, without anything moving, in every light."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, TELEVISION, Hall, OpenPage
from tests.browser.steps import sees_darts, sees_scores, start

DIGITS = 0.68
"""Height of the typeface's digits in parts of its size; measured: 0.687."""
SMALLEST = 0.05
"""No score is smaller than this part of the screen's height."""
PAGE_BYTES = 300_000

SCORES = ".score, .slot, .total, .last, .dice .sum span, .dice .sum b, .die b:not(.word)"
FIGURES = ".figure b, .behind b"
"""What stands beside a score and is smaller where there are many players: its letters are that part of the height."""
SIZES = [TELEVISION, (1280, 800), (1280, 720), (3840, 2160)]

HEIGHTS = """nodes => nodes.map(node => {
  const box = node.getBoundingClientRect();
  const inside = box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
  const whole = node.scrollWidth <= node.clientWidth + 1;
  return [node.className || node.tagName, parseFloat(getComputedStyle(node).fontSize), inside, whole];
})"""


def people(number: int) -> list[str]:
    return [f"Player {i}" for i in range(1, number + 1)]


@pytest.mark.parametrize("number", [1, 4, 8, 16])
@pytest.mark.parametrize("game", ["X01", "Cricket", "Cerberus"])
def test_no_score_is_too_small_for_three_metres(
    hall: Hall, phone: Page, television: Page, game: str, number: int
) -> None:
    start(phone, game, people(number))
    hall.throw("20;1", "19;3")
    sees_darts(television, "S20", "T19")
    television.emulate_media(reduced_motion="reduce")
    for width, height in SIZES:
        television.set_viewport_size({"width": width, "height": height})
        shown = television.locator(SCORES).evaluate_all(HEIGHTS)
        assert len(shown) >= number + 3
        figures = television.locator(FIGURES).evaluate_all(HEIGHTS)
        for (name, size, inside, whole), part in [(s, DIGITS) for s in shown] + [(f, 1.0) for f in figures]:
            assert size * part >= SMALLEST * height, (game, width, height, name, size)
            assert inside, (game, width, height, name)
            assert whole, (game, width, height, name)


def test_nothing_moves_when_darts_are_thrown(hall: Hall, phone: Page, television: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    sees_scores(television, "501", "501")
    television.evaluate(
        """() => { window.moved = []; new PerformanceObserver(list => { for (const entry of list.getEntries())
            window.moved.push(...entry.sources.map(source => source.node?.className ?? "?")); })
            .observe({ type: "layout-shift", buffered: false }); }"""
    )
    hall.throw("20;3", "20;3", "20;3")
    sees_scores(television, "321", "501")
    phone.get_by_role("navigation").get_by_role("button", name="Next").click()
    expect(television.locator(".awaits")).to_have_text("Bob: dart 1")
    hall.throw("19;3")
    sees_scores(television, "321", "444")
    assert television.evaluate("window.moved") == []


def test_the_first_page_is_light(chromium_bytes: dict[str, int]) -> None:
    assert 0 < sum(chromium_bytes.values()) < PAGE_BYTES, chromium_bytes


@pytest.fixture
def chromium_bytes(open_page: OpenPage, hall: Hall) -> dict[str, int]:
    """What the first page fetched, and how many bytes of each came over the wire."""
    page = open_page("/?all")
    expect(page.get_by_role("heading", name="lounge")).to_be_visible()
    entries = page.evaluate(
        "performance.getEntries().filter(e => e.transferSize).map(e => [new URL(e.name).pathname, e.transferSize])"
    )
    return dict(entries)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_words_stand_out_from_what_they_are_written_on(
    hall: Hall, phone: Page, open_page: OpenPage, scheme: str
) -> None:
    """WCAG 2 AA: 4.5 to 1, or 3 to 1 for large letters, for every text that is not switched off."""
    start(phone, "X01", ["Ann", "Bob"])
    hall.throw("20;3", "20;1")
    sees_darts(phone, "T20", "S20")
    pages = [
        open_page("/board/lounge/control", PHONE, scheme=scheme),
        open_page(f"/board/lounge?theme={scheme}", TELEVISION),
        open_page("/?all", PHONE, scheme=scheme),
    ]
    for page in pages:
        expect(page.get_by_text("X01").first).to_be_visible()
        page.emulate_media(reduced_motion="reduce")
        assert page.evaluate(CONTRAST) == []


CONTRAST = """() => {
  const rgb = text => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const linear = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const behind = node => {
    for (let at = node; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0.99) return colour;
    }
    return [255, 255, 255];
  };
  const bad = [];
  for (const node of document.querySelectorAll("body *:not(svg *):not(svg)")) {
    const words = [...node.childNodes].some(child => child.nodeType === 3 && child.textContent.trim());
    if (!words || node.closest("[aria-hidden=true],.spoken,:disabled,option,noscript")) continue;
    const style = getComputedStyle(node);
    const [a, b] = [light(rgb(style.color)), light(behind(node))].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const needed = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < needed) bad.push([node.className, node.textContent, style.color, ratio]);
  }
  return bad;
}"""
