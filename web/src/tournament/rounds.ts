// Which rounds of a knock-out a screen shows: those that are played now and the ones after them.
import type { Fixture, Tournament } from "./state";

export interface Round {
  fixtures: Fixture[];
  /** How many columns of a screen it has. */
  columns: number;
}

/** How many columns there are, and how many matches have room in one. */
const COLUMNS = 4;
const HEIGHT = 8;

/** The first round that is not over and those after it, as far as there are columns; at least the last four rounds. */
export function roundsOf({ fixtures }: Tournament): Round[] {
  const rounds = [...knockoutOf(fixtures), finalsOf(fixtures)]
    .filter((round) => round.length > 0)
    .map((round) => ({ fixtures: round, columns: Math.ceil(round.length / HEIGHT) }));
  const now = rounds.findIndex((round) => round.fixtures.some(isOpen));
  const last = Math.max(0, rounds.length - COLUMNS);
  const from = now >= 0 && now < last && (rounds[now] as Round).columns <= COLUMNS ? now : last;
  const shown: Round[] = [];
  let left = COLUMNS;
  for (const round of rounds.slice(from)) {
    if (round.columns > left) break;
    left -= round.columns;
    shown.push(round);
  }
  return shown;
}

/** The rounds of all who have not lost, without byes where a round has more than one column. */
function knockoutOf(fixtures: Fixture[]): Fixture[][] {
  const rounds = new Map<number, Fixture[]>();
  for (const fixture of fixtures) {
    if (fixture.from_end === undefined || !["knockout", "winners"].includes(fixture.stage)) continue;
    rounds.set(fixture.from_end, [...(rounds.get(fixture.from_end) ?? []), fixture]);
  }
  return [...rounds]
    .sort(([a], [b]) => b - a)
    .map(([, round]) => (round.length > HEIGHT ? round.filter(({ state }) => state !== "bye") : round));
}

/** The second final is played only if the first one was won from the losers' side. */
function finalsOf(fixtures: Fixture[]): Fixture[] {
  return fixtures.filter(
    ({ stage, state, round }) => stage === "final" && (round === 1 || !["waits", "void"].includes(state)),
  );
}

function isOpen({ state }: Fixture): boolean {
  return state === "waits" || state === "ready";
}
