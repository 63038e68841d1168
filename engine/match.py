"""A match: a header, the actions, and the state that they lead to.

Undo and correction are implemented here for every game. `played` holds the actions
that count, after corrections; `edits` holds what each step changed, for undo.

Replaying the whole record for each correction was not chosen: an undo after ten
thousand darts would take a second.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final

from engine.actions import Action, Bounce, Choose, Correct, Foul, GameAction, Throw, Undo
from engine.awards import Tally, after_step, tallied, with_awards
from engine.darts import Dart, Points, Position, Zone
from engine.earlier_turns import earlier_darts, same_course
from engine.game import Event, Game, Legal, Turn
from engine.geometry import segment_at
from engine.persistent_list import PersistentList, persistent_list
from engine.refusals import Refusal
from engine.segments import SEGMENTS, Segment


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a match file. `options` has the given ones only; `rules` is the version of the game's rules.

    `boards` says at which board each player throws, in the order of the players; empty for a match on one board.
    """

    game: str
    players: tuple[str, ...]
    options: dict[str, Any]
    rules: int = 1
    boards: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The first line of a match file as a JSON value."""
        return {
            "match": 1,
            "rules": self.rules,
            "game": self.game,
            "players": list(self.players),
            "options": self.options,
            **({"boards": list(self.boards)} if self.boards else {}),
        }


@dataclass(frozen=True, slots=True)
class TurnStart:
    """Where a turn began: the number of actions before it, and the state then."""

    at: int
    number: int
    state: Any
    awards: Tally = field(default_factory=dict)
    """The awards of the turns before."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One step that undo can take back: an action appended at `at`, or `before` replaced at `at`."""

    at: int
    before: GameAction | None = None


NO_ACTIONS: Final[PersistentList[GameAction]] = PersistentList()
NO_EDITS: Final[PersistentList[Edit]] = PersistentList()

MAX_ACTIONS: Final = 100_000
"""The most actions that count in one match, which bounds memory. Further actions are refused."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match at one moment. `begin` makes one; `apply` returns the next.

    `unsure` is the dart whose bed must be chosen before the match goes on. `void`
    are darts after the end of their visit, left there by a correction: they stay
    in the record and count only if another correction opens the visit again.
    """

    header: Header
    game: Game[Any]
    state: Any
    of_game: Turn
    """The turn as the game has it: without darts that are void or whose bed is unknown."""
    turns: PersistentList[TurnStart]
    played: PersistentList[GameAction] = NO_ACTIONS
    edits: PersistentList[Edit] = NO_EDITS
    unsure: Points | None = None
    void: tuple[str, ...] = ()
    earned: tuple[Event, ...] = ()
    """The awards of this turn."""
    events: tuple[Event, ...] = field(default=(), compare=False)
    """The events of the last action."""

    @property
    def turn(self) -> Turn:
        """Whose turn it is, including darts that are void or whose bed is unknown."""
        turn = self.of_game
        if self.unsure is not None:
            return replace(turn, darts=(*turn.darts, dart_text(self.unsure)), awaits="choose")
        return replace(turn, darts=turn.darts + self.void) if self.void else turn

    @property
    def awards(self) -> Tally:
        """How often each player has earned each award so far."""
        return tallied(self.turns[-1].awards, self.earned)

    @property
    def finished(self) -> bool:
        """Whether the match is over. Undo can open it again."""
        return self.game.winners(self.state) is not None

    @property
    def all_public(self) -> bool:
        """Whether the game says that every viewer sees the same. False for a game that does not say."""
        return getattr(self.game, "all_public", False) is True

    def view(self, viewer: str | None = None) -> dict[str, Any]:
        """The state as JSON: the public view, or the view of one player."""
        game, turn, winners = self.game.view(self.state, viewer), self.turn, self.game.winners(self.state)
        about_turn = {"player": turn.player, "actor": turn.actor, "darts": list(turn.darts), "awaits": turn.awaits}
        if self.unsure is not None:
            about_turn["candidates"] = [bed.text for bed in self.unsure.candidates]
        awards = self.awards
        return {
            "game": self.game.name,
            "finished": winners is not None,
            "winners": list(winners or ()),
            **game,
            "turn": game.get("turn", {}) | about_turn,
            "players": [
                player | {"awards": dict(awards[player["name"]])} if player["name"] in awards else player
                for player in game["players"]
            ],
        }

    def legal(self) -> Legal:
        """The game actions that are legal now."""
        if self.unsure is not None:
            return Legal(tuple(Choose("segment", bed.text) for bed in self.unsure.candidates))
        return self.game.legal(self.state)


def begin(header: Header, game: Game[Any], state: Any, awards: Tally | None = None) -> Match:
    """A match that starts from `state`: a new one, or one restored from a stored state, which undo cannot cross.

    `awards` are those of the turns before.
    """
    turn = game.turn(state)
    return Match(header, game, state, turn, persistent_list([TurnStart(0, turn.number, state, awards or {})]))


