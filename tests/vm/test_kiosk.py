"""What the kiosk's unit starts, on a screen that is in memory: the page fills it.

The unit itself is verified in `tests/install`; a screen with a login manager behind it is a machine's own.
"""

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.household import family, pss_kib
from tests.install.conftest import ROOT
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, free_port

TOOLS = ("cage", "chromium", "Xwayland", "grim")
pytestmark = [
    pytest.mark.skipif(os.environ.get("OCHE_VM") != "all", reason="the rest of the evening: scripts/vm-test"),
    pytest.mark.skipif(
        os.geteuid() != 0 or not all(map(shutil.which, TOOLS)), reason=f"needs root, {', '.join(TOOLS)}"
    ),
]
TILES = 3
LIMIT_SECONDS = 180.0


def unit(key: str) -> list[str]:
    lines = (ROOT / "systemd/oche-kiosk.service").read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(f"{key}=") for line in lines if line.startswith(f"{key}=")]


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder of the user nobody, who stands in for the unit's own."""
    folder = Path(tempfile.mkdtemp(prefix="oche-kiosk-"))
    shutil.chown(folder, "nobody", "nogroup")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def colours(ppm: bytes) -> list[int]:
    """How many colours each part of a picture has, of nine; binary PPM."""
    _kind, size, _most, pixels = ppm.split(b"\n", 3)
    width, height = map(int, size.split())
    seen: list[set[bytes]] = [set() for _ in range(TILES * TILES)]
    for y in range(0, height, 4):
        for x in range(0, width, 4):
            at = (y * width + x) * 3
            seen[y * TILES // height * TILES + x * TILES // width].add(pixels[at : at + 3])
    return [len(tile) for tile in seen]


def test_the_page_fills_the_screen(home: Path, tmp_path: Path) -> None:
    port = free_port()
    with Daemon(tmp_path, "--broker", f"embedded://127.0.0.1:{port}") as daemon:
        watcher = Watcher(port)
        Referee(watcher, "virtual").online()
        watcher.close()
        environment = dict(line.split("=", 1) for line in unit("Environment"))
        environment |= {"HOME": str(home), "XDG_RUNTIME_DIR": str(home), "PATH": os.environ["PATH"]}
        environment["OCHE_PAGE"] = f"http://localhost:{daemon.http}/"
        # A screen in memory, drawn without a graphics card.
        environment |= {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman"}
        (command,) = unit("ExecStart")
        command = command.replace("${OCHE_PAGE}", environment["OCHE_PAGE"])
        with (tmp_path / "cage.log").open("wb") as log:
            kiosk = subprocess.Popen(
                shlex.split(command),
                env=environment,
                user="nobody",
                group="nogroup",
                extra_groups=[],
                cwd=home,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            end = time.monotonic() + LIMIT_SECONDS
            many = [0]
            # Nobody looks at a screen in memory: each picture that is taken has the next one drawn.
            while min(many) < 10:
                assert time.monotonic() < end, f"{many}: {(tmp_path / 'cage.log').read_text()[-2000:]}"
                assert kiosk.poll() is None, (tmp_path / "cage.log").read_text()
                taken = subprocess.run(
                    ["grim", "-t", "ppm", "-"],
                    env=environment | {"WAYLAND_DISPLAY": "wayland-0"},
                    capture_output=True,
                    check=False,
                )
                many = colours(taken.stdout) if taken.returncode == 0 else [0]
                (tmp_path / "screen.ppm").write_bytes(taken.stdout)
            # A process of the browser may end meanwhile: then there is no figure this time.
            with contextlib.suppress(OSError):
                memory = sum(pss_kib(process) for process in family(kiosk.pid)) / 1024
                print(f"  the kiosk, in addition to the service: {memory:.0f} MB (PSS)")
        finally:
            os.killpg(kiosk.pid, signal.SIGKILL)
            kiosk.wait()
