"""An evening in a league: nodes with running and finished matches, written into the index of a test."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from hall.figures import FIGURES_VERSION, Checked, check_file
from hall.installed import faces, games

PUBS: Final = (
    "crown",
    "anchor",
    "red-lion",
    "kings-arms",
    "the-swan-at-the-mill",
    "zum-goldenen-hirsch",
    "plough",
    "bell",
)
PEOPLE: Final = (
    "Ann",
    "Bob",
    "Chloé Dubois",
    "Maximilian Oberhuber",
    "Eve",
    "Fred",
    "Grace",
    "Heidi von der Lippe",
    "Ivan",
    "Jo",
)
GAMES: Final[tuple[tuple[str, dict[str, Any], int], ...]] = (
    ("x01", {}, 2),
    ("cricket", {}, 2),
    ("x01", {"start": 701}, 4),
    ("killer", {}, 5),
)


def player_id(name: str) -> str:
    """The id of a player by name."""
    return name.encode().hex().ljust(32, "0")[:32]


def header(game: str, players: int, options: dict[str, Any]) -> str:
    """The first line of a nameless match."""
    names = [f"Player {seat}" for seat in range(1, players + 1)]
    return json.dumps({"match": 1, "rules": 1, "game": game, "players": names, "options": options})


def visit(n: int) -> list[str]:
    """The lines of one visit of a legal match."""
    beds = (("T20", "S20", "S5"), ("S19", "T7", "S1"), ("S3", "T18", "S20"))[n % 3]
    return [*(json.dumps({"throw": bed}) for bed in beds), '{"next":true}']


async def node(db: Any, name: str) -> None:
    """A node that has joined and was just heard."""
    await db.execute(
        "INSERT INTO node (name, public_key, token_hash, seen) VALUES ($1, '', $2, now())", name, name.encode()
    )


async def running(db: Any, at: str, board: str, match: str, lines: list[str], names: list[str], first: str) -> int:
    """A running match with its lines and seats. Returns its number."""
    number: int = await db.fetchval(
        "INSERT INTO match (node, id, board, header, started, have) VALUES ($1, $2, $3, $4, $5, $6) RETURNING number",
        *(at, match, board, first, datetime.now(UTC).isoformat(), len(lines)),
    )
    await db.executemany("INSERT INTO line VALUES ($1, $2, $3)", [(number, n, line) for n, line in enumerate(lines, 1)])
    await seats(db, number, names)
    return number


async def seats(db: Any, number: int, names: list[str]) -> None:
    """Who sits in a match. Player ids follow from the names."""
    rows = [(number, seat, player_id(name), name, None, "") for seat, name in enumerate(names, 1)]
    await db.executemany("INSERT INTO seat VALUES ($1, $2, $3, $4, $5, $6)", rows)


async def finished(db: Any, at: str, match: str, text: str, names: list[str], started: datetime | None = None) -> int:
    """A finished match. Returns its number."""
    checked = check_file(text, games(), faces())
    assert isinstance(checked, Checked), checked
    first, began = text.split("\n", 1)[0], (started or datetime.now(UTC)).isoformat()
    number: int = await db.fetchval(
        "INSERT INTO match (node, id, board, header, started, have, is_over) "
        "VALUES ($1, $2, 'lounge', $3, $4, $5, TRUE) RETURNING number",
        *(at, match, first, began, checked.lines),
    )
    await db.execute(
        "INSERT INTO file VALUES ($1, 1, '', '', $2, $2, $3, $4, $5)",
        *(number, began, text, json.dumps(checked.figures), FIGURES_VERSION),
    )
    await seats(db, number, names)
    return number


def won_by_first() -> str:
    """The file of a match of 101 that the first player wins with three darts."""
    lines = (header("x01", 2, {"start": 101}), '{"throw":"T17"}', '{"throw":"DB"}', '{"next":true}', "")
    return "\n".join(lines)


async def full_hall(db: Any, boards: int) -> None:
    """This many boards in play on eight nodes, with two to five players each, and thirty matches that are over."""
    for name in PUBS:
        await node(db, name)
    for n in range(boards):
        game, options, players = GAMES[n % len(GAMES)]
        names = [PEOPLE[(n + 3 * seat) % len(PEOPLE)] for seat in range(players)]
        lines = [line for turn in range(n % 7) for line in visit(turn)] if game != "killer" else []
        lines += visit(n)[: n % 3] if game != "killer" else []
        board = f"board-{n // len(PUBS) + 1}"
        await running(db, PUBS[n % len(PUBS)], board, f"m{n}", lines, names, header(game, players, options))
    for n in range(30):
        names = [PEOPLE[n % len(PEOPLE)], PEOPLE[(n + 1 + n // 10) % len(PEOPLE)]]
        await finished(
            db, PUBS[n % len(PUBS)], f"over-{n}", won_by_first(), names, datetime.now(UTC) - timedelta(hours=n)
        )
