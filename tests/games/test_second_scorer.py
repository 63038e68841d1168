"""The engine against second scorers: after each action the same answers and the same scores."""

from collections.abc import Sequence
from typing import Any, Final, Protocol

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Bounce, Choose, Foul, GameAction, Next, Roll, Throw
from engine.conformance import start
from engine.game import Game
from engine.games.cerberus import GAME as CERBERUS
from engine.games.cricket import GAME as CRICKET
from engine.games.x01 import GAME as X01
from engine.match import Match
from engine.play import apply
from engine.refusals import Refusal
from engine.segments import SEGMENTS
from tests.games.plain import PlainCerberus, PlainCricket, PlainX01

NAMES: Final = ("Ann", "Bob", "Cid", "Dee")
MANY: Final = settings(max_examples=150, deadline=None, derandomize=True)


class Scorer(Protocol):
    over: bool

    def say(self, word: str) -> bool: ...
    def table(self) -> list[tuple[object, ...]]: ...


def action_of(word: str) -> GameAction:
    verb, *rest = word.split()
    match verb:
        case "foul":
            return Foul()
        case "bounce":
            return Bounce()
        case "next":
            return Next()
        case "roll":
            return Roll(tuple(map(int, rest)))
        case "wild":
            return Choose("wild", int(rest[0]))
        case _:
            return Throw(SEGMENTS[verb])


def begin(game: Game[Any], players: int, options: dict[str, Any]) -> Match:
    match = start(game, NAMES[:players], options)
    assert not isinstance(match, Refusal)
    return match


def say(match: Match, scorer: Scorer, word: str) -> Match:
    outcome = apply(match, action_of(word))
    assert scorer.say(word) != isinstance(outcome, Refusal), f"{word}: {outcome}"
    after = match if isinstance(outcome, Refusal) else outcome
    assert after.finished == scorer.over
    return after


SINGLES: Final = st.sampled_from(sorted(SEGMENTS))
OTHERS: Final = st.sampled_from(("foul", "bounce", "next", "next", "next"))


@st.composite
def x01_options(draw: st.DrawFn) -> dict[str, Any]:
    rule = st.sampled_from(("open", "double", "master"))
    return {
        "start": draw(st.integers(101, 170)),
        "in": draw(rule),
        "out": draw(rule),
        "bull": draw(st.sampled_from(("split", "full"))),
        "legs": draw(st.integers(1, 2)),
        "sets": draw(st.integers(1, 2)),
        "handicap": draw(st.dictionaries(st.just("Ann"), st.integers(101, 120))),
    }


@MANY
@given(
    players=st.integers(1, 3),
    options=x01_options(),
    words=st.lists(
        st.one_of(SINGLES, SINGLES, OTHERS, st.sampled_from(("finish", "finish", "T20"))), min_size=20, max_size=100
    ),
)
def test_x01(players: int, options: dict[str, Any], words: Sequence[str]) -> None:
    match, scorer = begin(X01, players, options), PlainX01(NAMES[:players], options)
    for word in words:
        if word == "finish":  # random darts hardly ever end a leg
            left = scorer.left[scorer.name]
            word = f"D{left // 2}" if left % 2 == 0 and 0 < left <= 40 else "T20" if left > 100 else "S1"
        match = say(match, scorer, word)
        view = match.view()
        for player, row in zip(view["players"], scorer.table(), strict=True):
            name, left, legs, sets, darts, kept = row
            assert (player["name"], player["score"], player["legs"]) == (name, left, legs)
            assert (player["sets"], player["darts"]) == (sets, darts)
            assert isinstance(kept, int)
            assert isinstance(darts, int)
            assert abs(player["average"] - (kept / darts * 3 if darts else 0)) <= 0.005 + 1e-9
        assert view["turn"]["player"] == scorer.name
        assert view["turn"]["darts"] == ["FOUL" if w == "foul" else w for w in scorer.visit]


@st.composite
def cerberus_options(draw: st.DrawFn) -> dict[str, Any]:
    options: dict[str, Any] = {"margin": draw(st.sampled_from((1, 5, 10, 25)))}
    if draw(st.booleans()):
        options["cerberus_points"] = draw(st.sampled_from((0, 1, 4, 9, 30)))
    return options


@st.composite
def cerberus_words(draw: st.DrawFn) -> list[str]:
    """Whole turns, with darts mostly near the targets, and sometimes an illegal action."""
    words: list[str] = []
    for _ in range(draw(st.integers(3, 14))):
        dice = draw(st.lists(st.integers(1, 20), min_size=3, max_size=3))
        dice = draw(st.sampled_from((dice, dice, [dice[0], dice[0], dice[1]], [dice[0]] * 3)))
        near = [f"{ring}{n}" for n in dice for ring in ("S", "D", "T")] + ["SB", "DB", "MISS", "foul", "bounce"]
        darts = draw(st.lists(st.one_of(st.sampled_from(near), SINGLES), max_size=4))
        wilds = draw(st.lists(st.integers(0, 21).map(lambda n: f"wild {n}"), max_size=2))
        words += [f"roll {dice[0]} {dice[1]} {dice[2]}", *darts, *wilds, "next"]
    at = draw(st.integers(0, len(words)))
    odd = draw(st.sampled_from(("next", "roll 1 2 3", "roll 1 2 21", "roll 1 2", "wild 5", "T20")))
    return [*words[:at], odd, *words[at:]]


@MANY
@given(players=st.integers(1, 4), options=cerberus_options(), words=cerberus_words())
def test_cerberus(players: int, options: dict[str, Any], words: Sequence[str]) -> None:
    match, scorer = begin(CERBERUS, players, options), PlainCerberus(NAMES[:players], options)
    for word in words:
        match = say(match, scorer, word)
        view = match.view()
        found = [(p["name"], p["score"], p.get("out"), p.get("place")) for p in view["players"]]
        assert found == scorer.table(), word
        assert view["round"] == scorer.round
        assert view["turn"]["player"] == scorer.name
        assert view["winners"] == ([n for n in scorer.names if n not in scorer.out] if scorer.over else [])


@st.composite
def cricket_options(draw: st.DrawFn) -> dict[str, Any]:
    numbers = draw(st.lists(st.sampled_from((20, 19, 3, "bull")), min_size=1, max_size=4, unique=True))
    return {
        "mode": draw(st.sampled_from(("standard", "cut-throat", "no-score"))),
        "rounds": draw(st.sampled_from((0, 1, 3, 20))),
        **({"numbers": numbers} if draw(st.booleans()) else {}),
    }


NEAR: Final = st.sampled_from(("T20", "T19", "T3", "D20", "S19", "SB", "DB", "T18", "T17", "D16", "T15", "S3"))


@MANY
@given(
    players=st.integers(1, 4),
    options=cricket_options(),
    words=st.lists(st.one_of(NEAR, NEAR, NEAR, SINGLES, OTHERS), min_size=20, max_size=100),
)
def test_cricket(players: int, options: dict[str, Any], words: Sequence[str]) -> None:
    match, scorer = begin(CRICKET, players, options), PlainCricket(NAMES[:players], options)
    for word in words:
        match = say(match, scorer, word)
        view = match.view()
        for player, row in zip(view["players"], scorer.table(), strict=True):
            name, score, marks, counted, turns = row
            assert (player["name"], player["score"], list(player["marks"].values())) == (name, score, marks)
            assert isinstance(counted, int)
            assert isinstance(turns, int)
            assert abs(player["mpr"] - (counted / turns if turns else 0)) <= 0.005 + 1e-9
        assert view["turn"]["player"] == scorer.name
        assert view["winners"] == (scorer.won if scorer.over else [])
