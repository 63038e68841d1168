"""Somebody who only watches: the link that a referee gives out, and what it opens."""

from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, expect

from tests.browser.conftest import PHONE
from tests.browser.test_pairing import NetworkPageDaemon
from tests.rig import PtyBoard

ASK: Final = """async () => {
    const {user, password} = JSON.parse(localStorage.getItem("oche.access"));
    const headers = {Authorization: `Basic ${btoa(`${user}:${password}`)}`};
    const status = async (path, method) => (await fetch(path, {method, headers})).status;
    return [await status("/history.csv", "GET"), await status("/players/Ann", "DELETE")];
}"""


def test_a_spectators_link_can_only_look(tmp_path: Path, pty: PtyBoard, chromium: Browser) -> None:
    with NetworkPageDaemon(tmp_path, pty) as daemon:
        control = daemon.here(chromium, "/board/lounge/control")
        control.get_by_role("button", name="Let someone watch").click()
        link = control.get_by_role("region", name="Let someone watch").get_by_role("link")
        address = link.get_attribute("href") or ""
        read = urlsplit(address)
        watcher = daemon.from_the_network(chromium, f"{read.path}?{read.query}", PHONE)
        watcher.get_by_role("button", name="Log in").first.click()
        watcher.wait_for_url("**/board/lounge")
        assert watcher.evaluate(ASK) == [200, 401]
        # It works once.
        expect(link).not_to_have_attribute("href", address)
