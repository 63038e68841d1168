// Which rounds of a knock-out a screen shows: those that are played now and the ones after them.
import type { Fixture, Tournament } from "./state";

export interface Round {
  fixtures: Fixture[];
  /** How many columns of a screen it has, and how many matches have room in one. */
  columns: number;
  rows: number;
}

/** How many columns there are, and how many matches have room in one; in each half of a screen with two brackets. */
const COLUMNS = 4;
const HEIGHT = 8;
const HALF_HEIGHT = 4;

/** The brackets of a knock-out: that of all who have not lost, and in a double knock-out the losers' side below it as soon
 * as the rounds that are played now have room in half of the height. */
export function bracketsOf({ fixtures }: Tournament): Round[][] {
  const losers = roundsOf(fixtures, ["losers"]);
  const upper = [...roundsOf(fixtures, ["knockout", "winners"]), finalsOf(fixtures)];
  const both = [upper, losers];
  const fit = both.every((rounds) => (rounds.find(isPlayed)?.length ?? 0) <= COLUMNS * HALF_HEIGHT);
  const brackets = losers.length > 0 && fit ? both.map((rounds) => shown(rounds, HALF_HEIGHT)) : [shown(upper, HEIGHT)];
  return brackets.filter((rounds) => rounds.length > 0);
}

/** The first round that is not over and those after it, as far as there are columns; at least the last four rounds. */
function shown(all: Fixture[][], height: number): Round[] {
  const rounds = all
    // Byes are no news where a round has more than one column.
    .map((round) => (round.length > height ? round.filter(({ state }) => state !== "bye") : round))
    .filter((round) => round.length > 0)
    .map((round) => ({ fixtures: round, columns: Math.ceil(round.length / height), rows: height }));
  const now = rounds.findIndex((round) => isPlayed(round.fixtures));
  const last = Math.max(0, rounds.length - COLUMNS);
  const from = now >= 0 && now < last && (rounds[now] as Round).columns <= COLUMNS ? now : last;
  const found: Round[] = [];
  let left = COLUMNS;
  for (const round of rounds.slice(from)) {
    if (round.columns > left) break;
    left -= round.columns;
    found.push(round);
  }
  return found;
}

/** The rounds of these stages, the first one first. */
function roundsOf(fixtures: Fixture[], stages: string[]): Fixture[][] {
  const rounds = new Map<number, Fixture[]>();
  for (const fixture of fixtures) {
    if (stages.includes(fixture.stage)) rounds.set(fixture.round, [...(rounds.get(fixture.round) ?? []), fixture]);
  }
  return [...rounds].sort(([a], [b]) => a - b).map(([, round]) => round);
}

/** The second final is played only if the first one was won from the losers' side. */
function finalsOf(fixtures: Fixture[]): Fixture[] {
  return fixtures.filter(
    ({ stage, state, round }) => stage === "final" && (round === 1 || !["waits", "void"].includes(state)),
  );
}

function isPlayed(round: Fixture[]): boolean {
  return round.some(isOpen);
}

function isOpen({ state }: Fixture): boolean {
  return state === "waits" || state === "ready";
}
