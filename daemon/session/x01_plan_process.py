"""Solves a bot's plan for X01: `python -m daemon.session.x01_plan_process DATA SKILL OUT BULL HIGHEST NICE`.

The daemon starts it as a process of the lowest priority (`x01_plans.py`): numpy takes memory, and the work takes
seconds, on a Raspberry Pi a minute.
"""

import contextlib
import os
import sys
from pathlib import Path
from typing import get_args

from daemon.session.x01_plans import FOLDER, MOST, Key
from daemon.system.secure_files import give_to_owner, write_secret
from engine.games.x01_checkouts import Rule
from twin.hand import Hand
from twin.x01_plan import pack
from twin.x01_plan_solver import solve_plan


def main(data: Path, key: Key, highest: int) -> None:
    """Solves a plan, writes its file and deletes the oldest ones beyond `MOST`. OSError if that cannot be done."""
    plan = solve_plan(Hand(key.skill_mm, key.skill_mm), key.out, key.full_bull, highest)
    folder = data / FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    give_to_owner(folder, data)
    write_secret(folder / key.file_name, pack(plan), data)
    for old in sorted(folder.glob("*.plan"), key=lambda path: path.stat().st_mtime)[:-MOST]:
        old.unlink(missing_ok=True)


def _key(skill_mm: str, out: str, bull: str) -> Key:
    rule = next(rule for rule in get_args(Rule) if rule == out)
    return Key(int(skill_mm), rule, bull == "full")


if __name__ == "__main__":
    with contextlib.suppress(OSError):  # A service may not be allowed to.
        os.nice(int(sys.argv[6]))
    try:
        main(Path(sys.argv[1]), _key(*sys.argv[2:5]), int(sys.argv[5]))
    except OSError as error:
        sys.exit(f"A bot's plan for X01 cannot be written: {error}. Make room, or give the daemon's user the folder.")
