"""The view of a match of the kit. `docs/games.md` lists the words that the general scoreboard knows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.actions import Choose, action_to_json
from engine.games.teams import of_team
from engine.kit import turns
from engine.kit.state import G, O, State

if TYPE_CHECKING:
    from engine.kit.game import Kit


@dataclass(frozen=True, slots=True)
class Show:
    """What a game adds to the view: about the match, about the turn, and about each side in its order."""

    match: Mapping[str, Any] = field(default_factory=dict)
    turn: Mapping[str, Any] = field(default_factory=dict)
    players: Sequence[Mapping[str, Any]] = ()
    house: Mapping[str, Any] = field(default_factory=dict)
    """About the player of the house, if there is one; with `score`."""


def view_of(game: "Kit[O, G]", state: State[O, G], viewer: str | None) -> dict[str, Any]:
    """The state as `viewer` may see it; None is everyone."""
    shown = game.show(state, viewer)
    players = [
        _player(state, shown, at % len(state.scores)) | {"name": name} | of_team(state.teams, at)
        for at, name in enumerate(state.players)
    ]
    if game.house:
        players.append({"name": game.house, "house": True, "score": 0, **shown.house})
    return {
        **shown.match,
        "title": game.title,
        "turn": _turn(game, state) | dict(shown.turn),
        "players": players,
        "round": state.round,
        "rounds": max(game.rounds(state), state.round),
    }


def _turn(game: "Kit[O, G]", state: State[O, G]) -> dict[str, Any]:
    turn: dict[str, Any] = {"points": list(state.points)}
    if game.summed:
        turn["scored"] = state.scored
    if state.ended == "bust":
        turn["bust"] = True
    awaits, asked = turns.awaited(game, state)
    if asked is not None:
        turn["choices"] = [action_to_json(Choose(asked.key, value)) for value in asked.values]
    if awaits == "throw":
        if game.opening(state) is not None:
            turn["opening"] = True
        lights = {"targets": list(game.targets(state)), "dangers": list(game.dangers(state))}
        turn |= {name: beds for name, beds in lights.items() if beds}
    return turn


def _player(state: State[O, G], shown: Show, side: int) -> dict[str, Any]:
    player: dict[str, Any] = {"score": state.standing[side]}
    if state.out[side]:
        player["out"] = state.out[side]
    if state.extra and state.extra[side]:
        player["extra"] = list(state.extra[side])
    if shown.players:
        player |= shown.players[side]
    return player
