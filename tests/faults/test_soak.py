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


def test_a_run_adds_what_ended_well_and_ends_at_a_failure(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    def part(seed: int, _run: str) -> dict[str, int]:
        seeds.append(seed)
        if len(seeds) % 4 == 0:
            raise AssertionError("a dart that was shown is gone")
        return {"kills": 10}

    monkeypatch.setitem(soak.PARTS, "kills", part)
    for _ in range(2):
        with pytest.raises(SystemExit) as ended:
            soak.run(60.0, ["kills"])
        assert str(ended.value) == f"kills, seed {seeds[-1]}: a dart that was shown is gone"
    assert len(set(seeds)) == 8
    assert [line["seed"] for line in soak.lines()] == seeds[:3] + seeds[4:7]
    assert soak.totals() == {"kills": 60}
    assert soak.totals(str(soak.lines()[0]["run"])) == {"kills": 30}


def test_every_parser_gets_its_share_and_then_the_one_with_the_fewest_bytes(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def one(how: str, name: str, seconds: float, seed: int) -> int:
        tried.append(name)
        return soak.SHARE_BYTES

    def all_of_them(folder: Path, name: str, seed: int, enough: object) -> int:
        return one("chance", name, 0, seed)

    monkeypatch.setattr(soak, "_round", one)
    monkeypatch.setattr(soak, "visited", all_of_them)
    called = [*PARSERS, *GOOD]
    # From earlier: one that has less than the others will have after this run.
    had = dict.fromkeys((f"fuzzed_bytes {name}" for name in called), 100 * soak.SHARE_BYTES)
    slow = "dialect:ordinal"
    lines = [{"run": "earlier", "part": "fuzz", "did": had | {f"fuzzed_bytes {slow}": 1}}]
    for _ in range(len(called) + 2):
        log.write_text("".join(json.dumps(line) + "\n" for line in lines))
        lines.append({"run": "this", "part": "fuzz", "did": soak.fuzz(0, "this")})
    rounds = list(dict.fromkeys(tried))
    assert rounds[0] == slow
    assert set(rounds) == set(called)
    assert tried[-1] == tried[-2] == slow
