"""Works out a player's hand and what follows from it: `python -m daemon.history.coach DATA NAME STATE NICE`.

The daemon starts it as a process of the lowest priority (`daemon/web/work_queue.py`): numpy takes memory, the work
takes seconds, and a thread would delay darts.
"""

import contextlib
import math
import os
import sys
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from daemon.history.hand_answer import VERSION, HandMonth, HandPage, HandRates
from daemon.history.player_matches import FEWEST_DARTS, MOST_DARTS, PlayedMatch, matches_of, state_of
from daemon.history.recorded_legs import chosen_legs
from daemon.people import hand_files
from daemon.record.reader import History
from twin.aims import thrown
from twin.fit import Fit, Thrown, fit
from twin.practice import practices
from twin.summary import summary
from twin.x01_policy import solve
from twin.x01_review import Review
from twin.x01_routes import DARTS, own_routes

MOST_MATCHES: Final = 2_000
MONTHS: Final = 12
MONTH_DARTS: Final = 2_000
FEWEST_OF_A_MONTH: Final = 60
ROUTES: Final = 12


def main(data: Path, name: str, state: str) -> None:
    """Returns when the file of the player is written; nothing is written about a player who was forgotten meanwhile."""
    history = History(data)
    matches, rows = _read(history, name)
    about = _page(matches, rows, name)
    # Matches that cannot be read count: otherwise the page would have them worked out again and again.
    if state_of(history, name):
        hand_files.write(data, name, {**about, "legs": _legs(matches, name), "version": VERSION, "of": state})


def page(history: History, name: str) -> HandPage:
    """A player's hand and what follows from it, from the matches that are over."""
    return _page(*_read(history, name), name)


def _page(matches: Sequence[PlayedMatch], rows: Sequence[Thrown], name: str) -> HandPage:
    darts = sum(row.count for row in rows)
    fitted = fit(rows) if darts >= FEWEST_DARTS else None
    if fitted is None:
        return {"state": "few", "darts": darts, "needed": FEWEST_DARTS}
    figures = summary(fitted)
    about: HandPage = {
        "state": "ready",
        "darts": darts,
        "needed": FEWEST_DARTS,
        "hand": _rates(fitted),
        "best": figures["best"],
        "at_t20": figures["at_t20"],
        "months": _months(matches, name),
    }
    _finishing(about, fitted, matches, name)
    if rated := practices(rows, fitted):
        first = rated[0]
        about["practice"] = {
            "kind": first.kind,
            "darts": first.darts,
            "hit": first.hit,
            "expected": round(first.expected, 1),
            "drill": first.drill,
        }
    return about


def _read(history: History, name: str) -> tuple[list[PlayedMatch], list[Thrown]]:
    """The newest matches that have enough darts together, and these darts."""
    matches: list[PlayedMatch] = []

    def each() -> Any:
        for found in matches_of(history, name, over=True):
            matches.append(found)
            yield found.match
            if len(matches) >= MOST_MATCHES:
                return

    rows = thrown(each(), name, MOST_DARTS)
    return matches, rows


def _finishing(about: HandPage, fitted: Fit, matches: Sequence[PlayedMatch], name: str) -> None:
    """What their hand says of X01: routes, the average, and the dart that cost the most."""
    policy = solve(fitted.hand, highest=501)
    about["routes"] = [
        {
            "left": route.left,
            "own": [bed.text for bed in route.own],
            "standard": [bed.text for bed in route.standard],
            "darts": round(route.darts, 2),
        }
        for route in own_routes(fitted.hand, policy)[:ROUTES]
    ]
    review, points, begun, worst = Review(fitted.hand, policy), 0, 0, 0.0
    for one in matches:
        for dart in review.darts(one.match, name):
            begun, points = begun + (dart.darts == DARTS), points + dart.scored
            if dart.cost > worst:
                worst = dart.cost
                about["costly"] = {
                    "match": one.row.id,
                    "left": dart.left,
                    "darts": dart.darts,
                    "bed": dart.bed.text,
                    "cost": round(dart.cost, 1),
                }
    about["average"] = {"expected": round(review.average, 1)}
    if begun:
        about["average"]["thrown"] = round(points / begun, 1)


def _by_month(matches: Sequence[PlayedMatch]) -> list[tuple[str, list[PlayedMatch]]]:
    """The matches of each of the last months, the newest first."""
    found: dict[str, list[PlayedMatch]] = {}
    for one in matches:
        found.setdefault(one.row.started[:7], []).append(one)
    return sorted(found.items(), reverse=True)[:MONTHS]


def _legs(matches: Sequence[PlayedMatch], name: str) -> dict[str, Any]:
    """The legs that a ghost can throw again, of all matches and of each of the last months."""
    of_all = {hand_files.ALL: chosen_legs((one.match for one in matches), name)}
    return of_all | {month: chosen_legs((one.match for one in some), name) for month, some in _by_month(matches)}


def _months(matches: Sequence[PlayedMatch], name: str) -> list[HandMonth]:
    """The spread of each of the last months that has enough darts, the oldest first."""
    found: deque[HandMonth] = deque()
    for month, played in _by_month(matches):
        rows = thrown((one.match for one in played), name, MONTH_DARTS)
        darts = sum(row.count for row in rows)
        fitted = fit(rows) if darts >= FEWEST_OF_A_MONTH else None
        if fitted is not None:
            rates = _rates(fitted)
            found.appendleft(
                {"month": month, "darts": darts, "skill_mm": rates["skill_mm"], "error": rates["error"]["skill_mm"]}
            )
    return list(found)


def _rates(fitted: Fit) -> HandRates:
    hand, error = fitted.hand, fitted.error
    # The axes' errors are nearly independent.
    skill = math.hypot(hand.x_mm * error.x_mm, hand.y_mm * error.y_mm) / (2 * hand.skill_mm)
    return {
        "x_mm": round(hand.x_mm, 2),
        "y_mm": round(hand.y_mm, 2),
        "tilt": round(hand.tilt, 2),
        "right_mm": round(hand.right_mm, 2),
        "up_mm": round(hand.up_mm, 2),
        "skill_mm": round(hand.skill_mm, 2),
        "error": {
            "x_mm": round(error.x_mm, 2),
            "y_mm": round(error.y_mm, 2),
            "tilt": round(error.tilt, 2),
            "right_mm": round(error.right_mm, 2),
            "up_mm": round(error.up_mm, 2),
            "skill_mm": round(skill, 2),
        },
    }


if __name__ == "__main__":
    with contextlib.suppress(OSError):  # A service may not be allowed to.
        os.nice(int(sys.argv[4]))
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
