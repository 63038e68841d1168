"""The Debian package, a Debian system to install it in, and `oche doctor`."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.install.doctor import Doctor

ROOT = Path(__file__).parents[2]
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
"""What the packages' scripts use."""


class Tree:
    """A Debian system in a folder, used with chroot: services can be enabled but not started."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        policy = folder / "usr/sbin/policy-rc.d"
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)
        # Not this machine's /dev: a test that is killed leaves it mounted, and whoever removes the folder, as pytest
        # does with those of former runs, would remove the machine's devices.
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755,dev", "tmpfs", folder / "dev"], check=True)
        for name in DEVICES:
            subprocess.run(["cp", "-a", f"/dev/{name}", folder / "dev"], check=True)
        subprocess.run(["mount", "-t", "proc", "proc", folder / "proc"], check=True)

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        done = subprocess.run(
            ["chroot", self.folder, *command], check=False, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0 or not check, f"{command}: {done.stdout}{done.stderr}"
        return done

    def install(self, deb: Path) -> None:
        shutil.copy(deb, self.path("/tmp/oche.deb"))
        self.run("dpkg", "--install", "/tmp/oche.deb")

    def path(self, path: str) -> Path:
        return self.folder / path.lstrip("/")

    def close(self) -> None:
        self.leave()
        shutil.rmtree(self.folder)

    def leave(self) -> None:
        """Unmounts what the tree has of this machine."""
        for mounted in ("dev", "proc"):
            subprocess.run(["umount", self.folder / mounted], check=True)


def build_deb(folder: Path, *options: str) -> Path:
    """Builds the package from this source tree; `--quick` among the options takes a tenth of the time."""
    built = subprocess.run(
        [ROOT / "scripts/build-deb", "--as-is", *options, folder], check=True, capture_output=True, text=True, cwd=ROOT
    )
    return Path(built.stdout.strip())


@pytest.fixture(scope="session")
def deb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, built once for all xdist workers, and compressed as little as the others that tests build.

    With `OCHE_VM=all` it is compressed as those that people get.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "deb"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        # A worker that comes second waits here until the first has built it.
        fcntl.flock(lock, fcntl.LOCK_EX)
        options = () if os.environ.get("OCHE_VM") == "all" else ("--quick",)
        return next(folder.glob("*.deb"), None) or build_deb(folder, *options)


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """A folder that every user may read."""
    with tempfile.TemporaryDirectory(prefix="oche-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def new_tree(folder: Path) -> Tree:
    """Unpacks a Debian system into a new folder."""
    if os.geteuid() != 0:
        pytest.skip(
            "root only: installing a package in a system of its own needs root: sudo scripts/test tests/install"
        )
    if os.uname().machine != "x86_64":
        pytest.skip("the tree is made for x86_64")
    subprocess.run([ROOT / "tests/vm/image"], check=True)
    folder.mkdir()
    subprocess.run(["tar", "-C", folder, "-xf", ROOT / "build/vm/rootfs.tar"], check=True)
    return Tree(folder)


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Tree]:
    system = new_tree(tmp_path / "debian")
    yield system
    system.close()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, deb: Path) -> Iterator[Tree]:
    """A system with the package, for tests that only look at it."""
    system = new_tree(tmp_path_factory.mktemp("installed") / "debian")
    system.install(deb)
    yield system
    system.close()


@pytest.fixture
def doctor(tmp_path: Path) -> Doctor:
    """`oche doctor` with a data directory of its own."""
    return Doctor(tmp_path)
