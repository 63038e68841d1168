"""The part of the conformance suite about advice: it is legal, and an aim that is kept is still the best one."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from engine.kit import Kit, advised_aim
from engine.match import Match

_SKILL_MM: Final = 15.0


def check_advice(match: Match) -> Iterator[str]:
    """There is advice for everybody who must act, and it is legal."""
    game, state = match.game, match.state
    awaits, advice = game.turn(state).awaits, game.advice(state, _SKILL_MM)
    given = (advice.aim is not None) + (advice.action is not None)
    if given != (0 if awaits in ("roll", "deck", "nothing") else 1):
        yield f"{awaits} is awaited, and the advice is {advice}"
    if advice.aim is not None and (awaits != "throw" or not 0.0 <= advice.aim.odds <= 1.0 + 1e-9):
        yield f"{awaits} is awaited, and the aim is {advice.aim}"
    if advice.action is not None and not game.legal(state).allows(advice.action):
        yield f"the advice {advice.action} is not legal"
    if isinstance(game, Kit) and awaits == "throw":
        kept, best = game.best_aim(state, _SKILL_MM), advised_aim(_SKILL_MM, partial(game.worth, state))
        if kept != best:
            yield f"the best aim is {best}, but in a state with the same `matters` it was {kept}"
