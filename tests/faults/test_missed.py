"""The count of messages a broker dropped only grows, although a restarted broker counts from zero."""

from hypothesis import given
from hypothesis import strategies as st

from daemon.mqtt.counters import Counters


@given(st.lists(st.lists(st.integers(0, 1000), min_size=1, max_size=6), max_size=4))
def test_what_was_missed_is_added_up_over_brokers(runs: list[list[int]]) -> None:
    counters = Counters()
    before = 0
    for grown in runs:
        # Each broker begins at zero and only adds.
        count = 0
        counters.missed(b"0")
        for more in grown:
            count += more
            assert counters.missed(b"%d" % count) == (more > 0)
            assert counters.shown().get("counters", {}).get("missed", 0) == before + count
        before += count


@given(st.binary(max_size=30))
def test_text_that_is_not_a_number_is_not_counted(said: bytes) -> None:
    counters = Counters()
    if not said.isdigit():
        assert not counters.missed(said)
        assert counters.shown() == {}
