"""Dart Wars: the view of a match. It has no secrets."""

from typing import Any, Final

from engine.actions import Choose, Defend, GameAction, action_to_json
from engine.game import Awaits, Turn
from engine.games import dart_wars_combats, dart_wars_start
from engine.games.dart_wars_moves import moves, owed
from engine.games.dart_wars_state import Fight, Phase, State, head, on_map

AWAITS: Final[dict[Phase, Awaits]] = {
    "order": "throw",
    "homelands": "throw",
    "border": "choose",
    "throws": "throw",
    "moves": "move",
    "combats": "combat",
    "defend": "defend",
    "combat": "throw",
    "over": "nothing",
}


def turn(state: State) -> Turn:
    """Whose turn it is, and who must act. Darts before the first turn and in combats cannot be corrected."""
    correctable = state.phase not in ("order", "homelands", "border")
    actor = state.players[_actor(state)]
    apart = state.phase == "combat"
    return Turn(state.number, state.player, actor, state.darts, AWAITS[state.phase], correctable, apart)


def _actor(state: State) -> int:
    if state.phase in ("homelands", "border"):
        return dart_wars_start.thrower(state)
    if state.fight is None:
        return state.seat
    if state.phase == "defend":
        return head(state, state.fight.against)
    return dart_wars_combats.thrower(state, state.fight)


def view(state: State) -> dict[str, Any]:
    """The state as JSON: the map with its troops, the players, and the choices of the turn."""
    moving = state.phase == "moves"
    about_turn: dict[str, Any] = {
        "phase": state.phase,
        "ready": dict(state.ready),
        "attacks": dict(state.attacks),
        "moves": [action_to_json(move) for move in moves(state)] if moving else [],
        "owed": [dart + 1 for dart in owed(state)] if moving else [],
        "targets": [list(zones) for zones in state.targets],
        "used": sorted(dart + 1 for dart in state.used),
        "choices": [action_to_json(choice) for choice in choices(state)],
    }
    if state.fight is not None:
        about_turn["combat"] = _combat(state, state.fight)
    return {
        "face": state.world.name,
        "supply": state.supply,
        "order": [state.players[seat] for seat in state.order],
        "zones": {
            zone: {state.players[seat]: count for seat, count in enumerate(here) if count}
            for zone, here in state.troops.items()
        },
        "visited": list(state.visited),
        "turn": about_turn,
        "players": [_player(state, seat) for seat in range(len(state.players))],
    }


def choices(state: State) -> tuple[GameAction, ...]:
    """The legal actions other than darts, moves and done: a homeland, a combat, who fights, who throws first."""
    match state.phase:
        case "border":
            free = dart_wars_start.free_homelands(state, state.targets[0])
            return tuple(Choose("zone", zone) for zone in free)
        case "combats":
            return tuple(dart_wars_combats.combats(state))
    if state.fight is None:
        return ()
    if state.phase == "defend":
        there = dart_wars_combats.defenders(state, state.fight)
        return tuple(Defend(state.players[seat]) for seat in there)
    return dart_wars_combats.first_choices(state, state.fight)


def _player(state: State, seat: int) -> dict[str, Any]:
    player: dict[str, Any] = {"name": state.players[seat], "score": on_map(state, seat)}
    home, master = state.homelands[seat], state.masters[seat]
    if home is not None:
        player["homeland"] = home
    if master is not None:
        player["master"] = state.players[master]
    dart = None if state.bull is None else state.bull.shown(state.players[seat])
    if state.phase == "order" and dart is not None:
        player["bull"] = dart
    return player


def _combat(state: State, fight: Fight) -> dict[str, Any]:
    combat: dict[str, Any] = {"zone": fight.zone, "attacker": state.player, "against": state.players[fight.against]}
    if state.phase == "combat":
        first = state.players[fight.first]
        darts = {first: fight.landings[0].text} if fight.landings else {}
        combat |= {"defender": state.players[fight.defender], "first": first, "darts": darts}
    return combat
