"""Dart Wars: combats, one for each attack, in the order that the attacker announces."""

from collections.abc import Iterator
from dataclasses import replace

from engine.actions import Combat, First
from engine.bullthrow import landing, ranked
from engine.darts import Dart
from engine.game import Event, Step
from engine.games.dart_wars_conquest import end_turn, settled
from engine.games.dart_wars_state import Fight, State, counted, enemies, head, on_map, with_troops
from engine.refusals import Refusal


def combats(state: State) -> Iterator[Combat]:
    """Every way to announce a combat now."""
    for zone in state.attacks:
        there = enemies(state, state.seat, zone)
        if len(there) == 1:
            yield Combat(zone)
        yield from (Combat(zone, state.players[seat]) for seat in there)


def announce(state: State, combat: Combat) -> Step[State] | Refusal:
    """An attack is to be fought. Where several of the alliance are there, its master is asked who fights."""
    if combat.zone not in state.attacks:
        return Refusal("not_a_choice", f"No attack is pending there; pending are: {', '.join(state.attacks)}.")
    there = enemies(state, state.seat, combat.zone)
    names = [state.players[seat] for seat in there]
    if combat.against is None and len(there) > 1:
        return Refusal("not_a_choice", f'Several are there; say "against" one of them: {", ".join(names)}.')
    if combat.against is not None and combat.against not in names:
        return Refusal("not_a_choice", f"An attack there is against one of these: {', '.join(names)}.")
    against = there[0] if combat.against is None else state.players.index(combat.against)
    fight = Fight(combat.zone, against, against, state.seat)
    asked = len(defenders(state, fight)) > 1
    return Step(replace(state, phase="defend" if asked else "combat", fight=fight))


def defenders(state: State, fight: Fight) -> tuple[int, ...]:
    """Those of the attacked alliance who have a troop there."""
    side = head(state, fight.against)
    return tuple(seat for seat in enemies(state, state.seat, fight.zone) if head(state, seat) == side)


def defend(state: State, fight: Fight, by: str) -> Step[State] | Refusal:
    """The master's word on who fights."""
    names = [state.players[seat] for seat in defenders(state, fight)]
    if by not in names:
        return Refusal("not_a_choice", f"One of those who are there fights: {', '.join(names)}.")
    return Step(replace(state, phase="combat", fight=replace(fight, defender=state.players.index(by))))


def say_first(state: State, fight: Fight, player: str) -> Step[State] | Refusal:
    """The attacker's word on who throws first."""
    words = words_on_first(state, fight)
    if not words:
        return Refusal("not_awaited", "Who throws first is settled; go on with the darts.")
    if First(player) not in words:
        names = " or ".join(word.player for word in words)
        return Refusal("not_a_choice", f"One of the two throws first: {names}.")
    return Step(replace(state, fight=replace(fight, first=state.players.index(player), first_said=True)))


def words_on_first(state: State, fight: Fight) -> tuple[First, ...]:
    """What the attacker can say on who throws first: once, before the first dart."""
    if fight.begun or fight.first_said:
        return ()
    return tuple(First(state.players[seat]) for seat in (state.seat, fight.defender))


def thrower(state: State, fight: Fight) -> int:
    """Who throws now."""
    return _in_order(state, fight)[len(fight.landings)]


def _in_order(state: State, fight: Fight) -> tuple[int, int]:
    other = fight.defender if fight.first == state.seat else state.seat
    return fight.first, other


def throw(state: State, fight: Fight, dart: Dart | None) -> Step[State] | Refusal:
    """A dart at the target; None is a foul, a miss. The nearer one wins; equals throw again, in the same order."""
    landed = landing(dart)
    if isinstance(landed, Refusal):
        return landed
    landings = (*fight.landings, landed)
    event = Event("dart", {"player": state.players[thrower(state, fight)], "dart": landed.text})
    nearest = ranked(landings)[0]
    if len(landings) == 1 or len(nearest) == 2:
        kept = landings if len(landings) == 1 else ()
        return Step(replace(state, fight=replace(fight, begun=True, landings=kept)), (event,))
    pair = _in_order(state, fight)
    step = _decided(state, fight, pair[nearest[0]], pair[1 - nearest[0]])
    return Step(step.state, (event, *step.events))


def _decided(state: State, fight: Fight, winner: int, loser: int) -> Step[State]:
    """The loser's troop turns; it is taken off in the homeland of one of the two, or by a winner without supply."""
    zone = fight.zone
    at_home = zone in (state.homelands[winner], state.homelands[loser])
    turns = not at_home and on_map(state, winner) < state.supply
    after = replace(
        state,
        phase="combats",
        troops=with_troops(state, zone, loser, -1),
        attacks=counted(state.attacks, zone, -1),
        fight=None,
    )
    if turns:
        after = replace(after, troops=with_troops(after, zone, winner, 1))
    names = {"zone": zone, "winner": state.players[winner], "loser": state.players[loser], "turned": turns}
    return fought(settled(after, Event("combat", names)))


def fought(step: Step[State]) -> Step[State]:
    """With no attack pending the turn is over."""
    if step.state.phase == "over" or step.state.attacks:
        return step
    ended = end_turn(step.state)
    return Step(ended.state, (*step.events, *ended.events))
