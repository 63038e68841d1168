"""How long the state of a tournament can become: it is one message on the bus, and a broker takes no longer ones."""

from typing import Final

from daemon.tournament.payloads import MOST_WITH_MAXIMUMS, state_of
from engine import jsontext
from engine.refusals import Refusal
from league.state import Tournament

MOST_BYTES: Final = 124_000
"""Of the 131072 bytes of a packet (`max_packet_size` of the brokers): the rest is for the topic, for the boards of
matches that are called, and for the numbers of damaged lines."""
PLAYED_BYTES: Final = 66
"""What a result adds to a match: winner, score, the id of the match on its board, a longer state."""
MAXIMUMS_BYTES: Final = 20
"""What the 180s of a match add, where they are published."""
ROW_BYTES: Final = 12
"""How much longer a line of a table becomes: two digits, or three, in place of zeros."""

PLACE_BYTES: Final = 6
"""What an entrant adds to the final order: three digits and the brackets of a place that nobody shares; the comma."""


def check_size(tournament: Tournament) -> Refusal | None:
    """Returns why the state of a tournament would become too long until its last match is played."""
    if longest(tournament) <= MOST_BYTES:
        return None
    return Refusal("too_large", "The names are too long for so many players and matches; shorten or leave out some.")


def longest(tournament: Tournament) -> int:
    """The bytes of the state as JSON after the last match, at most."""
    state = state_of(tournament, "20000101-000000-000000", 9999, 0, 0.0)
    fixtures, setup = state["fixtures"], tournament.setup
    # The rounds that are not drawn yet are like the first one.
    rounds = setup.rounds if setup.format == "swiss" else 1
    each = PLAYED_BYTES + (MAXIMUMS_BYTES if rounds * len(fixtures) <= MOST_WITH_MAXIMUMS else 0)
    matches = len(jsontext.dump(fixtures).encode()) + each * len(fixtures)
    rows = sum(map(len, state["tables"].values()))
    order = len('"order":[],') + PLACE_BYTES * len(tournament.entrants)
    return len(jsontext.dump(state | {"fixtures": []}).encode()) + rounds * matches + ROW_BYTES * rows + order
