"""Different sources have different versions, with and without tags, in a worktree, an sdist and without git."""

import os
import re
import shutil
import subprocess
from importlib.metadata import version as installed_version
from itertools import pairwise
from pathlib import Path

import pytest
from packaging.version import Version

from daemon.system import version as module
from daemon.system.version import source_version

MOMENT = "2026-01-02T03:04:05+0100"


def environment() -> dict[str, str]:
    """That of git: settings of the user, or of a hook that runs the tests, are not those of the repositories here."""
    own = {"GIT_AUTHOR_DATE": MOMENT, "GIT_COMMITTER_DATE": MOMENT}
    none = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | own | none


class Sources:
    """A git repository with one file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit("one")

    def git(self, *command: str) -> str:
        identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(
            ["git", *identity, *command], check=True, cwd=self.folder, env=environment(), capture_output=True
        )
        return done.stdout.decode().strip()

    def write(self, text: str, name: str = "darts.py") -> None:
        (self.folder / name).write_text(text)

    def commit(self, text: str) -> None:
        self.write(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", text)

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")[:10]

    @property
    def version(self) -> str:
        return source_version(self.folder)


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    return Sources(tmp_path / "sources")


def test_a_tag_is_a_release_and_what_follows_is_above_it(sources: Sources) -> None:
    before = sources.version
    sources.git("tag", "v0.2.0")
    assert sources.version == "0.2.0"
    sources.commit("two")
    sources.commit("three")
    assert sources.version == f"0.2.0.post2+g{sources.head}"
    later = sources.version
    sources.commit("four")
    sources.git("tag", "--annotate", "--message", "a candidate", "v0.3.0rc1")
    assert sources.version == "0.3.0rc1"
    sources.git("tag", "v0.3.0")
    sources.git("tag", "--delete", "v0.3.0rc1")
    order = [before, "0.2.0", later, "0.3.0rc1", "0.3.0rc1.post1+g1234567890", sources.version]
    assert all(Version(older) < Version(newer) for older, newer in pairwise(order)), order


def test_a_clone_without_tags_is_above_the_release_of_its_changelog(sources: Sources, tmp_path: Path) -> None:
    time = "20260102020405"
    assert sources.version == f"0.1.0.post{time}+g{sources.head}"
    (sources.folder / "CHANGELOG.md").write_text(
        "# Changelog\n\n## 0.4.0 (unreleased)\n\n## 0.3.1 (2026-01-01)\n\n## 0.3.0\n"
    )
    sources.commit("two")
    assert sources.version == f"0.3.1.post{time}+g{sources.head}"
    sources.git("tag", "v0.3.1", "HEAD~1")
    sources.commit("three")
    shallow = tmp_path / "shallow"
    clone = ["git", "clone", "--quiet", "--depth=1", "--no-tags", f"file://{sources.folder}", str(shallow)]
    subprocess.run(clone, check=True, env=environment())
    assert source_version(shallow) == f"0.3.1.post{time}+g{sources.head}"


def test_a_tag_that_is_not_a_version_is_no_release(sources: Sources) -> None:
    for tag in ("v2-of-the-rules", "version", "v1.x"):
        sources.git("tag", tag)
    assert sources.version == f"0.1.0.post20260102020405+g{sources.head}"


def test_changes_that_are_not_committed_have_versions_of_their_own(sources: Sources) -> None:
    sources.git("tag", "v0.2.0")
    seen = [sources.version]
    for text in ("two", "three"):
        sources.write(text)
        seen.append(sources.version)
    sources.write("new", "new.py")
    seen.append(sources.version)
    sources.write("newer", "new.py")
    seen.append(sources.version)
    sources.git("add", "--all")
    assert sources.version == seen[-1]
    (sources.folder / "darts.py").chmod(0o755)
    seen.append(sources.version)
    (sources.folder / "darts.py").unlink()
    seen.append(sources.version)
    (sources.folder / "darts.py").symlink_to("new.py")
    seen.append(sources.version)
    assert len(set(seen)) == len(seen)
    for made in seen[1:]:
        assert re.fullmatch(rf"0\.2\.0\.post0\+g{sources.head}\.d[0-9a-f]{{10}}", made), made
        assert Version("0.2.0") < Version(made) < Version("0.2.1.dev0")
    sources.git("reset", "--quiet", "--hard")
    assert sources.version == "0.2.0"


def test_a_worktree_and_a_clone_of_another_user_have_the_version_of_the_clone(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "worktree"))
    assert source_version(tmp_path / "worktree") == sources.version
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert source_version(tmp_path / "worktree") == sources.version
    if os.geteuid() == 0:
        os.chown(sources.folder, 65534, 65534)
        os.chown(sources.folder / ".git", 65534, 65534)
        assert sources.version.startswith("0.1.0.post2026")


def test_an_sdist_keeps_its_version_inside_another_repository(sources: Sources) -> None:
    sdist = sources.folder / "oche-0.2.0"
    sdist.mkdir()
    (sdist / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: oche\nVersion: 0.2.0\n")
    assert source_version(sdist) == "0.2.0"


def test_an_sdist_keeps_its_time_inside_another_repository(sources: Sources) -> None:
    sdist = sources.folder / "oche-0.2.0"
    (sdist / "scripts").mkdir(parents=True)
    shutil.copy(module.ROOT / "scripts/source-date", sdist / "scripts")
    (sdist / "CHANGELOG.md").touch()
    os.utime(sdist / "CHANGELOG.md", (86_400, 86_400))
    done = subprocess.run([sdist / "scripts/source-date"], check=True, capture_output=True, text=True)
    assert done.stdout == "86400\n"


def test_without_git_the_version_is_a_digest(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    with_git = sources.version
    monkeypatch.setenv("PATH", "/nowhere")
    first = sources.version
    monkeypatch.undo()
    assert first != with_git
    shutil.rmtree(sources.folder / ".git")
    assert sources.version == first
    assert re.fullmatch(r"0\.1\.0\.post0\+d[0-9a-f]{10}", first)
    (sources.folder / "node_modules").mkdir()
    sources.write("no source", "node_modules/new.js")
    assert sources.version == first
    sources.write("two")
    assert sources.version != first


def test_a_worktree_whose_clone_is_gone_has_a_version(sources: Sources) -> None:
    shutil.rmtree(sources.folder / ".git")
    (sources.folder / ".git").write_text("gitdir: /nowhere/at/all\n")
    assert re.fullmatch(r"0\.1\.0\.post0\+d[0-9a-f]{10}", sources.version)


def test_an_installed_program_has_the_version_of_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROOT", tmp_path)
    assert module.version.__wrapped__() == installed_version("oche")
