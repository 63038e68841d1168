"""A bounded share of `bytes_soak`: a hundred thousand bytes for each dialect; ten million are run before a release."""

import pytest

from drivers import DRIVERS
from tests.drivers.bytes_soak import soak


@pytest.mark.parametrize("name", sorted(DRIVERS))
def test_random_and_mutated_bytes(name: str) -> None:
    totals = soak(name, 100_000, seed=1)
    assert isinstance(totals["bytes"], int) and totals["bytes"] >= 100_000 and (totals["reports"] or totals["rejects"])
