"""Plays every game with bots and writes how long it takes, whom it favours, and how good its advice is.

`scripts/simulations` writes `daemon/web/lengths.json`, from which the pages tell how long a game takes, and the tables
of `docs/bots.md`. With names of games it measures these again and keeps the others. One process, at a low priority.
"""

import argparse
import json
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, median_low, stdev
from typing import Any, Final

from daemon.cli.simulation import Plan, opened, play, play_all, play_out, rival_seats
from daemon.session.rollouts import Stuck
from engine.games import FAMILIES, GAMES, families
from engine.match import Match

ROOT: Final = Path(__file__).parents[2]
DATA: Final = ROOT / "daemon" / "web" / "lengths.json"
GUIDE: Final = ROOT / "docs" / "bots.md"
BEGIN: Final = "<!-- tables of scripts/simulations: begin -->"
END: Final = "<!-- tables of scripts/simulations: end -->"

SKILL_MM: Final = 25.0
SEED: Final = 1
SECONDS_A_DART: Final = 3
AGAINST_RANDOM: Final = 1000
"""Matches of two in which the advice plays against random, with seats changed from match to match."""
MATCHES: Final = {1: 20, 2: 100, 4: 25}
"""Matches of bots alone, by the number of players; a game of more players is played `MOST` times with all of them."""
MOST: Final = 2
NICE: Final = 10


@dataclass(frozen=True, slots=True)
class Length:
    """Matches of bots alone. `darts` is the median of a match, `won` the part of the wins of each seat."""

    players: int
    matches: int
    darts: int
    longest: int
    won: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """Matches of two against random, or of three where two are too few: the mean part of the wins, and its error."""

    matches: int
    won: float
    error: float


@dataclass(frozen=True, slots=True)
class Measured:
    """A game.

    `alone` is what a player reaches alone, with the advice and at random: the part of the matches won against the
    house, or the mean score of a drill. Other games have none, and no `advice` where all win or lose together.
    """

    lengths: tuple[Length, ...]
    advice: Advice | None
    alone: tuple[float, ...]


def counts(name: str) -> dict[int, int]:
    """How many matches of bots alone are played, by the number of players."""
    seats = GAMES[name].seats
    wanted = {players: matches for players, matches in MATCHES.items() if players in seats} | {seats[-1]: MOST}
    return {players: MATCHES.get(players, matches) for players, matches in wanted.items()}


def length(name: str, players: int, matches: int) -> Length:
    """Plays the matches of bots alone. Stuck if one does not end."""
    played = play_all(Plan(name, players, {}, SKILL_MM, SEED), matches, 1)
    if any(one.winners is None for one in played):
        raise Stuck(f"{name}: a match of {players} does not end.")
    won = [0.0] * (players + 1)  # The house has the seat after theirs.
    for one in played:
        for seat in one.winners or ():
            won[seat] += 1 / len(one.winners or ()) / matches
    darts = [one.darts for one in played]
    return Length(players, matches, median_low(darts), max(darts), tuple(round(part, 3) for part in won[:players]))


def against_random(name: str, matches: int) -> Advice | None:
    """How good the advice is; None where all win or lose together."""
    if is_against_the_house(name):
        return None
    # With three players either kind has two of the seats in turn.
    plan = Plan(name, max(2, GAMES[name].seats.start), {}, SKILL_MM, SEED, rivals=True)
    match = opened(plan)
    assert isinstance(match, Match)
    parts: list[float] = []
    for number in range(matches):
        winners, rivals = play(plan, match, number).winners or (), rival_seats(plan, number)
        parts.append(sum(1 / len(winners) for seat in winners if seat < plan.players and seat not in rivals))
    return Advice(len(parts), round(fmean(parts), 4), round(error_of(parts), 4))


def error_of(parts: Sequence[float]) -> float:
    """The standard error of their mean."""
    return stdev(parts) / math.sqrt(len(parts))


def is_against_the_house(name: str) -> bool:
    """Whether the players of a game win or lose together."""
    return name == "boss_fight"


