"""Small ways of breaking each promise, and the tests that must fail then: the table of `scripts/mutations`."""

from typing import Final

from tests.faults.mutations_of_access import ACCESS
from tests.faults.mutations_of_darts import DARTS
from tests.faults.mutations_of_limits import LIMITS

MUTATIONS: Final = (*DARTS, *LIMITS, *ACCESS)
