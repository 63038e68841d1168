"""The contract finds what is broken: each game here breaks one promise, and the checks must say so."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.actions import GameAction, Next, Roll, Throw
from engine.conformance import check
from engine.faces import Face
from engine.game import Advice, Event, EventKind, Game, Legal, Step, Turn
from engine.games import GAMES
from engine.games.cricket import GAME as CRICKET
from engine.refusals import Refusal

Apply = Callable[[Any, GameAction], Step[Any] | Refusal]


class Broken:
    """A game that is like another one, but for what is replaced."""

    def __init__(self, game: Game[Any], **replaced: Any) -> None:
        self._game = game
        self._replaced = replaced

    def __getattr__(self, name: str) -> Any:
        return self._replaced[name] if name in self._replaced else getattr(self._game, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Broken) and self._game == other._game

    def __hash__(self) -> int:
        return hash(self._game.name)


def complaints(game: Any, players: tuple[str, ...] = ("Ann", "Bob"), face: Face | None = None) -> str:
    return "\n".join(message for seed in range(3) for message in check(game, players, {}, face, Random(seed)))


def test_a_game_that_is_only_wrapped_is_not_broken() -> None:
    assert complaints(Broken(CRICKET)) == ""


def lists_a_roll(state: Any) -> Legal:
    legal = CRICKET.legal(state)
    return Legal((*legal.actions, Next(), Roll((1, 2, 3))), legal.patterns) if legal.actions else legal


def forgets_bounces(state: Any) -> Legal:
    return Legal((Next(),), CRICKET.legal(state).patterns) if CRICKET.legal(state).actions else Legal()


def skips_a_turn(state: Any) -> Turn:
    turn = CRICKET.turn(state)
    return Turn(turn.number * 2, turn.player, turn.actor, turn.darts, turn.awaits, turn.correctable)


def shows_darts_backwards(state: Any) -> Turn:
    turn = CRICKET.turn(state)
    return replace(turn, darts=turn.darts[::-1])


def gives_the_darts_to_another(state: Any) -> Turn:
    turn = CRICKET.turn(state)
    return replace(turn, player=next(name for name in state.rules.players if name != turn.player))


def sees_nulls(state: Any, viewer: str | None) -> dict[str, Any]:
    return CRICKET.view(state, viewer) | {"leader": None}


def has_no_scores(state: Any, viewer: str | None) -> dict[str, Any]:
    return CRICKET.view(state, viewer) | {"players": [{"name": name} for name in state.rules.players]}


def has_no_advice(state: Any, skill_mm: float) -> Advice:
    return Advice()


def advises_dice(state: Any, skill_mm: float) -> Advice:
    return Advice(action=Roll((1, 2, 3)))


def plays_on(state: Any, action: GameAction) -> Step[Any] | Refusal:
    return Step(state) if state.finished else CRICKET.apply(state, action)


def mumbles(state: Any, action: GameAction) -> Step[Any] | Refusal:
    step = CRICKET.apply(state, action)
    return Refusal(step.reason, "no") if isinstance(step, Refusal) else step


def tells_objects(state: Any, action: GameAction) -> Step[Any] | Refusal:
    step = CRICKET.apply(state, action)
    return Step(step.state, (Event("dart", {"action": action}),)) if isinstance(step, Step) else step


def telling(change: Callable[[Event], Event | None]) -> Apply:
    """Cricket, with another event, or none, in the place of each."""

    def apply(state: Any, action: GameAction) -> Step[Any] | Refusal:
        step = CRICKET.apply(state, action)
        if isinstance(step, Refusal):
            return step
        return Step(step.state, tuple(event for told in step.events if (event := change(told)) is not None))

    return apply


def without(kind: EventKind) -> Callable[[Event], Event | None]:
    return lambda event: None if event.kind == kind else event


def with_other(kind: EventKind, **data: Any) -> Callable[[Event], Event | None]:
    return lambda event: Event(kind, {**event.data, **data}) if event.kind == kind else event


def with_the_round_that_ended(event: Event) -> Event:
    return Event("round", {"round": event.data["round"] - 1}) if event.kind == "round" else event


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (with_the_round_that_ended, "is not about the round that begins"),
        (without("round"), "0 events round, and 1 are due"),
        (without("turn"), "0 events turn, and 1 are due"),
        (without("dart"), "0 events dart, and 1 are due"),
        (without("score"), "no event tells why the scores changed"),
        (without("won"), "0 events won, and 1 are due"),
        (with_other("turn", player="Ann"), "is not about the turn of"),
        (with_other("dart", player="Ann"), "is a dart of"),
        (with_other("score", player="Nobody"), "who does not play"),
        (with_other("score", points=True), "has no points that is int"),
        (with_other("score", score=-1), "is not the score of"),
        (with_other("won", winners=["Nobody"]), "the last event of the match is"),
    ],
)
def test_event_that_is_missing_or_wrong_is_found(change: Callable[[Event], Event | None], said: str) -> None:
    assert said in complaints(Broken(CRICKET, apply=telling(change)))


def test_turns_of_which_only_some_are_settled_are_found() -> None:
    apply = telling(lambda event: None if event.kind == "score" and not event.data["points"] else event)
    assert "some turns are settled by score" in complaints(Broken(CRICKET, apply=apply))


def never_the_same(counter: list[int]) -> Apply:
    """A game with a memory of its own: a replay is not the match that was played."""

    def apply(state: Any, action: GameAction) -> Step[Any] | Refusal:
        counter.append(1)
        return CRICKET.apply(state, Next() if isinstance(action, Throw) and len(counter) % 50 == 0 else action)

    return apply


@pytest.mark.parametrize(
    ("replaced", "said"),
    [
        ({"legal": lists_a_roll}, "is listed as legal"),
        ({"legal": forgets_bounces}, "is not listed as legal"),
        ({"turn": skips_a_turn}, "became turn"),
        ({"turn": shows_darts_backwards}, "and a correction of it corrects"),
        ({"turn": gives_the_darts_to_another}, "may correct it"),
        ({"view": sees_nulls}, "not plain JSON without nulls"),
        ({"view": has_no_scores}, "without a score"),
        ({"advice": has_no_advice}, "the advice is"),
        ({"advice": advises_dice}, "is not legal"),
        ({"apply": plays_on}, "and the answer is"),
        ({"apply": mumbles}, "without a known reason and a sentence"),
        ({"apply": tells_objects}, "is not JSON of a known kind"),
    ],
    ids=lambda value: next(iter(value.values())).__name__ if isinstance(value, dict) else "",
)
def test_broken_promise_is_found(replaced: dict[str, Any], said: str) -> None:
    assert said in complaints(Broken(CRICKET, **replaced))


def test_a_memory_of_its_own_is_found() -> None:
    assert complaints(Broken(CRICKET, apply=never_the_same([]))) != ""


def test_state_of_another_type_is_found() -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        complaints(Broken(CRICKET, state_type=GAMES["x01"].state_type))


def test_a_hand_that_others_see_is_found() -> None:
    dards = GAMES["dards"]
    players = ("Ann", "Bob", "Cid")

    def shows_the_next_hand(state: Any, viewer: str | None) -> dict[str, Any]:
        neighbour = players[(players.index(viewer) + 1) % 3] if viewer else players[0]
        return dards.view(state, viewer) | {"peek": str(dards.view(state, neighbour)["players"]).replace("'", '"')}

    assert "which they cannot see" in complaints(Broken(dards, view=shows_the_next_hand), players)
