"""Runs the commands of docs/history.md as they are written there, in order."""

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

from daemon.history.match_import import read_match_file
from daemon.record.journal import Imported, Journal
from daemon.record.reader import History
from daemon.system.catalogue import faces, games
from tests.daemon.test_archive import FILE

GUIDE: Final = (Path(__file__).parent.parent.parent / "docs" / "history.md").read_text()


def test_every_command_of_the_guide(tmp_path: Path) -> None:
    data = tmp_path / "data"
    journal = Journal(data)
    read = read_match_file(FILE.encode(), games(), faces())
    assert isinstance(read, Imported)
    asyncio.run(journal.write(read))
    journal.close()
    [(row, _)] = History(data).matches()
    commands = [line.partition("#")[0].strip() for line in re.findall(r"^oche .*$", GUIDE, re.MULTILINE)]
    assert len(commands) == 5
    said = ""
    for command in commands:
        text = command.replace("ID", row.id).replace("NAME", "Ann")
        bin_folder = Path(sys.executable).parent
        done = subprocess.run(
            text, shell=True, check=True, capture_output=True, text=True, cwd=tmp_path,
            env={"STATE_DIRECTORY": str(data), "PATH": f"{bin_folder}:/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path)},
        )  # fmt: skip
        said += done.stdout
    assert "won by Ann" in said
    assert "match.jsonl: x01, won by Ann" in said
    assert json.loads(History(data).matches()[0][0].header)["players"] == ["Player 1", "Bob"]
