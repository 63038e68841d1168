"""The card for Home Assistant's dashboards, in a browser: what it shows of the states, and what its buttons call."""

from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, expect

CARD: Final = Path(__file__).parents[2] / "docs" / "home-assistant" / "oche-card.js"
NAMES: Final = ["Ann", "<b>Bob</b>"]
SET: Final = """([turn, darts, fault]) => {
  const card = document.querySelector("oche-card");
  const players = [{ name: "Ann", score: 401 }, { name: "<b>Bob</b>", score: 32 }];
  card.hass = {
    states: {
      "sensor.dartboard_den_2_match": { state: "throw", attributes: { game: "x01", players } },
      "sensor.dartboard_den_2_turn": { state: turn, attributes: {} },
      "sensor.dartboard_den_2_darts": { state: darts, attributes: {} },
      "binary_sensor.dartboard_den_2_fault": { state: fault, attributes: {} },
    },
    callService: (...call) => (window.called = call),
  };
}"""


def test_the_card(chromium: Browser) -> None:
    page = chromium.new_page(viewport={"width": 390, "height": 400})
    page.add_script_tag(content=CARD.read_text("utf-8"), type="module")
    page.wait_for_function("() => customElements.get('oche-card')")
    page.evaluate("""() => {
      const card = document.createElement("oche-card");
      card.setConfig({ board: "den-2" });
      document.body.append(card);
    }""")
    page.evaluate(SET, ["Ann", "T20 S5", "off"])
    card = page.locator("oche-card")
    expect(card.locator("li")).to_have_text([f"{NAMES[0]}401", f"{NAMES[1]}32"])
    expect(card.locator("li.turn")).to_have_text("Ann401")
    expect(card.locator("footer output")).to_have_text("T20 S5")
    page.evaluate(SET, [NAMES[1], "unknown", "on"])
    expect(card.locator("li.turn")).to_contain_text("32")
    expect(card.locator("footer output")).to_have_text("")
    expect(card.locator("header")).to_contain_text("⚠")
    card.get_by_role("button", name="undo").click()
    assert page.evaluate("called") == ["button", "press", {"entity_id": "button.dartboard_den_2_undo"}]
    page.close()