def alone(name: str) -> tuple[float, ...]:
    """What a bot and what random reaches alone: the part of the matches won, or the mean score of a drill."""
    house = is_against_the_house(name)
    if families()[name] != "practice" and not house:
        return ()
    plan = Plan(name, 1, {}, SKILL_MM, SEED, rivals=True)
    match = opened(plan)
    assert isinstance(match, Match)
    reached: tuple[list[float], list[float]] = ([], [])
    for number in range(2 * MATCHES[2]):
        if house:
            result = float(bool(play(plan, match, number).winners))
        else:
            result = play_out(plan, match, number)[0].view()["players"][0]["score"]
        reached[len(rival_seats(plan, number))].append(result)
    return tuple(round(fmean(results), 2) for results in reached)


def measure(name: str) -> Measured:
    """Plays all matches of a game."""
    lengths = tuple(length(name, players, number) for players, number in sorted(counts(name).items()))
    return Measured(lengths, against_random(name, AGAINST_RANDOM), alone(name))


def read() -> dict[str, Any]:
    """What was measured, by the name of the game."""
    measured: dict[str, Any] = json.loads(DATA.read_text("utf-8")) if DATA.exists() else {}
    return measured


def write(measured: dict[str, Any]) -> None:
    """Writes the data, a game a line, and the tables of the guide."""
    games = [f"{json.dumps(name)}: {json.dumps(measured[name])}" for name in GAMES if name in measured]
    DATA.write_text("{\n" + ",\n".join(games) + "\n}\n", "utf-8")
    before, rest = GUIDE.read_text("utf-8").split(BEGIN)
    GUIDE.write_text(f"{before}{BEGIN}\n\n{tables(measured)}\n{END}{rest.split(END)[1]}", "utf-8")


def tables(measured: dict[str, Any]) -> str:
    """The tables of the guide: a row for each game, in families."""
    lines = []
    for family, title in FAMILIES.items():
        names = [name for name, room in families().items() if room == family and name in measured]
        lines += [f"### {title.en}", "", *_table(names, measured), ""]
    return "\n".join(lines)


def _table(names: Sequence[str], measured: dict[str, Any]) -> Iterator[str]:
    yield "| game | players | matches | median darts | minutes | won, seat by seat | advice against random |"
    yield "|---|---|---|---|---|---|---|"
    for name in names:
        game = measured[name]
        for at, row in enumerate(game["lengths"]):
            first = (f"`{name}`", _advice(game)) if at == 0 else ("", "")
            minutes = round(row["darts"] * SECONDS_A_DART / 60) or "< 1"
            cells = (first[0], row["players"], row["matches"], f"{row['darts']:,}", minutes, _seats(row), first[1])
            yield f"| {' | '.join(map(str, cells))} |"


def _seats(row: dict[str, Any]) -> str:
    """The wins of each seat; of a few matches, or of one player, they say nothing."""
    if row["players"] == 1 or row["matches"] < min(MATCHES[2], MATCHES[4]):
        return "–"
    return ", ".join(f"{part:.0%}" for part in row["won"])


def _advice(game: dict[str, Any]) -> str:
    advice, alone = game["advice"], game["alone"]
    if advice is None:
        return f"the house is beaten by {alone[0]:.0%}, at random by {alone[1]:.0%}" if alone else "–"
    words = f"{advice['won']:.1%} ± {advice['error']:.1%} of {advice['matches']:,}"
    return f"{words}; alone {alone[0]:g}, at random {alone[1]:g}" if alone else words


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/simulations", description=__doc__)
    parser.add_argument("games", nargs="*", help="the games to measure again; by default all")
    parser.add_argument("--tables", action="store_true", help="write the tables from what was measured before")
    arguments = parser.parse_args()
    os.nice(max(0, NICE - os.nice(0)))
    measured = read()
    for name in [] if arguments.tables else arguments.games or GAMES:
        measured[name] = asdict(measure(name))
        print(f"{name}: {_advice(measured[name])}", flush=True)
        write(measured)
    write(measured)


if __name__ == "__main__":
    main()
