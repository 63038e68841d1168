"""The view of a match in a format: that of the game that is played, with legs and sets."""

from typing import Any

from engine.actions import Choose, action_to_json
from engine.formats import flow
from engine.formats.plan import Plan
from engine.formats.sides import names_of, side_of
from engine.formats.state import Ended, State, inner
from engine.formats.wins import needed
from engine.game import with_earlier


def view_of(plan: Plan, state: State[Any], viewer: str | None) -> dict[str, Any]:
    """The state as `viewer` may see it; None is everyone."""
    between = state.bull is not None or state.phase == "choose"
    seen = _between(plan, state) if between else _leg(plan, state, viewer)
    own = seen.pop("result", None)
    ended = state.ended if between or state.ended is not None else flow.ended(plan, state)
    if ended is not None:
        seen["result"] = _result(plan, state, viewer, ended, seen["players"], own)
    seen["players"] = [player | _won(plan, state, player["name"]) for player in seen["players"]]
    seen["leg"] = state.leg + (state.phase != "over")
    if to_win := _to_win(plan):
        seen["to_win"] = to_win
    if state.again:
        seen["again"] = True
    if between:
        seen["playing"] = "choice" if state.bull is None else "bull_off"
    elif plan.medley is not None:
        seen["playing"] = plan.legs[state.playing].game.name
    return seen


def _leg(plan: Plan, state: State[Any], viewer: str | None) -> dict[str, Any]:
    seen = dict(plan.legs[state.playing].game.view(inner(state), viewer))
    by_name = {player["name"]: player for player in seen["players"]}
    house = [player for player in seen["players"] if player["name"] not in plan.players]
    seen["players"] = [*(by_name[name] for name in plan.players), *house]
    seen["starter"] = plan.sides[state.starter][0]
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


def _result(
    plan: Plan,
    state: State[Any],
    viewer: str | None,
    ended: Ended,
    players: list[dict[str, Any]],
    own: dict[str, Any] | None,
) -> dict[str, Any]:
    """The result of a leg, a set or the match. The game knows its own leg alone, and takes its end for the match's."""
    game = plan.legs[state.playing].game
    if own is not None and ended.of != "match":
        own = game.view(with_earlier(game, inner(state), None), viewer)["result"]
    entries = [_side(plan, ended, entry) for entry in (own or {}).get("players") or _scores(plan, ended, players)]
    return {**(own or {}), "of": ended.of, "winners": list(names_of(plan, state, ended.won)), "players": entries}


def _scores(plan: Plan, ended: Ended, players: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The sides with their scores, where the game has no result of its own."""
    scores = {player["name"]: player["score"] for player in players}
    sides = [
        {"name": " & ".join(side), "score": ended.scores[at] if ended.scores else scores[side[0]]}
        for at, side in enumerate(plan.sides)
    ]
    house = [] if ended.scores else [player for player in players if player["name"] not in plan.players]
    return sides + [{"name": player["name"], "score": player["score"]} for player in house]


def _side(plan: Plan, ended: Ended, entry: dict[str, Any]) -> dict[str, Any]:
    """The entry of a side in a result, with the legs and sets of the match instead of the game's."""
    by_name = {" & ".join(side): at for at, side in enumerate(plan.sides)}
    side = by_name.get(entry["name"], side_of(plan, entry["name"]))
    about = {key: value for key, value in entry.items() if key not in ("legs", "sets")}
    return about | {"legs": ended.legs[side]} | ({"sets": ended.sets[side]} if plan.best.sets > 1 else {})


def _to_win(plan: Plan) -> dict[str, int]:
    """How many legs win a set, and sets the match; none for a single leg, or where that is not certain."""
    medley, best = plan.medley, plan.best
    if medley is not None:
        certain = len(plan.sides) == 2 and not medley.everything
        return {"legs": len(medley.legs) // 2 + 1} if certain and len(medley.legs) > 1 else {}
    if best.legs == best.sets == 1:
        return {}
    sets = {"sets": needed(best.sets, best.mode)} if best.sets > 1 else {}
    return {"legs": needed(best.legs, best.mode)} | sets


def _won(plan: Plan, state: State[Any], name: str) -> dict[str, Any]:
    side, medley = side_of(plan, name), plan.medley
    if medley is not None:
        won: dict[str, Any] = {"legs": state.total[side]}
        if medley.points != (1, 0):
            leg, match = medley.points
            won["points"] = leg * state.total[side] + match * (side in state.won)
        return won
    return {"legs": state.wins[side]} | ({"sets": state.sets[side]} if plan.best.sets > 1 else {})
