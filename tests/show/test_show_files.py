"""Sounds and pictures of rules at the pages."""

import json
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from daemon.web.show_files import PACKS, WORDS, packs
from tests.rig import Daemon, free_port, takes_connections, until


def test_the_packs_of_callers_are_listed_and_served(tmp_path: Path) -> None:
    data = tmp_path / "data"
    pack = data / "callers" / "Russ"
    pack.mkdir(parents=True)
    for name in ("180.mp3", "180.ogg", "player_ann.wav", "notes.txt", ".hidden.mp3"):
        (pack / name).write_bytes(b"sound")
    (data / "callers" / "file").write_text("no pack")
    arguments = ("--board", "den=virtual@sim:", "--broker", f"embedded://127.0.0.1:{free_port()}")
    with Daemon(tmp_path, *arguments, data=data) as daemon:
        until(lambda: takes_connections(daemon.http), "the pages")
        at = f"http://127.0.0.1:{daemon.http}/callers"
        with urlopen(f"{at}.json") as answer:
            assert json.load(answer) == [{"name": "Russ", "files": {"180": "180.ogg", "player_ann": "player_ann.wav"}}]
        with urlopen(f"{at}/Russ/180.ogg") as answer:
            assert answer.read() == b"sound"
        for path in ("Russ/notes.txt", "..%2f/180.mp3", "%2E%2E/Russ", "Nobody/180.mp3"):
            with pytest.raises(HTTPError) as refused:
                urlopen(f"{at}/{path}")
            assert refused.value.code in (400, 404), path
            refused.value.close()


def test_packs_are_bounded(tmp_path: Path) -> None:
    assert packs(tmp_path / "missing") == []
    for number in range(PACKS + 1):
        (tmp_path / f"pack{number}").mkdir()
    assert len(packs(tmp_path)) == PACKS
    for number in range(WORDS + 1):
        (tmp_path / "pack0" / f"{number}.wav").touch()
    assert len(packs(tmp_path)[0]["files"]) == WORDS


def test_the_files_of_the_folder_are_served_and_no_others(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "show").mkdir(parents=True)
    (data / "show" / "180.mp3").write_bytes(b"sound")
    (data / "show" / "page.html").write_text("<script>")
    (data / "other.mp3").write_bytes(b"secret")
    arguments = ("--board", "den=virtual@sim:", "--broker", f"embedded://127.0.0.1:{free_port()}")
    with Daemon(tmp_path, *arguments, data=data) as daemon:
        until(lambda: takes_connections(daemon.http), "the pages")
        at = f"http://127.0.0.1:{daemon.http}/show"
        with urlopen(f"{at}/180.mp3") as answer:
            assert answer.read() == b"sound"
            assert answer.headers["Content-Type"] == "audio/mpeg"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
        for path in (
            "page.html",
            "%2E%2E%2Fother.mp3",
            "..%2fother.mp3",
            "missing.mp3",
            "180.mp3%00",
            "x" * 5000 + ".mp3",
        ):
            with pytest.raises(HTTPError) as refused:
                urlopen(f"{at}/{path}")
            assert refused.value.code in (400, 404), path
            refused.value.close()
