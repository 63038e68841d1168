"""Matches that are played through the engine, as the cues that the bus would bring."""

import json
import random
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from daemon.session.chance import draw
from daemon.session.commands import Start
from daemon.session.recorded_match import Transition, act, start
from daemon.show.cues import BoardFollower, Cue
from daemon.system.catalogue import faces, games
from engine.actions import Action, action_from_json
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from engine.random_play import random_action, some_darts
from engine.refusals import Refusal

NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
LONGEST = 3000


class Played:
    """A match on the board `lounge`."""

    def __init__(self, game: str, players: Iterable[str], options: dict[str, Any], seed: int = 0) -> None:
        self._random = random.Random(seed)
        opened = open_match(Header(game, tuple(players), options, NEWEST), games(), faces())
        assert not isinstance(opened, Refusal), opened
        self._follower = BoardFollower("lounge")
        self._revision = 1
        first = start("lounge", opened, Start(opened.header, {}), NOW, self._draw, 1)
        self._recorded = first.after
        self.cues = list(self._cues(first))

    @property
    def match(self) -> Match:
        """The match as it is now."""
        return self._recorded.match

    def act(self, *texts: str) -> list[Cue]:
        """Throws beds, and does what other words say (`next`, `undo`); returns the cues of the last one."""
        new: list[Cue] = []
        for text in texts:
            value = {text: True} if text.islower() else {"throw": text}
            action = action_from_json(value)
            assert not isinstance(action, Refusal), action
            new = self.do(action)
        return new

    def do(self, action: Action) -> list[Cue]:
        """Carries out an action; returns its cues."""
        self._revision += 1
        moved = act(self._recorded, action, None, NOW, self._draw, self._revision)
        assert not isinstance(moved, Refusal), moved
        self._recorded = moved.after
        new = list(self._cues(moved))
        self.cues += new
        return new

    def play_to_the_end(self) -> None:
        """Plays at random, mostly as the game advises."""
        darts = some_darts(None)
        for _ in range(LONGEST):
            if self.match.finished:
                return
            self.do(random_action(self.match, darts, self._random, aimed=0.9))

    def _draw(self, match: Match) -> Any:
        return draw(match, self._random)

    def _cues(self, transition: Transition) -> Iterator[Cue]:
        self._follower.take_state(json.loads(transition.published.text))
        for event in transition.published.events:
            cue = self._follower.take_event(json.loads(event))
            assert cue is not None
            assert self._follower.take_event(json.loads(event)) is None, "an event counts once"
            yield cue
