"""The version of this program: that of the installed package, or of the sources that it runs from.

hatchling executes this file alone to give a build its version (`[tool.hatch.version]` in pyproject.toml), so that it
imports nothing but the standard library. Different sources have different versions:

| sources | version |
|---|---|
| the tag v0.2.0 | `0.2.0` |
| 5 commits later | `0.2.0.post5+g<commit>` |
| a clone without tags | `<last release of CHANGELOG.md>.post<UTC time of the commit>+g<commit>` |
| with changes that are not committed | the same, then `.d<digest of the changes>` |
| an unpacked sdist | that of the sdist |
| without git | `<last release>.post0+d<digest of the sources>` |

A `post` version is above its release and below the next one, for pip and for dpkg. setuptools-scm (hatch-vcs) marks
changes with the date alone: two builds of one day would have the same version.
"""

import functools
import hashlib
import importlib.metadata
import os
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
"""The sources, or the folder `site-packages` of an installed program."""

FIRST: Final = "0.1.0"
"""The release that all versions without a tag come after, as long as CHANGELOG.md names none."""

COMMIT: Final = (
    "log",
    "-1",
    "--date=format-local:%Y%m%d%H%M%S",
    "--format=%(describe:tags,match=v[0-9]*,abbrev=40)|%H|%cd",
)
CHANGES: Final = ("status", "--porcelain", "--no-renames", "--untracked-files=all", "-z")

TAG: Final = re.compile(r"v(?P<release>\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?)(?:-(?P<later>\d+)-g[0-9a-f]+)?")
RELEASED: Final = re.compile(r"^## v?(\d+\.\d+\.\d+)\b(?!.*unreleased)", re.MULTILINE)

IGNORED: Final = frozenset({"__pycache__", "build", "data", "dist", "node_modules"})
"""Folders that are no sources. Only sources without git are searched by name; hidden folders are left out too."""


@functools.cache
def version() -> str:
    """Returns the version of this program, as `oche --version` and the node's status show it."""
    if (ROOT / "scripts/build-wheel").is_file():
        return source_version(ROOT)
    return importlib.metadata.version("oche")


def source_version(root: Path) -> str:
    """Returns the version of the sources in a folder. Never raises: without git it is a digest of all files."""
    sdist = root / "PKG-INFO"
    if sdist.is_file() and (found := re.search(r"^Version: (\S+)$", sdist.read_text(encoding="utf-8"), re.MULTILINE)):
        return found[1]
    if (root / ".git").exists():
        try:
            return _git_version(root)
        except (OSError, subprocess.CalledProcessError):
            pass  # git is missing, or the folder is a worktree of a clone that is not here
    return f"{_last_release(root)}.post0+d{_digest(root, _files(root))}"


def _git_version(root: Path) -> str:
    described, commit, time = _git(root, COMMIT).decode().strip().split("|")
    # "XY PATH" for each change, with a NUL behind it.
    changed = sorted(os.fsdecode(entry[3:]) for entry in _git(root, CHANGES).split(b"\0") if entry)
    tag = TAG.fullmatch(described)
    release, later = (tag["release"], tag["later"] or "0") if tag else (_last_release(root), time)
    if tag and later == "0" and not changed:
        return release
    digest = f".d{_digest(root, changed)}" if changed else ""
    # Not git's abbreviation of the commit, whose length depends on the clone.
    return f"{release}.post{later}+g{commit[:10]}{digest}"


def _git(root: Path, command: Iterable[str]) -> bytes:
    # Variables of a hook may name another repository.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    # The sources may belong to another user: root builds or asks in the clone of a user, whose code runs anyway.
    settings = ("-c", "safe.directory=*", "-c", "core.fsmonitor=false", "-c", "log.showSignature=false")
    return subprocess.run(
        ["git", "--no-optional-locks", *settings, *command],
        check=True,
        cwd=root,
        env=environment | {"TZ": "UTC", "LC_ALL": "C"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ).stdout


def _last_release(root: Path) -> str:
    try:
        found = RELEASED.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    except OSError:
        return FIRST
    return found[1] if found else FIRST


def _files(root: Path) -> list[str]:
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in IGNORED and not name.startswith(".")]
        found += [os.path.relpath(Path(folder, name), root) for name in files if not name.endswith(".pyc")]
    return sorted(found)


def _digest(root: Path, paths: Iterable[str]) -> str:
    """Returns a digest of these files: their names, modes and contents; one that is gone has its name alone."""
    digest = hashlib.sha256()
    for path in paths:
        file = root / path
        digest.update(os.fsencode(path) + b"\0")
        if file.is_symlink():
            digest.update(b"link" + os.fsencode(file.readlink()))
        elif file.is_file():
            content = file.read_bytes()
            # As in git, the owner's right to execute is all of the mode that counts: the rest depends on the umask.
            digest.update(b"%o %d " % (file.stat().st_mode & 0o100, len(content)) + content)
    return digest.hexdigest()[:10]
