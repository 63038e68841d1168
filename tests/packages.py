"""Packages of other people, as an installer leaves them in a folder of `PYTHONPATH`."""

from collections.abc import Mapping
from pathlib import Path


def install(folder: Path, package: str, group: str, entries: Mapping[str, str], modules: Mapping[str, str]) -> None:
    """Writes the modules of a package, and the metadata with its entry points in `group`."""
    for name, text in modules.items():
        (folder / name).write_text(text, encoding="utf-8")
    about = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    points = "".join(f"{name} = {value}\n" for name, value in entries.items())
    (about / "entry_points.txt").write_text(f"[{group}]\n{points}", encoding="utf-8")
