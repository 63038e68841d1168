"""The tests of scanner and line that every board passes, of whatever chip. Each takes a function that makes a board."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from tests.firmware import test_line, test_scanner

Test = Callable[[Callable[..., Any]], None]

EVERY_BOARD: Final[list[Test]] = [
    test_scanner.test_a_second_dart_one_millisecond_later,
    test_scanner.test_a_ghost_is_said_to_be_one,
    test_scanner.test_two_at_once_in_one_row_and_in_one_column,
    test_scanner.test_what_hangs_at_the_start_is_no_dart,
    test_scanner.test_what_stays_closed_without_the_corner_was_a_dart,
    partial(test_scanner.test_a_contact_that_rings_is_one_dart, 0),
    partial(test_scanner.test_a_contact_that_rings_is_one_dart, 1),
    test_line.test_a_full_buffer_keeps_the_first_and_ends_right,
    test_line.test_a_host_that_goes_away_and_returns,
    test_line.test_a_line_that_is_bad_from_the_start,
    test_line.test_a_power_cut_starts_again,
    test_line.test_an_acknowledgement_that_is_lost_makes_nothing_come_twice,
    test_line.test_another_process_takes_up_where_the_last_was,
    test_line.test_frames_that_the_board_cannot_read_are_counted_for_the_host,
    test_line.test_sequences_count_through_zero,
    test_line.test_settings_and_their_bounds,
    test_line.test_what_a_newer_host_says_is_passed_over,
]


def name_of(test: Test) -> str:
    """Returns the name of a test, without what all of them begin with."""
    return str(getattr(test, "func", test).__name__).removeprefix("test_")
