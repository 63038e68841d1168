"""A match from words: what is thrown and done in it, by the real rules."""

from collections.abc import Mapping, Sequence
from typing import Any

from daemon.system.catalogue import faces, games
from engine.actions import GameAction, Throw
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from engine.play import apply
from engine.refusals import Refusal
from engine.segments import SEGMENTS


def thrown_match(
    game: str, players: Sequence[str], options: Mapping[str, Any], *actions: GameAction | str, rules: int = NEWEST
) -> Match:
    """The match after these actions; a bed is a dart in it."""
    match = open_match(Header(game, tuple(players), dict(options), rules), games(), faces())
    assert isinstance(match, Match), match
    for action in actions:
        found = apply(match, Throw(SEGMENTS[action]) if isinstance(action, str) else action)
        assert not isinstance(found, Refusal), found
        match = found
    return match