def apply(match: Match, action: Action) -> Match | Refusal:
    """The match after one action, or why it was refused. Pure; never raises."""
    match action:
        case Undo():
            return _undo(match)
        case Correct():
            return _correct(match, action)
        case _ if match.unsure is not None:
            return _choose_bed(match, match.unsure, action)
        case _:
            return _play(match, action)


def dart_text(dart: Dart | None) -> str:
    """A dart as text for displays: its segment, zone or points; `FOUL` for None."""
    match dart:
        case None:
            return "FOUL"
        case Segment():
            return dart.text
        case Position():
            return segment_at(dart).text
        case Zone(names):
            return "|".join(names)
        case Points(points):
            return str(points)


def dart_shown(action: GameAction) -> str:
    """The dart of a throw or a foul as text for displays."""
    return dart_text(action.dart if isinstance(action, Throw) else None)


def _play(match: Match, action: GameAction) -> Match | Refusal:
    if isinstance(action, Throw) and isinstance(action.dart, Points):
        action = Throw(_known(action.dart))
    game, at = match.game, len(match.played)
    if at >= MAX_ACTIONS:
        return Refusal("too_large", f"This match has {MAX_ACTIONS:,} actions, the most possible; start another.")
    step = game.apply(match.state, action)
    played, edits = match.played.add(action), match.edits.add(Edit(at))
    if isinstance(step, Refusal):
        unsure = _unsure(step, action)
        if unsure is None:
            return step
        about = {"player": match.turn.actor, "dart": dart_text(unsure)}
        event = Event("dart", about | {"candidates": [bed.text for bed in unsure.candidates]})
        return replace(match, played=played, edits=edits, unsure=unsure, events=(event,))
    begun, turns, void = match.turns[-1], match.turns, match.void
    was, turn = match.of_game, game.turn(step.state)
    earned = after_step(game, match.header.options, begun.state, match.state, was, step, turn, match.earned)
    events = step.events if earned is match.earned else with_awards(step.events, earned[len(match.earned) :])
    if turn.number != begun.number:
        start = TurnStart(at + 1, turn.number, step.state, tallied(begun.awards, earned))
        turns, earned, void = turns.add(start), (), ()
    # Not `replace`, which would take a tenth of the time of a dart.
    return Match(match.header, game, step.state, turn, turns, played, edits, None, void, earned, events)


def _known(dart: Dart) -> Dart:
    """The dart, with points that only one bed gives replaced by that bed."""
    return dart.candidates[0] if isinstance(dart, Points) and len(dart.candidates) == 1 else dart


def _unsure(refusal: Refusal, action: GameAction) -> Points | None:
    if refusal.reason == "which_segment" and isinstance(action, Throw) and isinstance(action.dart, Points):
        return action.dart
    return None


def _choose_bed(match: Match, unsure: Points, action: GameAction) -> Match | Refusal:
    names = ", ".join(bed.text for bed in unsure.candidates)
    if not isinstance(action, Choose) or action.key != "segment":
        return Refusal("not_awaited", f"First choose the bed of the {unsure.points} points: {names}.")
    bed = SEGMENTS.get(str(action.value))
    if bed is None or bed not in unsure.candidates:
        return Refusal("not_a_choice", f"Choose one of the beds of the {unsure.points} points: {names}.")
    at, event = len(match.played) - 1, Event("choice", {"player": match.turn.actor, "segment": bed.text})
    known = Throw(bed)
    # The unsure dart has not changed the state yet.
    step = match.game.apply(match.state, known)
    if isinstance(step, Refusal):
        return step
    edits = match.edits.add(Edit(at, match.played[at]))
    replay = _replay(match, match.played.upto(at).add(known), edits, match.turns)
    return replay if isinstance(replay, Refusal) else replace(replay, events=(event, *_new(match, replay, step.events)))


def _new(before: Match, after: Match, events: tuple[Event, ...] = ()) -> tuple[Event, ...]:
    """These events, with the awards of the turn that the match did not have before."""
    known = [event.data["award"] for event in before.earned]
    return with_awards(events, (event for event in after.earned if event.data["award"] not in known))


def _undo(match: Match) -> Match | Refusal:
    if not match.edits:
        return Refusal("nothing_to_undo", "This is the start of the match; there is nothing to undo.")
    edit = match.edits[-1]
    before = edit.before
    played = match.played.upto(edit.at) if before is None else match.played.replaced(edit.at, before)
    turns = match.turns
    while turns[-1].at > edit.at:
        turns = turns.upto(len(turns) - 1)
    undone = _replay(match, played, match.edits.upto(len(match.edits) - 1), turns)
    return undone if isinstance(undone, Refusal) else replace(undone, events=(Event("undone"),))


