"""Dart Wars: combats, one for each attack, in the order that the attacker announces."""

from collections.abc import Iterator
from dataclasses import replace

from engine.actions import Combat, First
from engine.bullthrow import landing, ranked
from engine.darts import Dart
from engine.game import Event, Step
from engine.games.dart_wars_conquest import consequences, end_turn
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
    """Announces an attack. If several of the alliance are there, its master chooses who fights."""
    if combat.zone not in state.attacks:
        return Refusal("not_a_choice", f"No attack is pending there; choose one of: {', '.join(state.attacks)}.")
    there = enemies(state, state.seat, combat.zone)
    names = [state.players[seat] for seat in there]
    if combat.against is None and len(there) > 1:
        return Refusal("not_a_choice", f'Several enemies are there; add "against" with one of: {", ".join(names)}.')
    if combat.against is not None and combat.against not in names:
        return Refusal("not_a_choice", f"An attack there is against one of: {', '.join(names)}.")
    against = there[0] if combat.against is None else state.players.index(combat.against)
    fight = Fight(combat.zone, against, against, state.seat)
    asked = len(defenders(state, fight)) > 1
    return Step(replace(state, phase="defend" if asked else "combat", fight=fight))


def defenders(state: State, fight: Fight) -> tuple[int, ...]:
    """The players of the attacked alliance who have a troop there."""
    side = head(state, fight.against)
    return tuple(seat for seat in enemies(state, state.seat, fight.zone) if head(state, seat) == side)


def defend(state: State, fight: Fight, by: str) -> Step[State] | Refusal:
    """The master chooses who fights."""
    names = [state.players[seat] for seat in defenders(state, fight)]
    if by not in names:
        return Refusal("not_a_choice", f"Choose one of the players who are there: {', '.join(names)}.")
    return Step(replace(state, phase="combat", fight=replace(fight, defender=state.players.index(by))))


def choose_first(state: State, fight: Fight, player: str) -> Step[State] | Refusal:
    """The attacker chooses who throws first."""
    options = first_choices(state, fight)
    if not options:
        return Refusal("not_awaited", "Who throws first is already decided; throw the darts.")
    if First(player) not in options:
        names = " or ".join(option.player for option in options)
        return Refusal("not_a_choice", f"Choose one of the two: {names}.")
    return Step(replace(state, fight=replace(fight, first=state.players.index(player), first_said=True)))


def first_choices(state: State, fight: Fight) -> tuple[First, ...]:
    """The choices of who throws first, which the attacker has once, before the first dart."""
    if fight.begun or fight.first_said:
        return ()
    return tuple(First(state.players[seat]) for seat in (state.seat, fight.defender))


def thrower(state: State, fight: Fight) -> int:
    """The seat that throws now."""
    return _in_order(state, fight)[len(fight.landings)]


def _in_order(state: State, fight: Fight) -> tuple[int, int]:
    other = fight.defender if fight.first == state.seat else state.seat
    return fight.first, other


def throw(state: State, fight: Fight, dart: Dart | None) -> Step[State] | Refusal:
    """A dart of a combat; None is a foul, a miss. The nearer dart wins; equals throw again, in the same order."""
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
    """The loser's troop becomes the winner's; it is removed in a homeland of either, or if the winner has no supply."""
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
    return end_if_fought(consequences(after, Event("combat", names)))


def end_if_fought(step: Step[State]) -> Step[State]:
    """Ends the turn if no attack is pending."""
    if step.state.phase == "over" or step.state.attacks:
        return step
    ended = end_turn(step.state)
    return Step(ended.state, (*step.events, *ended.events))
