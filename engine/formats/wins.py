"""Who has won: a set by legs, a match by sets, a medley."""

from engine.formats.plan import Plan
from engine.formats.state import State


def leaders(counts: tuple[int, ...]) -> tuple[int, ...]:
    """The sides with the most; none if nobody has any."""
    top = max(counts)
    return tuple(side for side, count in enumerate(counts) if count == top) if top else ()


def needed(count: int, mode: str) -> int:
    """How many wins are enough."""
    return count if mode == "first_to" else count // 2 + 1


def reached(counts: tuple[int, ...], count: int, mode: str, played: int) -> tuple[int, ...] | None:
    """Who has won by these counts after so many are played; several if it is a draw; None while it goes on."""
    first = leaders(counts)
    if first and counts[first[0]] >= needed(count, mode):
        return first
    # An even number is played to its end, and can be a draw.
    return first if mode == "best_of" and count % 2 == 0 and played >= count else None


def set_won(plan: Plan, state: State[object]) -> tuple[int, ...] | None:
    """Who has won the set; several if it is a draw; None while it goes on."""
    best = plan.best
    first = reached(state.wins, best.legs, best.mode, state.played)
    if not first or not best.clear or not _is_last_set(plan, state):
        return first
    most, second = sorted(state.wins, reverse=True)[:2]
    if most - second >= best.clear:
        return first
    # From the draw before the last leg on, at most twice the legs of a set are played; then the next one decides. Of
    # more than two sides it may bring up one that only draws level: then the one after it does.
    enough = needed(best.legs, best.mode)
    decides = state.played > max(2, len(plan.sides)) * (enough - 1) + 2 * enough
    return first if decides and (most > second or len(state.last) > 1) else None


def _is_last_set(plan: Plan, state: State[object]) -> bool:
    """Whether no set can follow this one."""
    best, counts = plan.best, state.sets[: len(plan.sides)]
    if best.mode == "best_of" and best.sets % 2 == 0 and state.set >= best.sets - 1:
        return True
    return all(count == needed(best.sets, best.mode) - 1 for count in counts)


def medley_won(plan: Plan, state: State[object]) -> tuple[int, ...] | None:
    """Who has won a medley; None while it goes on. A draw after all legs is decided by one more."""
    medley = plan.medley
    if medley is None:
        return None
    left, first = len(medley.legs) - state.leg, leaders(state.total)
    if left > 0:
        second = sorted(state.total)[-2]
        caught = len(first) != 1 or state.total[first[0]] <= second + left
        return None if medley.everything or caught else first
    everyone = tuple(range(len(plan.sides)))
    return (first or everyone) if len(first) == 1 or left < 0 else None
