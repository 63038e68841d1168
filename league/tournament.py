"""A tournament: a fold over its events. The same events give the same tournament, on every machine."""

from dataclasses import replace

from engine.refusals import Refusal
from league.calls import call, with_left, without_void_calls
from league.draw import bracket, ranking, snake
from league.events import Call, Close, Correct, Draw, Enter, Event, Reopened, Report, Undo, Withdraw
from league.fixtures import NOBODY, Entrant, Fixture, Known, Result, Side, check_score
from league.knockout import double_knockout, knockout
from league.pairings import Pairing
from league.round_robin import group_names, qualifiers, round_robin
from league.setup import MOST_ENTRANTS, MOST_FIXTURES, Setup
from league.state import Tournament
from league.swiss import pair

SWISS_GROUP = "S"


def apply(tournament: Tournament | None, event: Event, at: float) -> Tournament | Refusal:
    """The tournament after an event at the time `at`, or why the event is refused. `Undo` is for `Record`."""
    if isinstance(event, Setup):
        return Tournament(event) if tournament is None else _not("There is a tournament already.")
    if tournament is None:
        return Refusal("no_match", "There is no tournament; make one first.")
    if tournament.closed:
        return _not("The tournament is closed.")
    match event:
        case Enter():
            return _enter(tournament, event)
        case Withdraw():
            changed = _withdraw(tournament, event)
        case Draw():
            changed = _draw(tournament, event)
        case Call():
            called = call(tournament, event, at)
            return called if isinstance(called, Refusal) else with_left(tournament, called, at, at_once=True)
        case Report():
            changed = _report(tournament, event, at)
        case Reopened():
            return _reopened(tournament, event)
        case Correct():
            changed = _correct(tournament, event)
        case Close():
            return replace(tournament, closed=True, calls={})
        case Undo():
            return _not("There is nothing to take back.")
    if isinstance(changed, Refusal):
        return changed
    after = without_void_calls(tournament, _next_round(_settled(changed)))
    ended = event.fixture if isinstance(event, Report) and event.match is not None else None
    return with_left(tournament, after, at, at_once=False, ended=ended)


def _enter(tournament: Tournament, event: Enter) -> Tournament | Refusal:
    if tournament.drawn:
        return _not("The draw was made; nobody can enter any more.")
    if len(tournament.entrants) >= MOST_ENTRANTS:
        return Refusal("bad_players", f"A tournament has at most {MOST_ENTRANTS} entrants.")
    names = {entrant.name for entrant in tournament.entrants}
    players = {player for entrant in tournament.entrants for player in entrant.players}
    if event.name in names or players & set(event.players) or len(set(event.players)) < len(event.players):
        return Refusal("bad_players", f"{event.name} or one of their players has entered already.")
    if event.seed is not None and event.seed in {entrant.seed for entrant in tournament.entrants}:
        return Refusal("bad_value", f"Seed {event.seed} is taken.")
    number = max((entrant.number for entrant in tournament.entrants), default=0) + 1
    entrant = Entrant(number, event.name, event.players, event.seed, event.bot)
    return replace(tournament, entrants=(*tournament.entrants, entrant))


def _withdraw(tournament: Tournament, event: Withdraw) -> Tournament | Refusal:
    entrant = tournament.by_name(event.name)
    if entrant is None or entrant.number in tournament.withdrawn:
        return Refusal("bad_players", f"{event.name[:64]} is not in this tournament.")
    if not tournament.drawn:
        return replace(tournament, entrants=tuple(e for e in tournament.entrants if e != entrant))
    return replace(tournament, withdrawn=tournament.withdrawn | {entrant.number})


def _draw(tournament: Tournament, event: Draw) -> Tournament | Refusal:
    setup = tournament.setup
    if tournament.drawn:
        return _not("The draw was made already.")
    ranked = ranking(tournament.entrants, event.seed)
    if len(ranked) < 2:
        return Refusal("bad_players", "A tournament needs two entrants at least.")
    fixtures = first_fixtures(setup, ranked)
    if isinstance(fixtures, Refusal):
        return fixtures
    planned = len(fixtures) * (setup.rounds if setup.format == "swiss" else 1)
    if planned > MOST_FIXTURES:
        less = "Play fewer rounds" if setup.format == "swiss" else "Make groups"
        return Refusal("bad_value", f"These are {planned} matches; {MOST_FIXTURES} is the most. {less}.")
    return replace(tournament, seed=event.seed, fixtures=fixtures)


def first_fixtures(setup: Setup, ranked: tuple[int, ...]) -> tuple[Fixture, ...] | Refusal:
    """The fixtures that the draw makes; a Swiss tournament gets its rounds one by one, by `_next_round`."""
    match setup.format:
        case "knockout":
            return knockout(_known(bracket(ranked)), third_place=setup.third_place)
        case "double":
            return double_knockout(_known(bracket(ranked)))
        case "round_robin":
            return round_robin(ranked, setup.times)
        case "groups":
            if len(ranked) < setup.groups * max(2, setup.advance):
                return Refusal("bad_players", f"{len(ranked)} are too few for {setup.groups} groups.")
            if setup.groups * setup.advance < 2:
                return Refusal("bad_value", "Two must advance from the groups at least.")
            names = group_names(setup.groups)
            dealt = zip(names, snake(ranked, setup.groups), strict=True)
            first = [fixture for name, members in dealt for fixture in round_robin(members, setup.times, name)]
            # By rounds, so that all groups are played at the same time.
            first.sort(key=lambda fixture: fixture.round)
            return (*first, *knockout(qualifiers(names, setup.advance), third_place=setup.third_place))
        case "swiss":
            most = len(ranked) - 1 if len(ranked) % 2 == 0 else len(ranked)
            if setup.rounds > most:
                return Refusal("bad_value", f"{len(ranked)} entrants can play at most {most} Swiss rounds.")
            return _swiss_round(1, pair(ranked, ()))


