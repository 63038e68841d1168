"""The table of mutations is about the code as it is: each text is there just once, and each test that it names is too.

Whether the tests notice is what `scripts/mutations` tries, which takes minutes for each.
"""

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.mutations import MUTATIONS, ROOT, Mutation, applied


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_mutation_applies(tmp_path: Path, mutation: Mutation) -> None:
    copy = tmp_path / mutation.file
    copy.parent.mkdir(parents=True)
    before = (ROOT / mutation.file).read_text()
    copy.write_text(before)
    assert applied(mutation, tmp_path), "its text is gone, or is there more than once"
    assert copy.read_text() != before
    # What does not compile would fail every test, and prove nothing.
    ast.parse(copy.read_text())
    path, _, test = mutation.test.partition("::")
    assert (ROOT / path).exists()
    if test:
        assert f"def {test}(" in (ROOT / path).read_text()


def test_three_for_each_promise() -> None:
    assert all(count >= 3 for count in Counter(mutation.promise for mutation in MUTATIONS).values())
    assert {mutation.promise for mutation in MUTATIONS} == set(range(1, 9))
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS)
