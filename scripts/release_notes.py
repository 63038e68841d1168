"""Prints the notes of a release from CHANGELOG.md: `.venv/bin/python scripts/release_notes.py VERSION`.

A release has a section of its own, `## 0.2.0` or `## 0.2.0 (2026-12-01)`. A version between two releases has the
first section.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SECTION = re.compile(r"^## ", re.MULTILINE)


def notes(changelog: str, version: str) -> str:
    """Returns the section of the changelog for a version, with its heading. ValueError if a release has none."""
    sections = SECTION.split(changelog)[1:]
    if "+" in version:
        title, _, text = sections[0].partition("\n") if sections else ("", "", "")
        return f"# oche {version}\n\nA snapshot, not a release. Changes since the release before:\n\n{text.strip()}\n"
    for section in sections:
        title, _, text = section.partition("\n")
        if title.split()[:1] == [version] and "unreleased" not in title:
            return f"# oche {title}\n\n{text.strip()}\n"
    raise ValueError(
        f'CHANGELOG.md has no section "## {version}" for the tag v{version}: rename its first section before tagging.'
    )


if __name__ == "__main__":
    try:
        print(notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), sys.argv[1]), end="")
    except ValueError as error:
        sys.exit(f"scripts/release: {error}")
