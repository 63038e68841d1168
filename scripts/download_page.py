"""Writes index.html of a release, with links to all that is in it.

Usage: `.venv/bin/python scripts/download_page.py VERSION DIR`; scripts/release calls it. Words and pictures come from
README.md. The page needs no other file than the pictures; its only script puts its own address into the lines for apt.
"""

import re
import shutil
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt

ROOT: Final = Path(__file__).parent.parent
PICTURE: Final = re.compile(r"!\[([^]]*)\]\((docs/pictures/[^)]+)\)")

MACHINES: Final = {
    "arm64": "Raspberry Pi, 64 bit",
    "armhf": "Raspberry Pi, 32 bit",
    "amd64": "PC, 64 bit",
}
"""What has which architecture; the page has them in this order."""

SYSTEMS: Final = {"12": "Debian or Raspberry Pi OS 12 (bookworm)", "13": "Debian or Raspberry Pi OS 13 (trixie)"}

PARTS: Final = {
    "atmega328p": "Arduino Uno, Nano",
    "atmega2560": "Arduino Mega",
    "atmega32u4": "Arduino Leonardo, Micro, Pro Micro",
    "rp2040": "Raspberry Pi Pico",
}
"""Where a processor of the firmware is found; an image for another one is named by its file."""

STYLE: Final = """
:root { color-scheme: dark light; --line: #8886; --link: light-dark(#8a4b00, #ffb547); }
:root { font: 18px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 60rem; }
h1 { margin: 0; font-size: 3rem; line-height: 1; }
h2 { margin: 2rem 0 .5rem; line-height: 1.2; }
a { color: var(--link); }
.version { margin: .5rem 0 1.5rem; opacity: .8; overflow-wrap: anywhere; }
.files, .pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: .6rem; }
.files { list-style: none; margin: 0; padding: 0; }
.files a, pre { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
.files a { display: block; text-decoration: none; }
.files small { display: block; color: CanvasText; opacity: .75; }
img { display: block; width: 100%; height: auto; border-radius: .5rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; }
@media (min-width: 1200px) and (min-height: 700px) {
  :root { font-size: min(1.55vw, 2.75vh); }
  body { max-width: 72rem; }
}
"""

APT: Final = """
<h2>With apt, which also upgrades</h2>
<pre>sudo wget -O /etc/apt/keyrings/oche.asc <span class="here">ADDRESS</span>apt/oche.asc
. /etc/os-release
echo "deb [signed-by=/etc/apt/keyrings/oche.asc] <span class="here">ADDRESS</span>apt $VERSION_CODENAME main" |
  sudo tee /etc/apt/sources.list.d/oche.list
sudo apt update
sudo apt install oche</pre>
<script>for (const here of document.querySelectorAll(".here")) here.textContent = new URL(".", location.href);</script>
"""


def page(version: str, folder: Path, readme: str) -> str:
    """Returns the page of the release in a folder."""
    about = readme.split("\n\n")[1]
    features = re.split(r"^## ", readme, flags=re.MULTILINE)
    what = next(part.partition("\n")[2] for part in features if part.startswith("What it does\n"))
    pictures = "".join(
        f'<img src="pictures/{Path(file).name}" alt="{escape(text)}">' for text, file in PICTURE.findall(readme)
    )
    return "".join(
        (
            '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n',
            '<meta name="viewport" content="width=device-width">\n',
            f"<title>oche {escape(version)}</title>\n<style>{STYLE}</style>\n<h1>oche</h1>\n",
            f'<p class="version">Version {escape(version)} · <a href="NOTES.md">what is new</a></p>\n',
            _html(about),
            *(_debs(folder, number, title) for number, title in SYSTEMS.items()),
            APT if (folder / "apt/oche.asc").is_file() else "",
            _files(folder, "Firmware for a board of your own", _firmware(folder, version)),
            _files(folder, "Elsewhere, and the sources", _others(folder)),
            f"<h2>What it does</h2>\n{_html(what.split('| | |')[0])}",
            f'<div class="pictures">{pictures}</div>\n</html>\n',
        )
    )


def _html(markdown: str) -> str:
    # Links of the README lead to files that are not in a release.
    return MarkdownIt().render(re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", markdown))


def _debs(folder: Path, number: str, title: str) -> str:
    order = list(MACHINES)
    found = [
        (is_hall, order.index(path.stem.rpartition("_")[2]), path)
        for path in folder.glob(f"apt/pool/debian{number}/*.deb")
        for is_hall in (path.name.startswith("oche-hall_"),)
    ]
    titles = list(MACHINES.values())
    named = ((path, titles[at] + (": a hall, in addition" if is_hall else "")) for is_hall, at, path in sorted(found))
    return _files(folder, title, named)


def _firmware(folder: Path, version: str) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.glob("firmware/*")):
        part = path.stem.removeprefix(f"oche-{version}-")
        yield path, PARTS.get(part, part)


def _others(folder: Path) -> Iterator[tuple[Path, str]]:
    for pattern, title in (
        ("*.whl", "Python package (wheel), for pipx"),
        ("oche-home-assistant-*.tar.gz", "Add-on of Home Assistant"),
        ("Containerfile", "For podman and docker"),
        ("oche-sd-card-*.tar.gz", "Recipe of an SD card, for pi-gen"),
        ("oche-[0-9]*.tar.gz", "Sources, with the built pages"),
    ):
        yield from ((path, title) for path in sorted(folder.glob(pattern)))
    yield folder / "SHA256SUMS", "Checksums of all files"


def _files(folder: Path, heading: str, files: Iterator[tuple[Path, str]]) -> str:
    links = [
        f'<li><a href="{escape(path.relative_to(folder).as_posix()).replace("+", "%2B")}">{escape(title)}'
        f"<small>{escape(_size(path))}</small></a></li>\n"
        for path, title in files
    ]
    return f'<h2>{escape(heading)}</h2>\n<ul class="files">\n{"".join(links)}</ul>\n' if links else ""


def _size(path: Path) -> str:
    """The kind and size of a file. The checksums have no kind, and are written after the page."""
    if not path.suffix:
        return path.name
    size = path.stat().st_size
    return f"{path.suffix}, " + (f"{size / 1e6:.1f} MB" if size > 1e5 else f"{size / 1e3:.0f} KB")


def main() -> None:
    """Writes the page and copies its pictures."""
    version, folder = sys.argv[1], Path(sys.argv[2])
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (folder / "pictures").mkdir(exist_ok=True)
    for _, file in PICTURE.findall(readme):
        shutil.copyfile(ROOT / file, folder / "pictures" / Path(file).name)
    (folder / "index.html").write_text(page(version, folder, readme), encoding="utf-8")


if __name__ == "__main__":
    main()
