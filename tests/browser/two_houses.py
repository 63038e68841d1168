"""Two new users play with each other: from the invitation to the rematch, on two phones and two televisions.

`python -m tests.browser.two_houses FOLDER` takes a picture of all four pages at each step.
"""

import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.browser.conftest import PHONE, TELEVISION, patient
from tests.chromium import ARGUMENTS, PROGRAM
from tests.houses.pair import House, SharedBroker
from tests.rig import takes_connections, until

START: Final = {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 101}}}
Step = Callable[[str], None]


class Evening:
    """The host anna, in English, and the guest bob, in German, each with a phone and a television."""

    def __init__(self, stack: ExitStack, chromium: Browser, folder: Path) -> None:
        self.shared = SharedBroker(folder / "hub", "anna", "bob")
        self.shared.start()
        stack.callback(self.shared.kill)
        self.anna, self.bob = (House(folder / node, node, self.shared.url(node)) for node in ("anna", "bob"))
        self.pages: dict[str, Page] = {}
        for house, lang in ((self.anna, "en"), (self.bob, "de")):
            stack.callback(house.close)
            house.start()
            until(lambda house=house: takes_connections(house.daemon.http), "the pages")  # type: ignore[misc]
            for kind, path, size in (("phone", "/control", PHONE), ("television", "", TELEVISION)):
                page = chromium.new_page(viewport={"width": size[0], "height": size[1]})
                stack.callback(page.close)
                page.goto(f"http://127.0.0.1:{house.daemon.http}/board/lounge{path}?lang={lang}")
                self.pages[f"{house.node}-{kind}"] = page
        self.host, self.guest = self.pages["anna-phone"], self.pages["bob-phone"]

    def play(self, step: Step) -> None:
        """Plays; calls `step` with the name of each step when all pages show it."""
        assert self.anna.ask(START)["ok"]
        expect(self.host.locator("main.playing")).to_contain_text("Bob")
        self._invite(step)
        self._lose_the_line(step)
        self._adjourn(step)
        self._win(step)
        self._play_again(step)

    def _host_panel(self) -> Locator:
        return self.host.get_by_role("region", name="Play with another house")

    def _guest_panel(self) -> Locator:
        return self.guest.get_by_role("region", name="Mit einem anderen Haus spielen")

    def _open(self) -> None:
        """Opens what is folded on both phones."""
        for page, name in ((self.host, "Play with another house"), (self.guest, "Mit einem anderen Haus spielen")):
            button = page.get_by_role("button", name=name)
            if button.get_attribute("aria-expanded") == "false":
                button.click()

    def _invite(self, step: Step) -> None:
        step("before")
        self._open()
        expect(self._host_panel().get_by_role("button", name="Invite them")).to_be_disabled()
        expect(self._host_panel().get_by_role("button", name="Resume the adjourned match")).to_have_count(0)
        self._host_panel().get_by_role("button", name="Bob").click()
        step("asked")
        self._host_panel().get_by_role("button", name="Invite them").click()
        code = self._host_panel().locator(".code")
        expect(code).to_contain_text("anna/lounge/")
        there = self._guest_panel()
        there.get_by_label("Ich habe einen Code").fill("anna/lounge/AAAAAAAA")
        there.get_by_role("button", name="Ansehen").click()
        expect(there.get_by_role("alert")).to_contain_text("Diese Einladung gilt nicht")
        step("wrong-code")
        there.get_by_label("Ich habe einen Code").fill(code.inner_text())
        there.get_by_role("button", name="Ansehen").click()
        expect(there).to_contain_text("X01: Ann, Bob. Im anderen Haus: Bob.")
        there.get_by_role("button", name="Annehmen und spielen").click()
        expect(there.get_by_role("alert")).to_contain_text("Beende das Spiel dort zuerst")
        step("host-still-plays")
        assert self.anna.ask({"stop": True})["ok"]
        there.get_by_role("button", name="Annehmen und spielen").click()
        self.bob.house("here")
        for name, page in self.pages.items():
            expect(page.locator("main"), name).to_contain_text("Ann")
        step("began")

    def _lose_the_line(self, step: Step) -> None:
        assert self.anna.ask({"throw": "S1"})["ok"]
        self.anna.say("S2", "S3")
        self.anna.shows("Ann", "S1", "S2", "S3")
        assert self.anna.ask({"next": True})["ok"]
        self.bob.shows("Bob")
        self.shared.kill()
        self.bob.house("away")
        self.bob.say("S20", "S19")
        for kind in ("phone", "television"):
            guest, host = (self.pages[f"{node}-{kind}"].locator(".banner") for node in ("bob", "anna"))
            expect(guest).to_contain_text("Das Haus anna ist nicht erreichbar.")
            expect(guest).to_contain_text("S20, S19")
            expect(host).to_contain_text("The house bob cannot be reached.")
        step("line-down")
        self.shared.start()
        for page in self.pages.values():
            expect(page.locator(".banner")).to_have_count(0)
        self.anna.shows("Bob", "S20", "S19")
        step("line-back")

    def _adjourn(self, step: Step) -> None:
        self._open()
        self._host_panel().get_by_role("button", name="Adjourn the match").click()
        for page in (self.host, self.guest):
            expect(page.locator("main.playing")).to_have_count(0)
        self._open()
        expect(self._host_panel().get_by_role("button", name="Resume the adjourned match")).to_be_visible()
        step("adjourned")
        self._host_panel().get_by_role("button", name="Resume the adjourned match").click()
        for house in (self.anna, self.bob):
            house.shows("Bob", "S20", "S19")
        expect(self.pages["bob-television"].locator("main")).to_contain_text("Bob")
        step("resumed")

    def _win(self, step: Step) -> None:
        self.bob.say("S18")
        self.bob.shows("Bob", "S20", "S19", "S18")
        assert self.bob.ask({"next": True})["ok"]
        self.anna.shows("Ann")
        self.anna.say("T19", "D19")
        assert self.anna.shows("Ann", "T19", "D19")["result"]["winners"] == ["Ann"]
        assert self.anna.ask({"next": True})["ok"]
        for house in (self.anna, self.bob):
            house.referee.state(lambda state: state["finished"], "the end")
        expect(self.pages["bob-television"].locator("main")).to_contain_text("Ann gewinnt")
        step("won")

    def _play_again(self, step: Step) -> None:
        since = len(self.bob.watcher.seen)
        self._open()
        self._host_panel().get_by_role("button", name="Invite them once more").click()
        code = self._host_panel().locator(".code")
        expect(code).to_contain_text("anna/lounge/")
        step("asked-again")
        there = self._guest_panel()
        there.get_by_label("Ich habe einen Code").fill(code.inner_text())
        there.get_by_role("button", name="Ansehen").click()
        there.get_by_role("button", name="Annehmen und spielen").click()
        self.bob.shows("Bob", since=since, finished=False)
        expect(self.pages["bob-television"].locator("main")).to_contain_text("101")
        step("rematch")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright, ExitStack() as stack:
        chromium = patient(playwright.chromium.launch(executable_path=PROGRAM, args=list(ARGUMENTS)))
        stack.callback(chromium.close)
        evening = Evening(stack, chromium, Path(data))
        taken: list[str] = []

        def step(name: str) -> None:
            taken.append(name)
            for page_name, page in evening.pages.items():
                page.wait_for_timeout(500)
                page.screenshot(path=folder / f"{len(taken):02}-{name}-{page_name}.png")

        evening.play(step)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
