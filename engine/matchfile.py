"""Match files: a header line, then one action per line.

The header names the version of the game's rules. Every older version is still
played; an unknown one is refused.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine import jsontext
from engine.actions import Action, action_from_json
from engine.faces import Faces
from engine.formats.flow import first_state
from engine.formats.options import BEST_OF, MEDLEY_OPTIONS
from engine.formats.plan import MEDLEY, asks_for_format, of_game, of_medley, own_options, pinned
from engine.formats.series import Series
from engine.game import Game
from engine.match import Header, Match, begin
from engine.options import check_options, newest_rules
from engine.refusals import Reason, Refusal

CANNOT_BE_ONE: Final[frozenset[Reason]] = frozenset(
    {"not_json", "too_large", "bad_value", "unknown_game", "bad_players"}
)
"""Reasons for which a first line is not a header, whatever its options are."""

MAX_NAME: Final = 64
NEWEST: Final = 0
"""In a header: the newest version of the game's rules. `open_match` replaces it by the number."""

Games = Mapping[str, Game[Any]]


def read_header(line: bytes) -> Header | Refusal:
    """The header in the first line of a file. `open_match` checks its game, players and options."""
    value = jsontext.parse(line)
    return value if isinstance(value, Refusal) else header_from_json(value)


def header_from_json(value: Any) -> Header | Refusal:
    """The header in a parsed JSON value. Refusal `bad_value` or `bad_players`.

    `best_of` may be a key of its own, next to the game: it is the option of that name, and written as one.
    """
    match value:
        case {"match": 1, "game": str() as game, "players": list() as players}:
            rules, options = value.get("rules", 1), value.get("options", {})
        case _:
            return Refusal("bad_value", 'The first line of a match file is {"match": 1, "game": …, "players": […]}.')
    if type(rules) is not int or rules < 1:
        return _unknown_rules(rules)
    if not isinstance(options, dict):
        return Refusal("bad_value", "The options of a match are a JSON object.")
    if BEST_OF in value:
        if BEST_OF in options:
            return Refusal("bad_value", "best_of is next to the game and among the options; leave one out.")
        options = {**options, BEST_OF: value[BEST_OF]}
    if not all(_is_name(name) for name in players):
        return Refusal("bad_players", f"A player's name has 1 to {MAX_NAME} printable characters, no outer spaces.")
    if len(set(players)) != len(players):
        return Refusal("bad_players", "Two players have the same name; give each another one.")
    boards = value.get("boards", [])
    if not isinstance(boards, list) or not all(_is_name(name) for name in boards):
        return Refusal("bad_value", 'The boards of a match are a list of names, like ["lounge", "kitchen"].')
    if boards and len(boards) != len(players):
        return Refusal(
            "bad_value", f"The boards are {len(boards)}, and the players {len(players)}: one board for each."
        )
    return Header(game, tuple(players), options, rules, tuple(boards))


def open_match(header: Header, games: Games, faces: Faces) -> Match | Refusal:
    """The match of a header before its first action, or why it cannot be played."""
    if header.game == MEDLEY:
        return _open_medley(header, games, faces)
    game = games.get(header.game)
    if game is None:
        return Refusal("unknown_game", f"There is no game {header.game[:30]!r}; there are: {', '.join(games)}.")
    if len(header.players) not in game.seats:
        seats = f"{game.seats.start} to {game.seats.stop - 1}" if len(game.seats) > 1 else f"{game.seats.start}"
        return Refusal("bad_players", f"{game.title} is for {seats} players; these are {len(header.players)}.")
    newest = newest_rules(game.options)
    if header.rules > newest:
        return _unknown_rules(header.rules)
    header = replace(header, rules=header.rules or newest)
    if asks_for_format(game, header.options):
        known = (*game.options, *own_options(game))
        plan = of_game(game, header.players, header.options, header.rules, faces)
        return plan if isinstance(plan, Refusal) else _begin(header, Series(game.name, game.title, plan, known))
    options = check_options(game.options, header.options, header.players, header.rules)
    if isinstance(options, Refusal):
        return options
    face = game.face(options)
    if face is not None and face not in faces:
        return Refusal("no_face", f"{game.title} is played on the face {face}, which is not installed.")
    state = game.new(header.players, options, None if face is None else faces[face])
    return state if isinstance(state, Refusal) else begin(header, game, state)


def _open_medley(header: Header, games: Games, faces: Faces) -> Match | Refusal:
    if header.rules == NEWEST:
        header = replace(header, rules=1, options=pinned(header.options, games))
    if header.rules > 1:
        return _unknown_rules(header.rules)
    plan = of_medley(header.players, header.options, games, faces)
    return plan if isinstance(plan, Refusal) else _begin(header, Series(MEDLEY, "Medley", plan, MEDLEY_OPTIONS))


def _begin(header: Header, series: Series) -> Match | Refusal:
    state = first_state(series.plan)
    return state if isinstance(state, Refusal) else begin(header, series, state)


def _unknown_rules(rules: object) -> Refusal:
    return Refusal("bad_value", f"The version of the rules, {str(rules)[:20]}, is unknown; update oche.")


def read_action(line: bytes) -> Action | Refusal:
    """The action in one line of a match file."""
    value = jsontext.parse(line)
    return value if isinstance(value, Refusal) else action_from_json(value)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MAX_NAME and value.strip() == value and value.isprintable()