def _correct(match: Match, action: Correct) -> Match | Refusal:
    if match.finished:
        return Refusal("finished", "The match is over; undo the last action to change it.")
    if action.back:
        return _correct_earlier(match, action)
    turn, start, thrown = match.turn, match.turns[-1], len(match.turn.darts)
    if not turn.correctable or (action.dart == thrown and _last_is_apart(match)):
        return Refusal("undo_only", "This dart cannot be corrected; undo it instead.")
    if action.dart > thrown:
        return Refusal("no_such_dart", f"This turn has {thrown} dart{'' if thrown == 1 else 's'} so far.")
    # Darts thrown apart come after the darts of the turn, so they do not change the numbers of those.
    darts = (i for i, played in enumerate(match.played.since(start.at), start.at) if isinstance(played, Throw | Foul))
    at = next(islice(darts, action.dart - 1, None))
    return _corrected(match, action, at, match.turns)


def _correct_earlier(match: Match, action: Correct) -> Match | Refusal:
    darts = earlier_darts(match, action.back)
    if len(match.turns) <= action.back:
        return Refusal("no_such_dart", f"No turn was thrown {action.back} turns ago.")
    if not darts:
        return Refusal("undo_only", "The darts of that turn cannot be corrected; undo instead.")
    if action.dart > len(darts):
        return Refusal("no_such_dart", f"That turn had {len(darts)} dart{'' if len(darts) == 1 else 's'}.")
    corrected = _corrected(match, action, darts[action.dart - 1], match.turns.upto(len(match.turns) - action.back))
    if isinstance(corrected, Refusal) or same_course(match, corrected, action.back):
        return corrected
    return Refusal("correction_illegal", "With that dart others would have thrown next. Undo to that dart instead.")


def _corrected(match: Match, action: Correct, at: int, turns: PersistentList[TurnStart]) -> Match | Refusal:
    """The match with the dart at index `at` replaced, replayed from the last of `turns`."""
    wrong, right = match.played[at], Foul() if action.to is None else Throw(_known(action.to))
    edits = match.edits.add(Edit(at, wrong))
    corrected = _replay(match, match.played.replaced(at, right), edits, turns)
    if isinstance(corrected, Refusal):
        return corrected
    event = {"dart": action.dart, "from": dart_shown(wrong), "to": dart_shown(right)}
    back = {"back": action.back} if action.back else {}
    about = Event("corrected", event | back | _changes(match, corrected))
    return replace(corrected, events=(about, *_new(match, corrected)))


def _last_is_apart(match: Match) -> bool:
    """Whether the last dart shown is one thrown apart, shown only until its bed is chosen."""
    return match.unsure is not None and match.turn.apart


def _changes(before: Match, after: Match) -> dict[str, Any]:
    """The scores that a correction changed."""
    old = {player["name"]: player["score"] for player in before.view()["players"]}
    new = {player["name"]: player["score"] for player in after.view()["players"]}
    return {"scores": {name: score for name, score in new.items() if old[name] != score}}


_TAKES_A_DART: Final = Throw | Foul | Bounce


def _replay(
    match: Match, played: PersistentList[GameAction], edits: PersistentList[Edit], turns: PersistentList[TurnStart]
) -> Match | Refusal:
    """The match with these actions, replayed from the start of the last turn."""
    game, state = match.game, turns[-1].state
    turn = game.turn(state)
    unsure: Points | None = None
    void: tuple[str, ...] = ()
    earned: tuple[Event, ...] = ()
    first = turns[-1].at
    for at, action in enumerate(played.since(first), first):
        # A live dart is refused here, so a correction has ended the visit before this one.
        if isinstance(action, _TAKES_A_DART) and turn.awaits == "next":
            if not isinstance(action, Bounce):
                void += (dart_shown(action),)
            continue
        step = game.apply(state, action)
        if isinstance(step, Refusal):
            unsure = _unsure(step, action) if at == len(played) - 1 else None
            if unsure is None:
                return Refusal(
                    "correction_illegal", f"An action after it would not be legal ({step.message}) Undo instead."
                )
            break
        begun, was, turn = turns[-1], turn, game.turn(step.state)
        earned = after_step(game, match.header.options, begun.state, state, was, step, turn, earned)
        state = step.state
        if turn.number != begun.number:
            start = TurnStart(at + 1, turn.number, state, tallied(begun.awards, earned))
            turns, earned, void = turns.add(start), (), ()
    return Match(match.header, game, state, turn, turns, played, edits, unsure, void, earned, match.events)


def replayed(match: Match, actions: Iterable[Action | Refusal]) -> Match | Refusal:
    """The match after all these actions, or the first refusal, of the reader or of the rules."""
    for action in actions:
        outcome = action if isinstance(action, Refusal) else apply(match, action)
        if isinstance(outcome, Refusal):
            return outcome
        match = outcome
    return match
