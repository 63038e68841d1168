"""A drill: the phone shows the round and how many there are; its end shows the best and the last results."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE, TELEVISION
from tests.pictures import studio


def test_a_drill_ends_with_its_class_and_records(chromium: Browser, tmp_path: Path) -> None:
    with studio(chromium, tmp_path) as running:
        phone, television = (
            chromium.new_page(viewport={"width": width, "height": height}, locale="en")
            for width, height in (PHONE, TELEVISION)
        )
        for last, dart in (("0", "MISS"), ("0 45", "S15")):
            assert running.referee.ask({"start": {"game": "jdc_challenge", "players": ["Ann"]}})["ok"]
            if last == "0":
                phone.goto(f"{running.origin}/board/lounge/control")
                television.goto(f"{running.origin}/board/lounge")
            rounds = phone.locator(".aside .facts div").filter(has_text="Round")
            expect(rounds).to_have_text("Round1 / 19")
            for visit in range(1, 20):
                # The sixth visit is at the 15.
                thrown = dart if visit == 6 else "MISS"
                for _ in range(3):
                    assert running.referee.ask({"throw": thrown})["ok"]
                assert running.referee.ask({"next": True})["ok"]
            score = last.split()[-1]
            expect(phone.locator(".records dd")).to_have_text(["white", last])
            expect(phone.locator(".awaits")).to_have_text(f"Ann finishes with {score}")
            expect(rounds).to_have_count(0)
            # Nobody was beaten: the result names what was reached.
            expect(television.locator(".result h1")).to_have_text(score)
            expect(television.locator(".result .of")).to_have_text("Ann has finished")
            expect(television.locator(".records dd")).to_have_text(["white", score])
        expect(phone.locator(".records dt").last).to_have_text("Ann · best 45 · last:")
        expect(television.locator(".last-results li")).to_have_text(["0", "45"])
        for page in (phone, television):
            assert violations(page) == []
