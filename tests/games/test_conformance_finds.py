"""The conformance suite finds faults: each game here has one, which the checks must report."""

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
from engine.kit import Kit
from engine.refusals import Refusal

Apply = Callable[[Any, GameAction], Step[Any] | Refusal]


class Broken:
    """A game like another one, with some attributes replaced."""

    def __init__(self, game: Game[Any], **replaced: Any) -> None:
        self._game = game
        self._replaced = replaced

    def __getattr__(self, name: str) -> Any:
        return self._replaced[name] if name in self._replaced else getattr(self._game, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Broken) and self._game == other._game

    def __hash__(self) -> int:
        return hash(self._game.name)


def messages(game: Any, players: tuple[str, ...] = ("Ann", "Bob"), face: Face | None = None) -> str:
    return "\n".join(message for seed in range(3) for message in check(game, players, {}, face, Random(seed)))


def test_a_wrapped_game_without_faults_passes() -> None:
    assert messages(Broken(CRICKET)) == ""


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
    return turn._replace(darts=turn.darts[::-1])


def gives_the_darts_to_another(state: Any) -> Turn:
    turn = CRICKET.turn(state)
    return turn._replace(player=next(name for name in state.rules.players if name != turn.player))


def shows_nulls(state: Any, viewer: str | None) -> dict[str, Any]:
    return CRICKET.view(state, viewer) | {"leader": None}


def has_no_scores(state: Any, viewer: str | None) -> dict[str, Any]:
    return CRICKET.view(state, viewer) | {"players": [{"name": name} for name in state.rules.players]}


def has_no_advice(state: Any, skill_mm: float) -> Advice:
    return Advice()


def advises_a_roll(state: Any, skill_mm: float) -> Advice:
    return Advice(action=Roll((1, 2, 3)))


def plays_on(state: Any, action: GameAction) -> Step[Any] | Refusal:
    return Step(state) if state.finished else CRICKET.apply(state, action)


def refuses_without_message(state: Any, action: GameAction) -> Step[Any] | Refusal:
    step = CRICKET.apply(state, action)
    return Refusal(step.reason, "no") if isinstance(step, Refusal) else step


def sends_objects(state: Any, action: GameAction) -> Step[Any] | Refusal:
    step = CRICKET.apply(state, action)
    return Step(step.state, (Event("dart", {"action": action}),)) if isinstance(step, Step) else step


def with_events(change: Callable[[Event], Event | None]) -> Apply:
    """Cricket with each event replaced by `change`; None removes it."""

    def apply(state: Any, action: GameAction) -> Step[Any] | Refusal:
        step = CRICKET.apply(state, action)
        if isinstance(step, Refusal):
            return step
        return Step(step.state, tuple(event for sent in step.events if (event := change(sent)) is not None))

    return apply


def without(kind: EventKind) -> Callable[[Event], Event | None]:
    return lambda event: None if event.kind == kind else event


def with_other(kind: EventKind, **data: Any) -> Callable[[Event], Event | None]:
    return lambda event: Event(kind, {**event.data, **data}) if event.kind == kind else event


def with_the_round_that_ended(event: Event) -> Event:
    return Event("round", {"round": event.data["round"] - 1}) if event.kind == "round" else event


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (with_the_round_that_ended, "is not about the round that begins"),
        (without("round"), "0 events of the kind round, expected 1"),
        (without("turn"), "0 events of the kind turn, expected 1"),
        (without("dart"), "0 events of the kind dart, expected 1"),
        (without("score"), "no event tells why the scores changed"),
        (without("won"), "0 events of the kind won, expected 1"),
        (with_other("turn", player="Ann"), "is not about the turn of"),
        (with_other("dart", player="Ann"), "should name"),
        (with_other("score", player="Nobody"), "who is not in the match"),
        (with_other("score", points=True), "has no points that is int"),
        (with_other("score", score=-1), "is not the score of"),
        (with_other("won", winners=["Nobody"]), "the last event of the match is"),
    ],
)
def test_a_missing_or_wrong_event_is_found(change: Callable[[Event], Event | None], expected: str) -> None:
    assert expected in messages(Broken(CRICKET, apply=with_events(change)))


def test_turns_of_which_only_some_have_a_score_are_found() -> None:
    apply = with_events(lambda event: None if event.kind == "score" and not event.data["points"] else event)
    assert "some turns end with score" in messages(Broken(CRICKET, apply=apply))


def changes_with_every_replay(counter: list[int]) -> Apply:
    """A game with state outside the match: a replay differs from the match."""

    def apply(state: Any, action: GameAction) -> Step[Any] | Refusal:
        counter.append(1)
        return CRICKET.apply(state, Next() if isinstance(action, Throw) and len(counter) % 50 == 0 else action)

    return apply


@pytest.mark.parametrize(
    ("replaced", "expected"),
    [
        ({"legal": lists_a_roll}, "is listed as legal"),
        ({"legal": forgets_bounces}, "is not listed as legal"),
        ({"turn": skips_a_turn}, "became turn"),
        ({"turn": shows_darts_backwards}, "and a correction of it corrects"),
        ({"turn": gives_the_darts_to_another}, "may correct it"),
        ({"view": shows_nulls}, "not plain JSON without nulls"),
        ({"view": has_no_scores}, "without a score"),
        ({"advice": has_no_advice}, "the advice is"),
        ({"advice": advises_a_roll}, "is not legal"),
        ({"apply": plays_on}, "and the answer is"),
        ({"apply": refuses_without_message}, "without a known reason or without a message"),
        ({"apply": sends_objects}, "is not JSON of a known kind"),
    ],
    ids=lambda value: next(iter(value.values())).__name__ if isinstance(value, dict) else "",
)
def test_a_fault_is_found(replaced: dict[str, Any], expected: str) -> None:
    assert expected in messages(Broken(CRICKET, **replaced))


def test_an_aim_that_is_kept_too_long_is_found() -> None:
    """Round the Clock goes from number to number, so its worths depend on the score."""
    game = GAMES["round_the_clock"]
    assert isinstance(game, Kit)
    assert messages(game) == ""
    assert "in a state with the same `matters`" in messages(replace(game, matters=lambda _state: ()))


def test_state_outside_the_match_is_found() -> None:
    assert messages(Broken(CRICKET, apply=changes_with_every_replay([]))) != ""


def test_state_of_another_type_is_found() -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        messages(Broken(CRICKET, state_type=GAMES["x01"].state_type))


def test_a_hand_that_others_see_is_found() -> None:
    dards = GAMES["dards"]
    players = ("Ann", "Bob", "Cid")

    def shows_the_next_hand(state: Any, viewer: str | None) -> dict[str, Any]:
        neighbour = players[(players.index(viewer) + 1) % 3] if viewer else players[0]
        return dards.view(state, viewer) | {"peek": str(dards.view(state, neighbour)["players"]).replace("'", '"')}

    assert "which they have not seen" in messages(Broken(dards, view=shows_the_next_hand), players)
