"""Sounds and pictures of rules at the pages."""

from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.rig import Daemon, free_port, takes_connections, until


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
