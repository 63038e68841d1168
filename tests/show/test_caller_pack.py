"""`scripts/caller-pack` has a file for everything that the caller says."""

import re
import shutil
import subprocess
import sys
import wave
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.people.access import user_of
from daemon.web.show_files import packs
from engine import awards

ROOT: Final = Path(__file__).parents[2]
SCRIPT: Final = ROOT / "scripts" / "caller-pack"
NAMES: Final = [
    "Ann",
    "Bob É",
    "Groß",
    "Jürgen von und zu Hohenstein-Schwarzburg",
    "Heinrich von der Weidenhof-Fuchs Junior",
]


def script() -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "caller_pack", "__file__": str(SCRIPT)}
    exec(compile(SCRIPT.read_text(), str(SCRIPT), "exec"), names)
    return names


def test_every_language_has_every_word_of_the_guide() -> None:
    words_of = script()["words_of"]
    packs = [words_of(language, []) for language in ("en", "de", "fr")]
    assert packs[0].keys() == packs[1].keys() == packs[2].keys()
    assert {str(points) for points in range(181)} <= packs[0].keys()
    assert set(awards.AWARDS) <= packs[0].keys()
    guide = (ROOT / "docs/show.md").read_text().split("| word | said |")[1].split("\n\n")[0]
    documented = set(re.findall(r"`([a-z_0-9]+)`", "\n".join(row.split("|")[1] for row in guide.splitlines()[2:])))
    # Names of players and boards are a house's own.
    assert {name for name in documented if not name.startswith(("player_", "board_"))} <= packs[0].keys()


@pytest.mark.parametrize("name", NAMES)
def test_the_file_of_a_player_has_their_user_name(name: str) -> None:
    assert f"player_{user_of(name)}" in script()["words_of"]("en", [name])


def test_a_name_without_a_user_name_has_no_file() -> None:
    words_of = script()["words_of"]
    assert words_of("de", ["Борис", "Ольга", "180", "Groß"]).keys() - words_of("de", []).keys() == {"player_gross"}


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_the_script_makes_sounds(tmp_path: Path) -> None:
    command = [str(SCRIPT), str(tmp_path / "callers" / "robot"), "Ann", "--only", "180,player_ann"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    [pack] = packs(tmp_path / "callers")
    assert pack == {"name": "robot", "files": {"180": "180.wav", "player_ann": "player_ann.wav"}}
    with wave.open(str(tmp_path / "callers" / "robot" / "180.wav")) as sound:
        assert sound.getnframes() > 1000


def test_the_script_says_that_espeak_is_missing(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT), str(tmp_path / "robot")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": str(tmp_path)})
    assert (ran.returncode, "apt install espeak-ng" in ran.stderr) == (1, True)
