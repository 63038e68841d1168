"""A match in two houses through a random schedule of kills, cut lines and delays, and a check of what came of it.

People throw three darts each in turn, and something may break at any of them. In the end both houses have the record of
exactly the darts that were shown where they were thrown, each once, in that order.
"""

import itertools
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from tests.houses.doubled import Doubler
from tests.houses.line import Line
from tests.houses.pair import House, SharedBroker, invited
from tests.rig import LIMIT_SECONDS, until

ROUNDS: Final = 2
INVITE: Final[dict[str, Any]] = {
    "invite": {"game": "count_up", "players": ["Ann", "Bob"], "options": {"rounds": ROUNDS}, "guests": ["Bob"]}
}
OFTEN: Final = 0.3
"""The chance that something breaks at a dart."""
SLOW_SECONDS: Final = 1.3
"""A delay with which a question is asked again before its answer comes."""


class Street:
    """Two houses, the broker between them, and a line from the guest to it."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.last_beds: list[int] = []
        """The beds of the last visit in each house."""
        self.shared = SharedBroker(folder / "hub", "anna", "bob")
        self.shared.start()
        stack.callback(self.shared.kill)
        self.doubler = Doubler(self.shared, 0)
        stack.callback(self.doubler.close)
        self.line = Line(self.shared.port)
        stack.callback(self.line.close)
        self.anna = House(folder / "anna", "anna", self.shared.url("anna"))
        self.bob = House(folder / "bob", "bob", self.shared.url("bob", self.line.port))
        for house in (self.anna, self.bob):
            stack.callback(house.close)
            house.start()


class Schedule:
    """One match; `run` returns what was broken and how often."""

    def __init__(self, street: Street, seed: int) -> None:
        self.street, self.chance = street, random.Random(seed)
        self.did: Counter[str] = Counter()
        self.shown: list[str] = []
        """Every dart that was shown where it was thrown, in order."""
        self.match = invited(street.anna, street.bob, INVITE)
        # A bed that a board reports twice within 1.5 s is a doubt, and no dart.
        beds = [bed for bed in self.chance.sample(range(1, 21), 20) if bed not in street.last_beds]
        self._beds = itertools.cycle(beds)
        self._mends: list[Callable[[], None]] = []

    def run(self) -> dict[str, int]:
        for _, house in itertools.product(range(ROUNDS), (self.street.anna, self.street.bob)):
            player = "Ann" if house is self.street.anna else "Bob"
            self._wait(house, lambda s, player=player: s["turn"]["player"] == player, f"{player}'s turn")  # type: ignore[misc]
            for number in range(1, 4):
                self._throw(house, f"S{next(self._beds)}", number)
            self._mend()
            self._next(house, player)
        self._check()
        self.street.last_beds = [int(bed[1:]) for bed in self.shown[-6:]]
        return dict(self.did)

    def _throw(self, house: House, bed: str, number: int) -> None:
        back = self._break(house) if self.chance.random() < OFTEN else None
        house.say(bed)
        until(lambda: len(self._darts(house)) >= number, f"dart {number} in {house.node}")
        self.shown.append(bed)
        self.did["darts"] += 1
        if back is not None:
            back()
        # Also after a kill of this house as soon as it has shown the dart.
        until(lambda: self._darts(house) == self.shown[-number:], f"{self.shown[-number:]} in {house.node}")

    def _darts(self, house: House) -> list[str]:
        state = house.watcher.last("board/lounge/match")
        if state is None or state["match"] != self.match:
            return []
        return [*state["turn"]["darts"], *state.get("sent", ())]

    def _next(self, house: House, player: str) -> None:
        """Ends the turn, with a new command for as long as the other house cannot be reached."""
        end = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < end:
            state = house.watcher.last("board/lounge/match")
            if state["finished"] or state["turn"]["player"] != player:
                return
            if state["turn"]["awaits"] == "next" and not state.get("sent"):
                house.ask({"next": True, "revision": state["revision"]})
            time.sleep(0.01)
        raise AssertionError(f"{player}'s turn never ends: {house.watcher.last('board/lounge/match')}")

    def _wait(self, house: House, wanted: Callable[[dict[str, Any]], bool], what: str) -> None:
        def is_so() -> bool:
            state = house.watcher.last("board/lounge/match")
            return state is not None and state["match"] == self.match and wanted(state)

        until(is_so, f"{what} in {house.node}")

    # ------------------------------------------------------------------ what breaks

    def _break(self, here: House) -> Callable[[], None] | None:
        """Breaks something; returns what is done as soon as the dart is shown where it is thrown.

        The daemon that reads the board is killed then, and not before: nobody sees whether it has read a dart.
        """
        street = self.street
        what = self.chance.choice(("host", "guest", "broker", "cut", "slow", "twice"))
        self.did[what] += 1
        match what:
            case "host" | "guest":
                house = street.anna if what == "host" else street.bob
                if house is here:
                    return lambda: self._restart(house)
                house.daemon.kill()
                return house.start
            case "broker":
                street.shared.kill()
                self._mends.append(street.shared.start)
            case "cut":
                street.line.cut()
                self._mends.append(street.line.mend)
            case "slow":
                street.line.delay = SLOW_SECONDS
                self._mends.append(lambda: setattr(street.line, "delay", 0.0))
            case "twice":
                # Until the end of the visit: what is sent now is to arrive twice.
                street.doubler.on = True
                self._mends.append(lambda: setattr(street.doubler, "on", False))
                return None
        if self.chance.random() < 0.5:
            self._mend()
        return None

    def _restart(self, house: House) -> None:
        house.daemon.kill()
        house.start()

    def _mend(self) -> None:
        for mend in self._mends:
            mend()
        self._mends.clear()

    # ------------------------------------------------------------------ what came of it

    def _check(self) -> None:
        """No dart is lost, none counts twice, and both houses have the same bytes."""
        anna, bob = self.street.anna, self.street.bob
        for house in (anna, bob):
            self._wait(house, lambda s: s["finished"], "the end")
        until(lambda: anna.record(self.match) == bob.record(self.match), "the same record in both houses")
        lines = [json.loads(line) for line in anna.record(self.match)[1:]]
        assert [line["throw"] for line in lines if "throw" in line] == self.shown, lines
        for house in (anna, bob):
            self._states(house)

    def _states(self, house: House) -> None:
        """In no house the darts of a turn go back, but for those that were never confirmed."""
        turns: dict[tuple[int, str], list[str]] = {}
        for message in house.watcher.seen:
            if message.topic.endswith("board/lounge/match") and message.payload:
                state = message.payload
                if state["match"] == self.match and not state["finished"]:
                    key = (state.get("round", 0), state["turn"]["player"])
                    before, now = turns.get(key, []), state["turn"]["darts"]
                    assert now[: len(before)] == before, (house.node, key, before, now)
                    turns[key] = now
