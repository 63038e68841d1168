"""Between a fixture and the match on a board: what is started, and how the fixture ended."""

from collections.abc import Container, Iterable
from typing import Any, Final, get_args

from daemon.session.commands import Start
from daemon.tournament.boards import SeenMatch
from engine.about import Ability, unplayable
from engine.faces import Faces
from engine.match import Header
from engine.matchfile import NEWEST, Games, open_match
from engine.options import Option
from engine.refusals import Refusal
from league.fixtures import Entrant, Play, check_score
from league.pairings import Pairing
from league.setup import MOST_LEGS, Setup
from league.state import Tournament

TEAMS: Final = "teams"
ABILITIES: Final[tuple[str, ...]] = get_args(Ability)


def start_of(tournament: Tournament, pairing: Pairing, games: Games) -> Start:
    """The match of a pairing whose two sides are known; the home side throws first."""
    home, away = (tournament.by_number(side or 0) for side in (pairing.home, pairing.away))
    return _start(tournament.play_of(pairing.fixture), home, away, games)


def _start(play: Play, home: Entrant, away: Entrant, games: Games) -> Start:
    options: dict[str, Any] = dict(play.options)
    if play.best_of > 1:
        options["best_of"] = play.best_of
    game = games.get(play.game)
    together = len(home.players) == len(away.players) > 1 and game is not None and _has_teams(game.options)
    players: tuple[str, ...] = (home.name, away.name)
    if together:
        # Partners throw in turn; in a game without teams a side takes the turns of one player.
        players = tuple(player for pair in zip(home.players, away.players, strict=True) for player in pair)
        options[TEAMS] = 2
    bots: dict[str, float] = {}
    for side, first in ((home, 0), (away, 1)):
        if side.bot is not None:
            bots |= dict.fromkeys(players[first::2], side.bot)
    return Start(Header(play.game, players, options, NEWEST), bots)


def _has_teams(options: Iterable[Option]) -> bool:
    return any(option.name == TEAMS for option in options)


def check_setup(setup: Setup, games: Games, faces: Faces, can: Container[str] = ABILITIES) -> Refusal | None:
    """Returns why a match of this tournament cannot be played, whichever its players are, on a board that reports
    only what `can` has."""
    home, away = Entrant(1, "1", ("1",)), Entrant(2, "2", ("2",))
    for play in (setup.play, *setup.late):
        opened = open_match(_start(play, home, away, games).header, games, faces)
        refusal = opened if isinstance(opened, Refusal) else unplayable(opened.game, can)
        if refusal is not None:
            return refusal
    return None


def is_match_of(match: SeenMatch, start: Start) -> bool:
    """Whether a match on a board is the one that was started, or one that its players started by themselves."""
    return match.game == start.header.game and set(match.players) == set(start.header.players)


def call_id(tournament: Tournament, fixture: str, began: float) -> str:
    """The id of the command that starts the match of a call: the same after a restart, another for another call."""
    return f"{tournament.seed[:64]} {fixture} {began:.3f}"


def maximums_of_sides(match: SeenMatch, start: Start) -> tuple[int, int]:
    """The 180s of the home and the away side, as far as a command takes them."""
    home, away = (sum(match.maximums.get(name, 0) for name in start.header.players[first::2]) for first in (0, 1))
    return min(home, MOST_LEGS), min(away, MOST_LEGS)


def score_of(match: SeenMatch, start: Start, best_of: int, *, in_group: bool) -> tuple[int, int] | None:
    """The legs of the home and the away side in a match that is over; `None` if a referee must say who won."""
    home, away = start.header.players[:2]
    if best_of == 1:
        score = (int(home in match.winners), int(away in match.winners))
        # Nobody, or both.
        return score if sum(score) == 1 else None
    found = (match.legs.get(home, 0), match.legs.get(away, 0))
    return found if check_score(found, best_of, in_group=in_group) is None else None
