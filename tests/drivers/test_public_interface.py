"""`oche.kit`, `oche.game` and `oche.driver` are what code from outside imports.

Their names are fixed lists, and the guides use nothing else.
"""

import ast
import re
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

import oche
import oche.driver
import oche.game
import oche.kit

ROOT: Final = Path(__file__).parents[2]

ROOMS: Final = ("boards", "daemon", "drivers", "engine", "hall", "league", "learning")

BEDS: Final = "BULL CLOCKWISE INNER_BULL MISS OUTER_BULL PLAYABLE SEGMENTS Points Position Ring Segment"
GAME: Final = f"""{BEDS}
    Action Bounce Choose Combat Correct Deck Defend Done First Foul GameAction Move Next Roll Throw Undo
    Advice Aim AnyDart AnyDeck AnyRoll Awaits Event EventKind Game Legal Pattern Step Turn
    CLOSE_FIRST CLOSING FINISHED NOTHING THROWING effect not_awaited
    PACK Card Dart Zone Face Faces Flag Number OneOf Option PerPlayer Reason Refusal aim check dart_text
    Counted GameFigures Ratio Statistics Visit rate"""
KIT: Final = """
    BEST DOUBLES FEWEST FEWEST_POINTS FOUL HITS HOUSE LOWEST_TURN NUMBER_DECK POINTS POINTS_AND_HITS TRIPLES
    USEFUL About AnyDeck AnyRoll Asked
    Choose Chooser Draft Goal Kit Next Refusal Segment Show State Target Text advised_aim beds below bull by_fewest
    by_score equal finish flag hits in_ring_order lit lives marks most_rounds number numbers one_of plain points
    replaced rounds targets teams tie Counted any_dart hits_counted marks_counted points_counted"""
DRIVER: Final = f"""{BEDS}
    Answering Board ByteDecoder Can Cell Contact Decoder Driver LineDecoder NamedDart Pipeline Press Reject Report
    Signal Timing lines
    Awake BoardEvent Button DartLanded DoubtfulDart Fault Freed Marked Rejected Stuck TakeOut"""


@pytest.mark.parametrize(("module", "names"), [(oche.game, GAME), (oche.kit, KIT), (oche.driver, DRIVER)])
def test_the_public_names_are_these(module: ModuleType, names: str) -> None:
    """A name that is removed here raises `oche.API_VERSION`."""
    assert sorted(module.__all__) == sorted(names.split())
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
    assert oche.API_VERSION == 1


@pytest.mark.parametrize("module", [oche.game, oche.kit, oche.driver])
def test_the_public_modules_only_re_export(module: ModuleType) -> None:
    """Every statement is the docstring, an import or the list of names, and every import is public.

    `oche.kit` takes its names and their list from `engine.kit`.
    """
    assert module.__file__ is not None
    doc, *statements = ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body
    assert isinstance(doc, ast.Expr)
    imported = [alias.name for node in statements if isinstance(node, ast.ImportFrom) for alias in node.names]
    if imported == ["*", "__all__"]:
        assert [node.module for node in statements if isinstance(node, ast.ImportFrom)] == ["engine.kit"] * 2
        return
    assert sorted(imported) == sorted(module.__all__)
    assert [type(node) for node in statements if not isinstance(node, ast.ImportFrom)] == [ast.Assign]


@pytest.mark.parametrize(("guide", "module"), [("boards.md", "oche.driver"), ("games.md", "oche.game")])
def test_the_guides_import_nothing_else_of_ours(guide: str, module: str) -> None:
    text = (ROOT / "docs" / guide).read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python file=\S+\n(.*?)```", text, re.DOTALL))
    imported = set(re.findall(r"^(?:from|import) ([\w.]+)", code, re.MULTILINE))
    assert module in imported
    assert [name for name in imported if name.split(".")[0] in ROOMS] == []
