"""What scripts/release makes: the same bytes in any folder, an apt repository that apt accepts, notes and a page."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

import pytest

from daemon.cli.parser import parser
from daemon.system.version import version
from scripts.download_page import PARTS, page
from scripts.release_notes import notes
from tests.install.conftest import ROOT
from tests.rig import LIMIT_SECONDS, until

CHANGELOG = """# Changelog

## 0.3.0 (unreleased)

- Three.

## 0.2.0 (2026-12-01)

### Boards

- Two.

## 0.1.0

- One.
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same sources in another folder, with new times and modes of files."""
    folder = tmp_path_factory.mktemp("another") / "longer" / "name"
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], check=True, cwd=ROOT, capture_output=True
    )
    names = [os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
    for name in (*names, *(str(path.relative_to(ROOT)) for path in (ROOT / "web/dist").iterdir())):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
            (folder / name).chmod(0o700 if os.access(ROOT / name, os.X_OK) else 0o600)
    for name in (".git", ".venv"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "build").mkdir()
    (ROOT / "build/wheels").mkdir(parents=True, exist_ok=True)
    (folder / "build/wheels").symlink_to(ROOT / "build/wheels")
    return folder


def build(sources: Path, out: Path, umask: int, zone: str) -> dict[str, bytes]:
    """What the sources in a folder become, by the names of the files."""

    def run(script: str, *options: str | Path) -> Path:
        done = subprocess.run(
            [sources / "scripts" / script, "--as-is", *options, out],
            check=True,
            cwd=sources,
            env=os.environ | {"TZ": zone, "LANG": "C"},
            umask=umask,
            stdout=subprocess.PIPE,
            text=True,
        )
        return Path(done.stdout.strip())

    run("build-wheel", "--sdist")
    run("build-deb", "--quick", "--wheel", run("build-wheel"))
    return {file.name: file.read_bytes() for file in out.iterdir()}


def test_two_builds_in_two_folders_have_the_same_bytes(copy: Path, tmp_path: Path) -> None:
    first = build(ROOT, tmp_path / "first", 0o022, "UTC")
    second = build(copy, tmp_path / "second", 0o077, "Asia/Tokyo")
    ours = version()
    assert {f"oche-{ours}.tar.gz", f"oche-{ours}-py3-none-any.whl"} < first.keys()
    assert len(first) == 3
    assert first.keys() == second.keys()
    assert [name for name, content in first.items() if second[name] != content] == []


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a secret key that was made for the tests, and has no passphrase."""
    file = tmp_path_factory.mktemp("key") / "secret.asc"
    made = """
        export GNUPGHOME="$(mktemp -d /tmp/oche-key.XXXXXX)"
        trap 'gpgconf --kill gpg-agent; rm -rf "$GNUPGHOME"' EXIT
        gpg-agent --quiet --daemon >/dev/null
        gpg --batch --quiet --passphrase '' --quick-generate-key 'oche <oche@example.org>' ed25519 sign never
        gpg --batch --armor --export-secret-keys
    """
    with file.open("wb") as out:
        subprocess.run(["sh", "-eu", "-c", made], check=True, stdout=out)
    return file


def repository(folder: Path, *key: Path) -> Path:
    """An apt repository of packages without content, for each Debian."""
    for debian in ("12", "13"):
        tree, pool = folder / f"tree{debian}", folder / f"apt/pool/debian{debian}"
        (tree / "DEBIAN").mkdir(parents=True)
        pool.mkdir(parents=True)
        (tree / "DEBIAN/control").write_text(
            f"Package: oche\nVersion: 1.0+deb{debian}\nArchitecture: amd64\nMaintainer: Ann <ann@example.org>\n"
            "Description: nothing\n"
        )
        os.utime(tree / "DEBIAN/control", (0, 0))
        environment = os.environ | {"SOURCE_DATE_EPOCH": "1700000000"}
        command: list[str | Path] = ["dpkg-deb", "--root-owner-group", "-Zgzip", "--build", tree, pool]
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    subprocess.run([ROOT / "scripts/apt-repository", folder / "apt", *key], check=True, env=environment)
    return folder / "apt"


