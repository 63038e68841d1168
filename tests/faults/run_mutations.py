"""Applies each mutation alone to a copy of the tree and runs its test there: `scripts/mutations [WORD...]`.

A mutation that survives is a promise without a proof; the exit code is then 1.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.faults.mutation import Mutation
from tests.faults.mutations import MUTATIONS
from tests.faults.selectors import changed

ROOT: Final = Path(__file__).parent.parent.parent
LIMIT_SECONDS: Final = 400
"""How long a test may run; one that runs longer counts as a failed one."""


def apply(mutation: Mutation, folder: Path) -> None:
    """Changes the module in a copy of the tree; LookupError if the selector does not find one node."""
    file = folder / mutation.at.file
    file.write_text(changed(file.read_text(), mutation.at, mutation.change))


def copy_tree(tree: Path, folder: Path) -> None:
    """Copies the tree without build products; the Python environment is shared."""
    leave_out = shutil.ignore_patterns(".git", ".venv", "node_modules", "build", "__pycache__", ".*_cache")
    shutil.copytree(tree, folder, ignore=leave_out, symlinks=True)
    (folder / ".venv").symlink_to((ROOT / ".venv").resolve())


def verdict(mutation: Mutation, tree: Path) -> str:
    """Returns `caught`, `hangs` (which counts as caught), `survived`, `outdated` or `no test ran`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "oche"
        copy_tree(tree, folder)
        try:
            apply(mutation, folder)
        except LookupError as error:
            return f"outdated: {error}"
        command = [str(ROOT / ".venv/bin/pytest"), "-q", "-x", "-p", "no:cacheprovider", mutation.test]
        environment, quiet = os.environ | {"PYTHONPATH": str(folder)}, subprocess.DEVNULL
        # A session of its own, so that processes left behind by a failed test end with it.
        running = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=quiet, stderr=quiet, start_new_session=True
        )
        try:
            code = running.wait(LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            return "hangs"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
        return {0: "survived", 1: "caught"}.get(code, f"no test ran ({code})")


def main(wanted: list[str]) -> int:
    failed = False
    with tempfile.TemporaryDirectory() as name:
        # A snapshot: edits made while this runs must not make a test fail.
        tree = Path(name) / "oche"
        copy_tree(ROOT, tree)
        for mutation in MUTATIONS:
            if wanted and not any(word in mutation.name for word in wanted):
                continue
            found = verdict(mutation, tree)
            failed |= found not in ("caught", "hangs")
            print(f"{mutation.promise}  {mutation.name:<36} {found:<10} {mutation.test}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
