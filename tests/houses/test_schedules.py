"""Matches in two houses through random schedules of faults: nothing is lost, nothing counts twice. See `soak`."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.houses.schedule import Schedule, Street


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    with ExitStack() as stack:
        yield Street(tmp_path_factory.mktemp("street"), stack)


# With these seeds each fault comes at least once, at the host and at the guest.
@pytest.mark.parametrize("seed", [27, 28, 56, 65])
def test_both_houses_end_with_the_same_record(street: Street, seed: int) -> None:
    print("seed", seed)
    did = Schedule(street, seed).run()
    assert did["darts"] == 12
