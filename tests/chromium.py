"""The Chromium of the tests, and the arguments with which it starts."""

import shutil
from typing import Final

NETWORK_NAME: Final = "oche.test"
"""A name for the loopback address that does not count as this machine: a client that uses it comes from the network."""
ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # Letters are as wide as in a Chromium with windows. With hinting, digits stand up to two pixels apart from there.
    "--font-render-hinting=none",
    f"--host-resolver-rules=MAP {NETWORK_NAME} 127.0.0.1",
)
WITH_WINDOWS: Final = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""The system's, if it has one; else Playwright brings its own. What a kiosk starts."""
PROGRAM: Final = shutil.which("chromium-headless-shell") or WITH_WINDOWS
"""The one without windows, if there is one. It draws pages by the same code, and needs less than half of the processor
time to start and to open a page."""
