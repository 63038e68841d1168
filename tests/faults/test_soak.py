"""The long run goes on where it was stopped, adds up what was done, and ends at a failure with what makes it again."""

import json
from pathlib import Path

import pytest

from tests.faults import soak
from tests.faults.parsers import PARSERS
from tests.faults.served import GOOD


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    log = tmp_path / "soak.jsonl"
    monkeypatch.setattr(soak, "LOG", log)
    return log


def test_a_run_goes_on_with_the_seeds_that_come_then(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    def part(seed: int) -> dict[str, int]:
        seeds.append(seed)
        if seed == 1003:
            raise AssertionError("a dart that was shown is gone")
        return {"kills": 10}

    monkeypatch.setitem(soak.PARTS, "kills", part)
    for _ in range(2):
        with pytest.raises(SystemExit, match="kills, seed 1003: a dart that was shown is gone"):
            soak.run(60.0, ["kills"])
    # What failed is tried again, and is no line of the log.
    assert seeds == [1000, 1001, 1002, 1003, 1003]
    assert [line["seed"] for line in soak.lines()] == [1000, 1001, 1002]
    assert soak.totals() == {"kills": 30}


def test_the_parser_that_had_the_fewest_bytes_is_next(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def one(how: str, name: str, seconds: float, seed: int) -> int:
        tried.append(name)
        return 500

    def all_of_them(folder: Path, name: str, seed: int, enough: object) -> int:
        tried.append(name)
        return 500

    monkeypatch.setattr(soak, "_round", one)
    monkeypatch.setattr(soak, "visited", all_of_them)
    for seed in range(len(PARSERS) + len(GOOD)):
        about = {"part": "fuzz", "seed": seed, "seconds": 1.0, "did": soak.fuzz(seed)}
        log.write_text((log.read_text() if log.exists() else "") + json.dumps(about) + "\n")
    assert set(tried) == {*PARSERS, *GOOD}
