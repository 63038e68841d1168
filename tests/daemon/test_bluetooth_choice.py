"""Which Bluetooth device a URL means, and how long the pauses between attempts are."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.links.bluetooth import fits, wanted
from daemon.links.bluetooth_radio import Seen
from daemon.links.hotplug import LONGEST_BACKOFF_SECONDS, Backoff
from daemon.system.urls import UsageError, board_url
from tests.daemon.test_bluetooth import ONE, OTHER, gatt_of


@pytest.mark.parametrize(
    ("url", "kind", "seen", "means"),
    [
        ("ble://", "granboard", Seen(ONE, "GRANBOARD"), True),
        ("ble:", "granboard", Seen(ONE, "Granboard 3s"), True),
        ("ble://", "granboard", Seen(ONE, "", (gatt_of("granboard").service,)), False),
        ("ble://", "unicorn", Seen(ONE, "My UNICORN"), True),
        ("ble://", "dartslive-home", Seen(ONE, "DARTSLIVE HOME"), True),
        ("ble://DARTSLIVE%20HOME", "dartslive-home", Seen(ONE, "DARTSLIVE HOME"), True),
        ("ble://DARTSLIVE", "dartslive-home", Seen(ONE, "DARTSLIVE HOME"), False),
        ("ble://f0-f1-f2-f3-f4-01", "granboard", Seen(ONE, "anything"), True),
        (f"ble://{ONE}", "granboard", Seen(OTHER, "GRANBOARD"), False),
    ],
)
def test_an_address_means_a_device(url: str, kind: str, seen: Seen, means: bool) -> None:
    assert wanted(board_url(url), gatt_of(kind)).fits(seen) is means


def test_the_only_one_in_reach_needs_a_model_that_is_bluetooth() -> None:
    with pytest.raises(UsageError, match="ble://NAME"):
        wanted(board_url("ble://"), None)


def test_a_service_decides_where_no_name_is_known() -> None:
    gatt = replace(gatt_of("granboard"), names=())
    assert fits(Seen(ONE, "", (gatt.service,)), gatt)
    assert not fits(Seen(ONE, "GRANBOARD"), gatt)


@given(st.lists(st.sampled_from(["missing", "gone", "unreachable", "adapter-off", "tie"]), max_size=60))
def test_pauses_grow_while_bluetooth_fails_and_are_short_when_only_the_board_is_away(reasons: list[str]) -> None:
    backoff = Backoff()
    for reason in reasons:
        seconds = backoff.seconds(reason)
        assert 0 < seconds <= (2.0 if reason in ("missing", "gone") else LONGEST_BACKOFF_SECONDS)


def test_after_a_reconnect_pauses_begin_again() -> None:
    backoff = Backoff()
    for _ in range(20):
        last = backoff.seconds("unreachable")
    assert last >= LONGEST_BACKOFF_SECONDS / 2
    assert backoff.seconds("gone") <= 0.5
    assert backoff.seconds("unreachable") <= 1.0
