"""A game may say that every viewer sees the same; the conformance suite refuses it to a game that hides something."""

from dataclasses import dataclass
from random import Random

from engine.conformance import random_match
from engine.conformance_secrets import check_secrets
from engine.games.dards import Dards
from engine.matchfile import open_match
from engine.refusals import Refusal


@dataclass(frozen=True, slots=True)
class OpenHands(Dards):
    """Dards, in which players hold cards, as a game without secrets."""

    all_public: bool = True


def test_a_game_with_secrets_is_not_all_public() -> None:
    game = OpenHands()
    found = []
    for seed in range(5):
        record = random_match(game, ("Ann", "Bob", "Cid"), {}, None, Random(seed))
        match = open_match(record.header, {"dards": game}, {})
        assert not isinstance(match, Refusal)
        found += list(check_secrets(record, match, Random(seed)))
    assert any("all_public" in fault for fault in found)
