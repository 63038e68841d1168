"""No recording, no support: every recording plays to its expected hits, and a verified model has one from hardware."""

import json
from pathlib import Path
from typing import Any

import pytest

from boards.board import Board
from drivers import DRIVERS
from drivers.events import BoardEvent, DartLanded
from drivers.pipeline import Pipeline
from engine.darts import Points
from engine.segments import Segment
from tests.drivers.boards import MODELS, model

FOLDER = Path(__file__).parent
RECORDINGS = sorted(path for path in FOLDER.glob("*/*.jsonl") if not path.name.endswith(".expected.jsonl"))


def expectation(recording: Path) -> Path:
    return recording.with_name(f"{recording.stem}.expected.jsonl")


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def unsupported(boards: list[Board], recordings: list[Path]) -> list[str]:
    """The verified models that have no recording from hardware with its expectation."""
    proven = {
        path.parent.name for path in recordings if expectation(path).exists() and lines(path)[0]["source"] == "hardware"
    }
    return [board.name for board in boards if board.verified and board.name not in proven]


def play(recording: Path) -> list[dict[str, Any]]:
    """The hits of a recording, played with the ticks that the daemon would give."""
    header, *pieces = lines(recording)
    board = model(header["model"])
    pipeline = Pipeline(board, DRIVERS[board.dialect])
    heard: list[BoardEvent] = []
    for piece in pieces:
        at_ns = round(piece["at_ms"] * 1e6)
        while (due := pipeline.due_ns) is not None and due < at_ns:
            heard += pipeline.tick(due)
        heard += pipeline.feed(bytes.fromhex(piece["hex"]), at_ns)
    return [{"at_ms": h.at_ns / 1e6, **_landed(h)} for h in heard if isinstance(h, DartLanded)]


def _landed(dart: DartLanded) -> dict[str, Any]:
    match dart.dart:
        case Segment() as bed:
            return {"segment": bed.text}
        case Points(points, beds):
            return {"points": points, "candidates": [bed.text for bed in beds]}
        case _:
            raise AssertionError(dart)


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_recording_plays_to_its_expected_hits(recording: Path) -> None:
    header = lines(recording)[0]
    assert header["recording"] == 1 and header["source"] in ("grammar", "hardware")
    assert header["model"] == recording.parent.name
    assert expectation(recording).exists(), "a recording without an expectation proves nothing"
    heard, expected = play(recording), lines(expectation(recording))
    assert [hit["at_ms"] for hit in heard] == [hit["at_ms"] for hit in expected]
    for hit, wanted in zip(heard, expected, strict=True):
        assert wanted["segment"] in hit.get("candidates", [hit.get("segment")])


def test_no_expectation_without_its_recording() -> None:
    expected = set(FOLDER.glob("*/*.expected.jsonl"))
    assert expected == {expectation(path) for path in RECORDINGS}
    assert len(RECORDINGS) >= 11


def test_a_verified_model_has_a_recording_from_hardware() -> None:
    assert unsupported([model(path.stem) for path in MODELS.glob("*.toml")], RECORDINGS) == []


def test_a_verified_model_without_one_is_found() -> None:
    board = Board(name="maddarts", title="", dialect="sector-multiplier", verified=True)
    assert unsupported([board], RECORDINGS) == ["maddarts"]
