// The final order of a tournament that is over, as far as its matches and tables tell it.
import type { Fixture, Tournament } from "./state";

/** Those who share the places `from` to `to`. */
export interface Place {
  from: number;
  to: number;
  entrants: number[];
}

/** All places, the first one first; none while the tournament goes on. After a knock-out, those whose last round was the
 * same share their places; those who did not get beyond their group come after it, by their place there. */
export function finalOrder({ state, fixtures, tables, winner }: Tournament): Place[] {
  if (state !== "over") return [];
  const places: Place[] = [];
  const placed = new Set<number>([0]);
  const add = (entrants: (number | undefined)[]) => {
    const added = [...new Set(entrants)].filter((entrant) => entrant !== undefined && !placed.has(entrant)) as number[];
    if (added.length > 0) places.push({ from: placed.size, to: placed.size + added.length - 1, entrants: added });
    for (const entrant of added) placed.add(entrant);
  };
  add([winner]);
  for (const round of knockoutRounds(fixtures)) {
    // The match for the third place tells those apart who lost the semi-finals.
    if (round.some(({ stage }) => stage === "third")) add(round.map(({ winner }) => winner));
    add(round.flatMap(({ home, away }) => [home, away]));
  }
  const rows = Object.values(tables).flat();
  const last = Math.max(0, ...rows.map(({ place }) => place));
  for (let place = 1; place <= last; place++) {
    add(rows.filter((row) => row.place === place).map(({ entrant }) => entrant));
  }
  return places;
}

/** The rounds outside the groups, the last one first. Whoever loses on the winners' side plays on. */
function knockoutRounds(fixtures: Fixture[]): Fixture[][] {
  const rounds: { rank: number; round: number; fixtures: Fixture[] }[] = [];
  for (const fixture of fixtures) {
    if (fixture.group !== undefined) continue;
    const [rank, round] = [rankOf(fixture), fixture.round];
    const known = rounds.find((other) => other.rank === rank && other.round === round);
    if (known) known.fixtures.push(fixture);
    else rounds.push({ rank, round, fixtures: [fixture] });
  }
  return rounds.sort((a, b) => a.rank - b.rank || b.round - a.round).map(({ fixtures }) => fixtures);
}

function rankOf({ stage, from_end: fromEnd }: Fixture): number {
  if (stage === "third") return 1;
  if (stage === "winners") return 3;
  return stage === "final" || fromEnd === 1 ? 0 : 2;
}
