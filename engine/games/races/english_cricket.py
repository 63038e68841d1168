"""English Cricket: one bats for totals above forty, the other bowls at the bull."""

from dataclasses import dataclass, replace
from typing import Final

from engine import kit
from engine.kit import About, Kit, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    wickets: int = kit.number(10, 1, 20, Text("Wickets", "Wickets", "Guichets"))
    par: int = kit.number(40, 0, 100, Text("Runs above", "Runs über", "Courses au-delà de"))
    innings: int = kit.number(1, 1, 2, Text("Innings each", "Innings je Seite", "Manches par camp"))
    wide: int = kit.number(
        0, 0, 50, Text("Runs for a bowler’s miss", "Runs für einen Fehlwurf des Bowlers", "Courses par raté du lanceur")
    )
    rounds: int = kit.number(
        30, 1, 100, Text("Turns of the batter in each innings", "Aufnahmen je Innings", "Volées du batteur par reprise")
    )
    teams: int | None = kit.teams()


@dataclass(frozen=True, slots=True)
class Own:
    wickets: int = 0
    """The wickets that are left in this innings."""
    innings: int = 1
    since: int = 1
    """The round in which the innings began."""


S = State[Options, Own]


def order(state: S) -> tuple[int, int]:
    """The batter, then the bowler."""
    return (0, 1) if state.own.innings % 2 else (1, 0)


def bats(state: S) -> bool:
    return order(state)[0] == state.at


def decided(state: S) -> bool:
    """Whether the batter of the last innings is ahead."""
    batter, bowler = order(state)
    return state.own.innings == 2 * state.options.innings and state.scores[batter] > state.scores[bowler]


def dart(state: S, bed: Segment) -> S:
    if bats(state):
        return state.counts(bed.points)
    batter = order(state)[0]
    if not bed.number:
        after = state.gains(state.options.wide, batter)
        return after.is_won(batter) if decided(after) else after
    taken = min(state.own.wickets, bed.multiplier) if bed.is_bull else 0
    after = state.counts(taken).keep(replace(state.own, wickets=state.own.wickets - taken))
    return after if after.own.wickets else after.ends()


def close(state: S) -> S:
    batter = order(state)[0]
    after = state.gains(max(0, state.scored - state.options.par)) if bats(state) else state
    return after.is_won(batter) if decided(after) else after


def end_round(state: S) -> S:
    """A round is a turn of each: the innings ends with its last wicket, or after its last round."""
    own = state.own
    if own.wickets and state.round < last_round(state):
        return state
    if own.innings == 2 * state.options.innings:
        best = max(state.scores)
        return state.is_won(*(side for side in state.sides if state.scores[side] == best))
    after = state.keep(Own(state.options.wickets, own.innings + 1, state.round + 1))
    return after.is_won(order(after)[0]) if decided(after) else after


def last_round(state: S) -> int:
    """The last round of the innings, if no wicket falls."""
    return state.own.since - 1 + state.options.rounds


def worth(state: S, bed: Segment) -> float:
    return bed.points if bats(state) else bed.multiplier if bed.is_bull else 0.0


GAME: Final[Kit[Options, Own]] = Kit(
    name="english_cricket",
    title="English Cricket",
    about=About(
        "P",
        Text(
            "One bats for high totals, the other bowls at the bull.",
            "Einer schlägt hohe Aufnahmen, der andere wirft auf das Bull.",
            "L’un bat avec de grosses volées, l’autre lance sur le bull.",
        ),
        aim=Text(
            "Have more runs than your opponent when both have batted.",
            "Hab mehr Runs als dein Gegner, wenn beide am Schlag waren.",
            "Ayez plus de courses que l’adversaire quand chacun est passé à la batte.",
        ),
        turn=Text(
            "The batter scores the points of a turn above 40 in runs. The bowler takes one wicket with the outer bull, "
            "two with the inner.",
            "Der Batter bekommt die Punkte einer Aufnahme über 40 als Runs. Der Bowler nimmt mit dem Single Bull ein "
            "Wicket, mit dem Bullseye zwei.",
            "Le batteur marque en courses les points d’une volée au-delà de 40. Le lanceur prend un guichet avec le "
            "demi-bull, deux avec le bull.",
        ),
        end=Text(
            "An innings ends with the tenth wicket; then you change places. The match ends when the second to bat is "
            "ahead, or their wickets are gone.",
            "Ein Innings endet mit dem zehnten Wicket; dann wird gewechselt. Das Spiel endet, wenn der zweite Batter "
            "vorn liegt oder seine Wickets weg sind.",
            "Une reprise finit au dixième guichet ; on échange alors. La partie finit quand le second batteur est en "
            "tête, ou n’a plus de guichet.",
        ),
    ),
    seats=range(2, 17),
    rules=Options,
    own=Own,
    sides=2,
    start=lambda state: state.keep(Own(state.options.wickets)),
    order=order,
    dart=dart,
    close=close,
    end_round=end_round,
    rounds=last_round,
    points_to_begin=500,
    targets=lambda state: ["T20"] if bats(state) else ["bull"],
    show=lambda state, viewer: Show(
        {"wickets": state.own.wickets, "innings": state.own.innings},
        {"role": "bats" if bats(state) else "bowls"},
    ),
    worth=worth,
    matters=bats,
    statistics_of=kit.BEST,
)
