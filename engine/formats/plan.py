"""The plan of a match in a format: its legs, how it is won, who starts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.faces import Face, Faces
from engine.formats.options import (
    CHOICE,
    FORMAT_OPTIONS,
    MEDLEY_OPTIONS,
    Best,
    BullOff,
    Start,
    best,
    bull_off,
)
from engine.game import Game, only_sides
from engine.games.teams import partners
from engine.options import Option, check_options, newest_rules
from engine.refusals import Refusal

MEDLEY: Final = "medley"


@dataclass(frozen=True, slots=True)
class Leg:
    """A game that legs are played in, with all its options."""

    game: Game[Any]
    options: Mapping[str, Any]
    face: Face | None


@dataclass(frozen=True, slots=True)
class Medley:
    """Legs of several games. `legs` are numbers of `Plan.legs`, None for one that is chosen among `offers`."""

    legs: tuple[int | None, ...]
    offers: tuple[int, ...]
    everything: bool
    """Whether all legs are played, also when nobody can be caught."""
    chooser: str
    no_repeat: bool
    points: tuple[int, int]
    """League points for a leg and for the match."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is fixed before the first dart. A side is a player or a team."""

    players: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...]
    legs: tuple[Leg, ...]
    best: Best
    bull: BullOff
    start: Start
    medley: Medley | None = None

    def in_order(self, first: int, order: tuple[int, ...]) -> tuple[str, ...]:
        """The players as a leg lists them that the side `first` starts."""
        at = order.index(first)
        turned = (*order[at:], *order[:at])
        most = max(map(len, self.sides))
        return tuple(self.sides[side][n] for n in range(most) for side in turned if n < len(self.sides[side]))


def own_options(game: Game[Any]) -> tuple[Option, ...]:
    """The options of formats that this game takes beside its own."""
    names = {option.name for option in game.options}
    return tuple(option for option in FORMAT_OPTIONS if option.name not in names)


def asks_for_format(game: Game[Any], given: Mapping[str, Any]) -> bool:
    """Whether the options of a match of this game ask for a format."""
    return any(option.name in given for option in own_options(game))


def of_game(
    game: Game[Any], players: tuple[str, ...], given: Mapping[str, Any], rules: int, faces: Faces
) -> Plan | Refusal:
    """The plan of a match of one game in several legs, or after a throw for the bull."""
    options = check_options((*game.options, *own_options(game)), given, players, rules)
    if isinstance(options, Refusal):
        return options
    if options.get("legs", 1) != 1 or options.get("sets", 1) != 1:
        return Refusal(
            "bad_option",
            "This game has legs and sets of its own; it takes either them, or best_of and the throw for the bull.",
        )
    leg = _leg(game, options, faces)
    if isinstance(leg, Refusal):
        return leg
    named = {option.name for option in own_options(game)}
    about = bull_off({name: value for name, value in options.items() if name in named})
    sides, won = _sides(leg, players), best(options["best_of"])
    return _playable(Plan(players, sides, (leg,), won, about, won.start))


def of_medley(
    players: tuple[str, ...], given: Mapping[str, Any], games: Mapping[str, Game[Any]], faces: Faces
) -> Plan | Refusal:
    """The plan of a medley."""
    options = check_options(MEDLEY_OPTIONS, given, players, 1)
    if isinstance(options, Refusal):
        return options
    if options["legs"] is None:
        return Refusal("bad_option", f"A medley needs legs; legs is {MEDLEY_OPTIONS[0].kind.describe()}.")
    listed, offers = options["legs"], options["games"]
    if "games" not in given and CHOICE not in listed:
        # One of the games played decides a draw.
        offers = list({leg["game"]: leg for leg in reversed(listed)}.values())
    if len({offer["game"] for offer in offers}) < len(offers):
        return Refusal("bad_option", "Two games on offer have the same name; leave one out.")
    legs: list[Leg] = []
    for entry in [one for one in listed if one != CHOICE] + offers:
        leg = _read(entry, players, games, faces)
        if isinstance(leg, Refusal):
            return leg
        if len(players) not in leg.game.seats:
            return Refusal("bad_players", f"{leg.game.title} cannot be played by {len(players)} players.")
        legs.append(leg)
    fixed = iter(range(len(legs)))
    numbers = tuple(None if one == CHOICE else next(fixed) for one in listed)
    points = options["points"]
    medley = Medley(
        numbers,
        tuple(range(len(legs) - len(offers), len(legs))),
        options["play"] == "all",
        options["chooser"],
        options["no_repeat"],
        (points.get("leg", 1), points.get("match", 0)),
    )
    sides = {_sides(leg, players) for leg in legs}
    if len(sides) > 1:
        return Refusal("bad_option", "All legs of a medley need the same teams.")
    plan = Plan(players, sides.pop(), tuple(legs), Best(), bull_off(options), options["start"], medley)
    return _playable(plan)


def pinned(options: Mapping[str, Any], games: Mapping[str, Game[Any]]) -> dict[str, Any]:
    """The options of a medley with the version of the rules of each game, so that it always replays as it was."""

    def with_rules(entry: Any) -> Any:
        game = games.get(str(entry.get("game"))) if isinstance(entry, dict) else None
        newest = 1 if game is None else newest_rules(game.options)
        return entry if newest == 1 else {"rules": newest, **entry}

    found = dict(options)
    legs = options.get("legs")
    if isinstance(legs, list) and CHOICE in legs:
        found.setdefault("games", MEDLEY_OPTIONS[1].default)
    for name in ("legs", "games"):
        if isinstance(found.get(name), list):
            found[name] = [with_rules(entry) for entry in found[name]]
    return found


def _read(
    entry: Mapping[str, Any], players: tuple[str, ...], games: Mapping[str, Game[Any]], faces: Faces
) -> Leg | Refusal:
    game = games.get(entry["game"])
    if game is None:
        return Refusal("unknown_game", f"There is no game {entry['game'][:30]!r} for a leg.")
    newest, rules = newest_rules(game.options), entry.get("rules", 1)
    if rules > newest:
        return Refusal("bad_value", f"The version {rules} of the rules of {game.title} is unknown; update oche.")
    options = check_options(game.options, entry.get("options", {}), players, rules)
    return options if isinstance(options, Refusal) else _leg(game, options, faces)


def _leg(game: Game[Any], options: Mapping[str, Any], faces: Faces) -> Leg | Refusal:
    own = {option.name: options[option.name] for option in game.options}
    face = game.face(own)
    if face is not None and face not in faces:
        return Refusal("no_face", f"{game.title} is played on the face {face}, which is not installed.")
    return Leg(game, own, None if face is None else faces[face])


def _sides(leg: Leg, players: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The players of each side: everyone alone, or the teams of the game."""
    most = only_sides(leg.game)
    teams = leg.options.get("teams") or (2 if leg.options.get("freeze") else 0) or (most if len(players) > most else 0)
    return tuple(partners(players, teams, side) for side in range(min(teams, len(players)) or len(players)))


def _playable(plan: Plan) -> Plan | Refusal:
    """The plan, unless a leg cannot be played whoever starts it."""
    if len(set(map(len, plan.sides))) > 1:
        return Refusal("bad_players", "Legs need teams of the same size, because each can start one.")
    order = tuple(range(len(plan.sides)))
    for leg in plan.legs:
        for first in order:
            state = leg.game.new(plan.in_order(first, order), leg.options, leg.face)
            if isinstance(state, Refusal):
                return state
    return plan