def _known(lines: tuple[int, ...]) -> tuple[Side, ...]:
    return tuple(Known(entrant) for entrant in lines)


def _swiss_round(number: int, pairs: tuple[tuple[int, int], ...]) -> tuple[Fixture, ...]:
    return tuple(
        Fixture(f"S{number}-{index}", "swiss", number, Known(home), Known(away), SWISS_GROUP)
        for index, (home, away) in enumerate(pairs, 1)
    )


def _next_round(tournament: Tournament) -> Tournament:
    """Draws the next Swiss round when the last one is over."""
    setup = tournament.setup
    if setup.format != "swiss" or not tournament.fixtures or not tournament.over:
        return tournament
    number = tournament.fixtures[-1].round + 1
    here = [row.entrant for row in tournament.standing.tables[SWISS_GROUP] if row.entrant not in tournament.withdrawn]
    if number > setup.rounds or len(here) < 2:
        return tournament
    met = {frozenset((_side(fixture.home), _side(fixture.away))) for fixture in tournament.fixtures}
    return replace(tournament, fixtures=(*tournament.fixtures, *_swiss_round(number, pair(here, met))))


def _side(side: Side) -> int:
    return side.entrant if isinstance(side, Known) else NOBODY


def _report(tournament: Tournament, event: Report, at: float) -> Tournament | Refusal:
    pairing = tournament.standing.pairings.get(event.fixture)
    if pairing is None or pairing.state != "ready" or not pairing.home or not pairing.away:
        return _not(f"{event.fixture[:20]} cannot have a result now; correct it if it has one.")
    if (refusal := _check(tournament, pairing, event.score)) is not None:
        return refusal
    sides = pairing.home, pairing.away
    result = Result(event.fixture, *sides, event.score, event.walkover, match=event.match, maximums=event.maximums)
    results, ended = {**tournament.results, event.fixture: result}, {**tournament.ended, event.fixture: at}
    return replace(tournament, results=results, ended=ended)


def _check(tournament: Tournament, pairing: Pairing, score: tuple[int, int]) -> Refusal | None:
    fixture = pairing.fixture
    return check_score(score, tournament.play_of(fixture).best_of, in_group=fixture.group is not None)


def _correct(tournament: Tournament, event: Correct) -> Tournament | Refusal:
    pairing, before = tournament.standing.pairings.get(event.fixture), tournament.results.get(event.fixture)
    if pairing is None or before is None:
        return _not(f"{event.fixture[:20]} has no result.")
    if (refusal := _check(tournament, pairing, event.score)) is not None:
        return refusal
    corrected = replace(before, score=event.score, walkover=False)
    reopened = {fixture: score for fixture, score in tournament.reopened.items() if fixture != event.fixture}
    changed = replace(tournament, results={**tournament.results, event.fixture: corrected}, reopened=reopened)
    if event.then == "keep":
        while stale := changed.standing.mismatched:
            kept = replace(changed.results[stale[0]], kept=True)
            changed = replace(changed, results={**changed.results, stale[0]: kept})
        return changed
    if tournament.setup.format == "swiss":
        played = {fixture.id for fixture in tournament.fixtures if fixture.round <= pairing.fixture.round}
        results = {fixture: result for fixture, result in changed.results.items() if fixture in played}
        fixtures = tuple(fixture for fixture in changed.fixtures if fixture.id in played)
        return replace(changed, fixtures=fixtures, results=results)
    stale = changed.standing.mismatched
    return replace(changed, results={f: result for f, result in changed.results.items() if f not in stale})


def _reopened(tournament: Tournament, event: Reopened) -> Tournament | Refusal:
    if (result := tournament.results.get(event.fixture)) is None:
        return _not(f"{event.fixture[:20]} has no result.")
    if event.fixture in tournament.reopened and tournament.reopened[event.fixture] == event.score:
        return _not(f"{event.fixture} is known to have been opened again.")
    others = {fixture: score for fixture, score in tournament.reopened.items() if fixture != event.fixture}
    # A match that has ended again as its result says needs nobody.
    return replace(
        tournament, reopened=others if event.score == result.score else others | {event.fixture: event.score}
    )


def _settled(tournament: Tournament) -> Tournament:
    """Without the reopened matches whose result is gone."""
    left = {fixture: score for fixture, score in tournament.reopened.items() if fixture in tournament.results}
    return tournament if left == tournament.reopened else replace(tournament, reopened=left)


def _not(message: str) -> Refusal:
    return Refusal("not_allowed", message)
