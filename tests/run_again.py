"""Runs the tests again that failed in a whole run, alone: `scripts/test` calls it after everything else has ended.

A whole run takes every processor for twenty minutes, and a test that waits for a process of its own can then run into a
limit that it never meets alone. CPython's test runner does the same with `--rerun`. A test that fails alone as well
fails the run. One that passes is named, for it is wrong about time or has found a race: both need to be looked into.
More than a few failures are no accident, and nothing is run again.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

FEW: Final = 5
FAILED: Final = Path(".pytest_cache/v/cache/lastfailed")
"""What pytest writes: node ids of the tests that failed."""


def failed_tests() -> list[str]:
    """Returns the node ids of the tests that failed in the last run; empty if the run broke off without any."""
    if not FAILED.exists():
        return []
    return sorted(TypeAdapter(dict[str, bool]).validate_python(json.loads(FAILED.read_text("utf-8"))))


def main() -> int:
    """Returns 0 if all of them pass now, 1 otherwise."""
    failed = failed_tests()
    if not 0 < len(failed) <= FEW:
        return 1
    print(f"scripts/test: again, alone: {len(failed)} of the tests", flush=True)
    if subprocess.run([".venv/bin/pytest", "-p", "no:cacheprovider", *failed], check=False).returncode:
        return 1
    print("scripts/test: failed beside the others and passed alone; look into each of them:")
    print(*(f"  {name}" for name in failed), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
