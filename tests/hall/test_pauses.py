"""How long a node pauses between two attempts while its hall is away."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from daemon.shipping.shipper import LONGEST_PAUSE, SHORTEST_PAUSE, Pauses


@given(st.integers(), st.integers(1, 60))
def test_a_hall_that_is_back_is_found_soon_and_never_asked_in_a_hurry(seed: int, attempts: int) -> None:
    """No pause is longer than all before it together and the shortest one, and none is longer than the bound."""
    pauses, away = Pauses(Random(seed)), 0.0
    for _ in range(attempts):
        pause = pauses.longer()
        assert SHORTEST_PAUSE / 2 <= pause <= min(LONGEST_PAUSE, away + SHORTEST_PAUSE)
        away += pause
    pauses.reset()
    assert pauses.longer() <= SHORTEST_PAUSE