def apt(folder: Path, repository: Path, suite: str) -> subprocess.CompletedProcess[str]:
    """Reads a repository with an apt of its own, and downloads the package."""
    for name in ("state/lists/partial", "cache/archives/partial", "etc/preferences.d", "etc/apt.conf.d"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    sources = folder / "sources.list"
    sources.write_text(f"deb [signed-by={repository}/oche.asc arch=amd64] file://{repository} {suite} main\n")
    (folder / "status").touch()
    own = {
        "Dir::Etc": folder / "etc",
        "Dir::Etc::sourcelist": sources,
        "Dir::Etc::sourceparts": "-",
        "Dir::State": folder / "state",
        "Dir::State::status": folder / "status",
        "Dir::Cache": folder / "cache",
        "APT::Architecture": "amd64",
        "APT::Sandbox::User": "",
    }
    options = [part for name, value in own.items() for part in ("-o", f"{name}={value}")]
    done = subprocess.run(["apt-get", *options, "update"], check=False, capture_output=True, text=True)
    if done.returncode:
        return done
    return subprocess.run(
        ["apt-get", *options, "download", "oche"], check=False, cwd=folder, capture_output=True, text=True
    )


@pytest.mark.parametrize(("suite", "debian"), [("bookworm", "12"), ("trixie", "13")])
def test_apt_accepts_the_repository_and_refuses_one_that_was_changed(
    key: Path, tmp_path: Path, suite: str, debian: str
) -> None:
    served = repository(tmp_path / "served", key)
    said = apt(tmp_path / "good", served, suite)
    assert said.returncode == 0, said.stderr
    assert [file.name for file in (tmp_path / "good").glob("*.deb")] == [f"oche_1.0+deb{debian}_amd64.deb"]
    for name in ("Packages", "Packages.gz"):
        (served / f"dists/{suite}/main/binary-amd64" / name).unlink()
    packages = served / f"dists/{suite}/main/binary-amd64/Packages"
    packages.write_text("Package: oche\nVersion: 2.0\nArchitecture: amd64\nFilename: pool/evil.deb\nSize: 1\n")
    assert apt(tmp_path / "bad", served, suite).returncode != 0
    assert apt(tmp_path / "unsigned", repository(tmp_path / "plain"), suite).returncode != 0


def test_a_repository_and_its_signatures_have_the_same_bytes_each_time(key: Path, tmp_path: Path) -> None:
    first, second = (repository(tmp_path / name, key) for name in ("one", "two"))
    assert subprocess.run(["diff", "-r", first, second], check=False).returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_key_does_not_stay_behind_a_signature_that_is_interrupted(
    number: signal.Signals, key: Path, tmp_path: Path
) -> None:
    """The copy of the key and the file of messages are removed together; the latter has a folder of its own here."""
    file, folder = tmp_path / "never-ends", tmp_path / "messages"
    os.mkfifo(file)
    folder.mkdir()
    # Whoever starts the tests may ignore some signals: a shell keeps to that.
    command: list[str | Path] = ["env", "--default-signal", ROOT / "scripts/sign", key, file]
    ends: list[int] = []
    with subprocess.Popen(command, env=os.environ | {"TMPDIR": str(folder)}, start_new_session=True) as signing:

        def is_read() -> bool:
            with suppress(OSError):  # nobody has opened it for reading yet
                ends.append(os.open(file, os.O_WRONLY | os.O_NONBLOCK))
            return bool(ends) or signing.poll() is not None

        until(is_read, "gpg reads what it signs")
        os.killpg(signing.pid, number)
        assert signing.wait(LIMIT_SECONDS) == 128 + number
    os.close(ends[0])
    assert not list(folder.iterdir())


def test_the_notes_are_the_section_of_the_changelog() -> None:
    assert notes(CHANGELOG, "0.2.0") == "# oche 0.2.0 (2026-12-01)\n\n### Boards\n\n- Two.\n"
    assert notes(CHANGELOG, "0.1.0") == "# oche 0.1.0\n\n- One.\n"
    assert "- Three.\n" in notes(CHANGELOG, "0.2.0.post3+g1234567890")
    for missing in ("0.3.0", "0.2", "0.4.0"):
        with pytest.raises(ValueError, match=f'no section "## {missing}"'):
            notes(CHANGELOG, missing)
    assert notes((ROOT / "CHANGELOG.md").read_text(), "0.0.0+g1234567890")


def test_the_container_file_is_for_the_folder_of_a_release() -> None:
    """It copies a folder that scripts/release fills, and the debs there are for the Debian of its base image."""
    file = (ROOT / "container/Containerfile").read_text()
    copied = re.findall(r"^COPY (\S+)", file, re.MULTILINE)
    bases = re.findall(r"^ARG BASE=\S+/debian:(\d+)-slim$", file, re.MULTILINE)
    assert copied == [f"apt/pool/debian{bases[0]}"]
    assert '"$out/apt/pool/debian$debian"' in (ROOT / "scripts/release").read_text()
    words = re.search(r'^ENTRYPOINT \["/usr/bin/oche", "(\w+)"\]$', file, re.MULTILINE)
    assert words is not None
    assert words[1] in parser().commands()


def links(html: str) -> Iterator[str]:
    for link in re.findall(r'(?:href|src)="([^"]+)"', html):
        yield unquote(link)


def test_the_page_leads_to_each_download(tmp_path: Path) -> None:
    ours = "0.2.0.post3+g1234567890"
    files = [
        *(
            f"apt/pool/debian{debian}/{name}_{ours}+deb{debian}_{arch}.deb"
            for debian in (12, 13)
            for name, arch in (("oche", "armhf"), ("oche", "amd64"), ("oche-hall", "amd64"))
        ),
        "apt/oche.asc",
        f"firmware/oche-{ours}-atmega328p.hex",
        f"firmware/oche-{ours}-another.uf2",
        f"oche-{ours}-py3-none-any.whl",
        f"oche-{ours}.tar.gz",
        f"oche-home-assistant-{ours}.tar.gz",
        f"oche-sd-card-{ours}.tar.gz",
        "Containerfile",
    ]
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    readme = (ROOT / "README.md").read_text()
    html = page(ours, tmp_path, readme)
    assert [link for link in links(html) if link.endswith(".tar.gz")] == [files[-3], files[-2], files[-4]]
    assert set(files) - {"apt/oche.asc"} | {"SHA256SUMS", "NOTES.md"} <= set(links(html))
    pictures = {link for link in links(html) if link.startswith("pictures/")}
    assert pictures
    assert all((ROOT / "docs" / picture).is_file() for picture in pictures)
    assert all(link in files or link in {"SHA256SUMS", "NOTES.md"} | pictures for link in links(html))
    assert "signed-by=/etc/apt/keyrings/oche.asc" in html
    assert len(html.encode()) < 8_000
    (tmp_path / "apt/oche.asc").unlink()
    assert "signed-by" not in page(ours, tmp_path, readme)


def test_the_page_names_the_boards_of_each_image() -> None:
    assert {image.stem for image in (ROOT / "firmware/images").glob("*.*")} <= PARTS.keys()
