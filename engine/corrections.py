"""Undo and correction, for every game."""

from dataclasses import replace
from itertools import islice
from typing import Any

from engine.actions import Correct, Foul, Throw
from engine.earlier_turns import earlier_turn, same_course
from engine.game import Event
from engine.match import Edit, Match, TurnStart, dart_shown
from engine.persistent_list import PersistentList
from engine.refusals import Refusal
from engine.replay import known_bed, new_awards, replay


def undo(match: Match) -> Match | Refusal:
    """The match without its last step."""
    if not match.edits:
        return Refusal("nothing_to_undo", "This is the start of the match; there is nothing to undo.")
    edit = match.edits[-1]
    before = edit.before
    played = match.played.upto(edit.at) if before is None else match.played.replaced(edit.at, before)
    turns = match.turns
    while turns[-1].at > edit.at:
        turns = turns.upto(len(turns) - 1)
    undone = replay(match, played, match.edits.upto(len(match.edits) - 1), turns)
    return undone if isinstance(undone, Refusal) else replace(undone, events=(Event("undone"),))


def correct(match: Match, action: Correct) -> Match | Refusal:
    """The match with one dart of this turn, or of one of the turns before, replaced."""
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
    found = earlier_turn(match, action.back)
    if found is None:
        return Refusal("no_such_dart", f"No turn was thrown {action.back} turns ago.")
    darts = tuple(found[1])
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
    wrong, right = match.played[at], Foul() if action.to is None else Throw(known_bed(action.to))
    edits = match.edits.add(Edit(at, wrong))
    corrected = replay(match, match.played.replaced(at, right), edits, turns)
    if isinstance(corrected, Refusal):
        return corrected
    event = {"dart": action.dart, "from": dart_shown(wrong), "to": dart_shown(right)}
    back = {"back": action.back} if action.back else {}
    about = Event("corrected", event | back | _changes(match, corrected))
    return replace(corrected, events=(about, *new_awards(match, corrected)))


def _last_is_apart(match: Match) -> bool:
    """Whether the last dart shown is one thrown apart, shown only until its bed is chosen."""
    return match.unsure is not None and match.turn.apart


def _changes(before: Match, after: Match) -> dict[str, Any]:
    """The scores that a correction changed."""
    old = {player["name"]: player["score"] for player in before.view()["players"]}
    new = {player["name"]: player["score"] for player in after.view()["players"]}
    return {"scores": {name: score for name, score in new.items() if old[name] != score}}
