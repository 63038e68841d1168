"""The view of a match in a format: that of the game that is played, with legs and sets."""

from typing import Any

from engine.actions import Choose, action_to_json
from engine.formats import flow
from engine.formats.plan import Plan
from engine.formats.state import State


def view_of(plan: Plan, state: State[Any], viewer: str | None) -> dict[str, Any]:
    """The state as `viewer` may see it; None is everyone."""
    between = state.bull is not None or state.phase == "choose"
    seen = _between(plan, state) if between else _leg(plan, state, viewer)
    seen["players"] = [player | _won(plan, state, player["name"]) for player in seen["players"]]
    seen["leg"] = state.leg + (state.phase != "over")
    if state.again:
        seen["again"] = True
    if between:
        seen["playing"] = "choice" if state.bull is None else "bull_off"
    elif plan.medley is not None:
        seen["playing"] = plan.legs[state.playing].game.name
    return seen


def _leg(plan: Plan, state: State[Any], viewer: str | None) -> dict[str, Any]:
    seen = dict(plan.legs[state.playing].game.view(flow.inner(state), viewer))
    by_name = {player["name"]: player for player in seen["players"]}
    house = [player for player in seen["players"] if player["name"] not in plan.players]
    seen["players"] = [*(by_name[name] for name in plan.players), *house]
    seen["starter"] = plan.sides[state.starter][0]
    # The game knows its own leg alone, and takes its end for that of the match.
    result = seen.pop("result", None)
    closing = plan.legs[state.playing].game.turn(flow.inner(state)).awaits == "next"
    if (result is not None or closing) and (decided := flow.decides(plan, state)) is not None:
        of, winners = decided
        # A game that says nothing of its leg's end has winners all the same.
        seen["result"] = (result or {"winners": list(winners)}) | {"of": of}
    return seen


def _between(plan: Plan, state: State[Any]) -> dict[str, Any]:
    """Before a leg: the throw for the bull, or the choice of a game."""
    if state.bull is None:
        games = (plan.legs[at].game.name for at in flow.offers(plan, state))
        turn = {"choices": [action_to_json(Choose("game", name)) for name in games]}
        return {"turn": turn, "players": [{"name": name, "score": 0} for name in plan.players]}
    bull = state.bull
    players = [
        {"name": name, "score": 0} | ({} if (text := bull.shown(name)) is None else {"bull": text})
        for name in plan.players
    ]
    return {"turn": {"targets": ["bull"], "opening": True}, "players": players}


def _won(plan: Plan, state: State[Any], name: str) -> dict[str, Any]:
    side, medley = flow.side_of(plan, name), plan.medley
    if medley is not None:
        won: dict[str, Any] = {"legs": state.total[side]}
        if medley.points != (1, 0):
            leg, match = medley.points
            won["points"] = leg * state.total[side] + match * (side in state.won)
        return won
    return {"legs": state.wins[side]} | ({"sets": state.sets[side]} if plan.best.sets > 1 else {})
