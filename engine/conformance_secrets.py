"""Conformance of secrets: no view tells what its viewer has not been shown."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

from engine.actions import Action, Deck
from engine.cards import NUMBERS
from engine.match import Match, begin
from engine.play import apply
from engine.random_play import Chooser, Record
from engine.refusals import Refusal


@runtime_checkable
class HasDisguise(Protocol):
    """A game that says which states a viewer cannot tell apart; None: it has no secrets."""

    @property
    def disguise(self) -> Callable[[Any, str | None, Chooser], Any] | None: ...


def check_disguise(match: Match, choose: Chooser) -> Iterator[str]:
    """A state that a viewer cannot tell from the real one looks the same to them, and leads to the same advice."""
    game = match.game
    if not isinstance(game, HasDisguise) or game.disguise is None:
        return
    for viewer in (None, *match.header.players):
        other = game.disguise(match.state, viewer, choose)
        who = viewer or "everyone"
        if game.view(other, viewer) != game.view(match.state, viewer):
            yield f"the view of {who} tells a secret: it differs between {match.state} and {other}"
        if viewer == match.turn.actor and game.advice(other, 15.0) != game.advice(match.state, 15.0):
            yield f"the advice for {who} tells a secret: it differs between {match.state} and {other}"


def check_secrets(record: Record, match: Match, choose: Chooser) -> Iterator[str]:
    """No view depends on a card that its viewer has not been shown.

    At a random moment two cards that a viewer has never seen change places in
    the deck, and the match is replayed: the view of that viewer must be the same.
    """
    at = choose.choice(range(len(record.actions) + 1))
    views = _views(match, record.actions[:at], record.header.players)
    deck = next((a for a in record.actions[:at] if isinstance(a, Deck)), None)
    # What the number deck shows is not its cards: such games say by `disguise` what is secret.
    numbers = deck is not None and set(deck.cards) == NUMBERS.keys()
    for viewer, seen in views.items():
        if '"deck":' in seen or seen.count('"hand":') > (viewer is not None) * len(seen.split("\n")):
            yield f"{viewer or 'everyone'} sees a deck or the hand of another player"
        if match.all_public and seen != views[None]:
            yield f"{viewer} sees more than everyone, although the game is `all_public`"
        hidden = [] if deck is None else [card for card in deck.cards if f'"{card}"' not in seen]
        if deck is None or numbers or len(hidden) < 2:
            continue
        one, other = choose.sample(hidden, 2)
        cards = tuple(other if card == one else one if card == other else card for card in deck.cards)
        actions = [Deck(cards) if action is deck else action for action in record.actions[:at]]
        if _views(match, actions, (viewer,) if viewer else ()).get(viewer) != seen:
            who = viewer or "everyone"
            yield f"after action {at} the view of {who} depends on {one} and {other}, which they have not seen"


def _views(match: Match, actions: Sequence[Action], players: Sequence[str]) -> dict[str | None, str]:
    """What each viewer has seen from the start, one view per line."""
    again = begin(match.header, match.game, match.turns[0].state)
    seen: dict[str | None, list[str]] = {viewer: [] for viewer in (None, *players)}
    for action in actions:
        outcome = apply(again, action)
        again = again if isinstance(outcome, Refusal) else outcome
        for viewer, lines in seen.items():
            lines.append(json.dumps(again.view(viewer)))
    return {viewer: "\n".join(lines) for viewer, lines in seen.items()}
