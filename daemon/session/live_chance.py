"""The chance of each player to win the match on a board, published with its state as soon as it is worked out.

It is there if the hand of every player is known: a bot has one, a person's was worked out for their page. Matches of
the demo have none: they are nobody's.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final

from daemon.links.simulator import Simulator
from daemon.session.board_session import BoardSession
from daemon.session.chance_work import ChanceWork, Question, Wanted
from daemon.session.commands import Fair
from daemon.session.recorded_match import RecordedMatch
from engine import codec
from engine.match import Header, Match
from engine.matchfile import NEWEST

MOST_PLAYERS: Final = 16
"""Matches with more players have no chance: to play them out takes too long."""


class LiveChance:
    """Wants the chance for one board after every change of its match. `work` is shared by all boards.

    `spread_of` returns the spread of a person's darts in mm, None where it is not known. It may read a file.
    """

    def __init__(self, session: BoardSession, work: ChanceWork, spread_of: Callable[[str], float | None]) -> None:
        self._session, self._work, self._spread_of = session, work, spread_of
        session.on_change(self.plan)
        session.find_fair_by(self.find_fair)

    def plan(self) -> None:
        """Wants the chance for the match as it is now, and drops what was wanted before."""
        recorded = self._session.recorded
        if recorded is None or not recorded.kept or not self._session.is_first or not _has_a_chance(recorded):
            self._work.drop(self._session.name)
            return
        link = self._session.link
        others = link.skill if isinstance(link, Simulator) else None
        wanted = Wanted(
            partial(self._question, recorded.match, recorded.bots, others),
            partial(self._show, self._session.revision),
        )
        self._work.want(self._session.name, wanted)

    def stop(self) -> None:
        """Drops what was wanted, for good."""
        self._work.drop(self._session.name)
        self._work.drop(f"{self._session.name}/fair")

    def _show(self, revision: int, answer: Mapping[str, Any]) -> None:
        if answer.get("chance"):
            self._session.show_chance(revision, answer["chance"])

    def _question(self, match: Match, bots: Mapping[str, float], others: float | None) -> Question | None:
        hands = self._hands(match.header, bots, others)
        if len(hands) < len(match.header.players):
            return None
        return question(match.header.to_json(), match.state, hands, bots)

    def _hands(self, header: Header, bots: Mapping[str, float], others: float | None) -> dict[str, float]:
        """The spread of each player whose hand is known; `others` is that of people whose darts are not their own."""
        spreads = {name: bots.get(name) or others or self._spread_of(name) for name in header.players}
        return {name: spread for name, spread in spreads.items() if spread is not None}

    def find_fair(self, ask: Fair, answer: Callable[[Mapping[str, Any]], None]) -> None:
        """Has the handicap worked out that makes a match fair. `answer` gets what the process answers.

        Of two who ask at one board the last one has an answer.
        """
        link = self._session.link
        others = link.skill if isinstance(link, Simulator) else None

        def made() -> Question:
            hands = self._hands(ask.header, ask.bots, others)
            header = ask.header.to_json()
            if ask.header.rules == NEWEST:
                # It stands for the newest version, which a match that begins has in its place.
                del header["rules"]
            return {"fair": True, "header": header, "hands": hands, "bots": [*ask.bots]}

        self._work.want(f"{self._session.name}/fair", Wanted(made, answer, soon=True))


def question(
    header: Mapping[str, object], state: object, hands: Mapping[str, float], bots: Iterable[str] = ()
) -> Question:
    """What the process is asked: a match with the spread of each player in mm, and which of them are bots."""
    return {"header": header, "state": codec.to_json(state), "hands": hands, "bots": [*bots]}


def _has_a_chance(recorded: RecordedMatch) -> bool:
    match = recorded.match
    return 1 < len(match.header.players) <= MOST_PLAYERS and not match.finished and match.unsure is None
