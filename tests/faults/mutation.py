"""One small way of breaking a promise, and the test that must fail then.

A mutation selects code by qualified name, kind of node and what it mentions (`selectors.py`), not by its text.
"""

import ast
from dataclasses import dataclass

from tests.faults.selectors import Change, Selector


@dataclass(frozen=True, slots=True)
class Mutation:
    """A change of one syntax node that breaks a promise, and the test that must fail then.

    `promise` is the number that the promise has in `docs/reliability.md`.
    """

    promise: int
    name: str
    at: Selector
    change: Change
    test: str


def at(place: str, kind: type[ast.AST], *mentioned: str) -> Selector:
    """Selects the innermost node of a kind in a function that mentions all of these."""
    return Selector(place, kind, mentioned)
