"""What a referee does on a simulated day, and when: the same for the same seed."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Literal

from league.state import Tournament

Kind = Literal["withdraw", "correct", "mistake", "type", "move", "take_back", "undo_dart"]
KINDS: Final[tuple[Kind, ...]] = ("withdraw", "correct", "mistake", "type", "move", "take_back", "undo_dart")


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that is done once there are this many results. `number` makes its id, `choice` picks among what is
    there then."""

    number: int
    results: int
    kind: Kind
    choice: float


def deeds(random: Random, matches: int, each: int) -> tuple[Deed, ...]:
    """Each kind of deed `each` times, at any time of the day."""
    kinds = [kind for kind in KINDS for _ in range(each)]
    return tuple(
        Deed(number, random.randrange(1, max(2, matches * 9 // 10)), kind, random.random())
        for number, kind in enumerate(kinds)
    )


def commands(deed: Deed, tournament: Tournament, free: Sequence[str]) -> tuple[dict[str, Any], ...]:
    """The commands of a deed in the tournament as it is; none if nothing is there for it.

    A mistake is a withdrawal that is taken back, and what is taken back is a call that is made again.
    """
    called = sorted(tournament.calls)
    match deed.kind:
        case "withdraw" | "mistake":
            here = [e.name for e in tournament.entrants if e.number not in tournament.withdrawn]
            leaves = {"withdraw": _pick(deed, here)}
            return (leaves,) if deed.kind == "withdraw" else (leaves, {"undo": True})
        case "correct":
            played = [result for _, result in sorted(tournament.results.items()) if result.match is not None]
            if not played:
                return ()
            result = _pick(deed, played)
            then = "keep" if deed.choice * 1000 % 1 < 0.5 else "again"
            return ({"correct": {"fixture": result.fixture, "score": list(result.score[::-1]), "then": then}},)
        case "type" if called:
            fixture = _pick(deed, called)
            legs = tournament.play_of(tournament.standing.pairings[fixture].fixture).best_of // 2 + 1
            return ({"result": {"fixture": fixture, "score": [legs, 0]}},)
        case "move" if called and free:
            return ({"call": {"fixture": _pick(deed, called), "board": _pick(deed, free)}},)
        case "take_back" if called:
            fixture = _pick(deed, called)
            return (
                {"call": {"fixture": fixture}},
                {"call": {"fixture": fixture, "board": tournament.calls[fixture]}},
            )
    return ()


def _pick(deed: Deed, among: Sequence[Any]) -> Any:
    return among[int(deed.choice * len(among))]
