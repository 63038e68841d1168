"""Every mutation selects one node of the code as it is, changes it, and names a test that exists.

Whether that test fails is what `scripts/mutations` runs; it takes minutes for each.
"""

import ast
from collections import Counter

import pytest

from tests.faults.mutation import Mutation
from tests.faults.mutations import MUTATIONS
from tests.faults.run_mutations import ROOT
from tests.faults.selectors import Selector, changed, constant


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_mutation_applies(mutation: Mutation) -> None:
    before = (ROOT / mutation.at.file).read_text()
    after = changed(before, mutation.at, mutation.change)
    assert after != ast.unparse(ast.parse(before))
    # A mutant that does not compile fails every test and proves nothing.
    compile(after, str(mutation.at.file), "exec")
    path, _, test = mutation.test.partition("::")
    assert (ROOT / path).exists()
    if test:
        assert f"def {test}(" in (ROOT / path).read_text()


def test_each_promise_has_at_least_three() -> None:
    assert all(count >= 3 for count in Counter(mutation.promise for mutation in MUTATIONS).values())
    assert {mutation.promise for mutation in MUTATIONS} == set(range(1, 9))
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS)


SOURCE = (
    "class Bus:\n    def send(self):\n        if self.full:\n            self.wait(self.full)\n        self.wait(1)\n"
)


def test_a_selector_finds_the_innermost_node() -> None:
    selector = Selector("bus:Bus.send", ast.Attribute, ("full",))
    with pytest.raises(LookupError, match="2 nodes Attribute"):
        changed(SOURCE, selector, constant(True))
    called = Selector("bus:Bus.send", ast.Call, ("wait", "full"))
    assert "if self.full:\n            None\n        self.wait(1)" in changed(SOURCE, called, constant(None))


@pytest.mark.parametrize("place", ["bus:Bus.sent", "bus:Board.send", "bus:Bus.send.wait"])
def test_a_renamed_place_is_an_error(place: str) -> None:
    with pytest.raises(LookupError, match="is defined 0 times"):
        changed(SOURCE, Selector(place, ast.Call, ("wait",)), constant(None))
