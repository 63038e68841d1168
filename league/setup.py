"""What a tournament is: its format, its matches, its rules. Reads and checks the first line of its file."""

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from engine.refusals import Refusal
from league.fixtures import Play
from league.swiss import MOST_ROUNDS
from league.tables import STANDARD, SWISS, TableRules, rules_from_json

Format = Literal["knockout", "double", "round_robin", "groups", "swiss"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)
MOST_ENTRANTS: Final = 128
MOST_FIXTURES: Final = 512
"""More are refused: the whole state is one message on the bus."""
MOST_LEGS: Final = 99
MOST_GROUPS: Final = 16
LONGEST_NAME: Final = 64
MOST_PLAYERS: Final = 8
MOST_NODES: Final = 32
"""Other nodes that take part; more are refused."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A tournament before anybody has entered.

    `late` are the matches of the last rounds of a knock-out, the final last. `groups` and `advance`: how many groups,
    and how many of each go on. `times`: how often a pair meets in a group. `rounds`: of a Swiss tournament. `boards`:
    the boards on which it is played; empty for all of the node. `pause` are the seconds between two matches on a board.
    """

    name: str
    format: Format
    play: Play = dataclasses.field(default_factory=Play)
    late: tuple[Play, ...] = ()
    third_place: bool = False
    times: int = 1
    groups: int = 2
    advance: int = 2
    rounds: int = 5
    table: TableRules = STANDARD
    boards: tuple[str, ...] = ()
    pause: int = 15
    nodes: tuple[str, ...] = ()

    def play_of(self, from_end: int) -> Play:
        """What is played in a round; `from_end` is 1 for the final, 0 for a round that is not of a knock-out."""
        return self.late[-from_end] if 0 < from_end <= len(self.late) else self.play


_KEYS: Final = frozenset(
    {"tournament", "name", "format", "game", "options", "best_of", "late", "third_place", "times", "groups", "advance"}
    | {"rounds", "table", "boards", "pause", "nodes"}
)


def setup_from_json(value: Mapping[str, Any]) -> Setup | Refusal:
    """The setup in a parsed JSON object. Refusal `bad_value` names the first key that is wrong."""
    if unknown := sorted(value.keys() - _KEYS):
        return _bad(f"{unknown[0][:30]!r} is not a key of a tournament; there are: {', '.join(sorted(_KEYS))}.")
    if type(value.get("tournament")) is not int or value["tournament"] != 1:
        return _bad('A tournament begins with {"tournament": 1, "name": …, "format": …}.')
    name, kind = value.get("name"), value.get("format")
    if not is_name(name):
        return _bad(f"The name of a tournament has 1 to {LONGEST_NAME} printable characters, no outer spaces.")
    if kind not in FORMATS:
        return _bad(f"The format is one of {', '.join(FORMATS)}.")
    play = _play(value, Play())
    if isinstance(play, Refusal):
        return play
    late: list[Play] = []
    rounds = value.get("late", [])
    if not isinstance(rounds, list) or len(rounds) > 7:
        return _bad('`late` is a list of the last rounds, like [{"best_of": 5}, {"best_of": 7}].')
    for one in rounds:
        found = _play(one, play) if isinstance(one, dict) and one.keys() <= {"game", "options", "best_of"} else None
        if not isinstance(found, Play):
            return found or _bad("A round of `late` has the keys game, options and best_of.")
        late.append(found)
    if kind in ("knockout", "double") and play.best_of % 2 == 0:
        return _bad("`best_of` is odd in a knock-out: an even number of legs may be drawn.")
    if any(one.best_of % 2 == 0 for one in late):
        return _bad("`best_of` of a round of `late` is odd: an even number of legs may be drawn.")
    numbers = _numbers(value)
    if isinstance(numbers, Refusal):
        return numbers
    third = value.get("third_place", False)
    if type(third) is not bool:
        return _bad("`third_place` is true or false.")
    table = rules_from_json(value.get("table", SWISS.name if kind == "swiss" else STANDARD.name))
    if isinstance(table, Refusal):
        return table
    boards = value.get("boards", [])
    if not isinstance(boards, list) or len(boards) > 64 or not all(is_name(board) for board in boards):
        return _bad("`boards` is a list of names of boards.")
    nodes = value.get("nodes", [])
    if not isinstance(nodes, list) or len(nodes) > MOST_NODES or not all(map(_is_node, nodes)):
        return _bad("`nodes` is a list of names of nodes, 32 at most, of the letters a to z, digits and the dash.")
    setup = Setup(
        *(str(name), kind, play, tuple(late), third),
        **numbers,
        table=table,
        boards=tuple(dict.fromkeys(boards)),
        nodes=tuple(dict.fromkeys(nodes)),
    )
    later = (setup.groups * setup.advance - 1).bit_length()
    if kind == "groups" and play.best_of % 2 == 0 and len(late) < later:
        return _bad(f"An even `best_of` is for groups alone: name all {later} rounds of their knock-out in `late`.")
    return setup


def is_name(value: object) -> bool:
    """Whether this can be the name of a tournament, an entrant or a player."""
    return isinstance(value, str) and 0 < len(value) <= LONGEST_NAME and value.strip() == value and value.isprintable()


def _is_node(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[a-z0-9-]{1,32}", value) is not None


def _play(value: Mapping[str, Any], usual: Play) -> Play | Refusal:
    game, best_of, options = (
        value.get("game", usual.game),
        value.get("best_of", usual.best_of),
        value.get("options", usual.options),
    )
    if not is_name(game):
        return _bad("`game` is the key of a game, like x01.")
    if type(best_of) is not int or not 1 <= best_of <= MOST_LEGS:
        return _bad(f"`best_of` is a number of legs from 1 to {MOST_LEGS}.")
    if not isinstance(options, dict) or "best_of" in options:
        return _bad("The options are those of the game; best_of is a key next to them.")
    return Play(game, best_of, options)


def _numbers(value: Mapping[str, Any]) -> dict[str, Any] | Refusal:
    most_of = {"times": 4, "groups": MOST_GROUPS, "advance": MOST_GROUPS, "rounds": MOST_ROUNDS, "pause": 600}
    found = {}
    for key, most in most_of.items():
        if key in value:
            least = 0 if key == "pause" else 1
            if type(value[key]) is not int or not least <= value[key] <= most:
                return _bad(f"`{key}` is a number from {least} to {most}.")
            found[key] = value[key]
    return found


def _bad(message: str) -> Refusal:
    return Refusal("bad_value", message)
