// In which order a tournament ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { finalOrder } from "../src/tournament/final-order";
import type { Fixture, Tournament } from "../src/tournament/state";

type Match = [stage: string, round: number, home: number, away: number, fromEnd?: number];

function over(matches: Match[], winner?: number, tables: Tournament["tables"] = {}): Tournament {
  const fixtures = matches.map(([stage, round, home, away, fromEnd], at): Fixture => {
    // The home side wins; 0 is nobody.
    const fixture = { id: `${at}`, stage, round, best_of: 3, game: "x01", home, away, winner: home };
    return { ...fixture, state: away === 0 ? "bye" : "done", ...(fromEnd !== undefined && { from_end: fromEnd }) };
  });
  const cup: Tournament = { id: "1", name: "Cup", format: "", state: "over", entrants: [], fixtures, tables };
  return winner === undefined ? cup : { ...cup, winner };
}

const row = (place: number, entrant: number) => ({ place, entrant, played: 1, legs: 0, against: 0, points: 0 });
const shown = (tournament: Tournament) => finalOrder(tournament).map(({ from, to, entrants }) => [from, to, entrants]);

const KNOCKOUT: Match[] = [
  ["knockout", 1, 1, 0, 3],
  ["knockout", 1, 4, 5, 3],
  ["knockout", 1, 2, 6, 3],
  ["knockout", 1, 3, 7, 3],
  ["knockout", 2, 1, 4, 2],
  ["knockout", 2, 2, 3, 2],
];

test("those who lost in the same round of a knock-out share their places", () => {
  assert.deepEqual(shown(over([...KNOCKOUT, ["knockout", 3, 1, 2, 1]], 1)), [
    [1, 1, [1]],
    [2, 2, [2]],
    [3, 4, [4, 3]],
    [5, 7, [5, 6, 7]],
  ]);
});

test("a match for the third place tells them apart", () => {
  const matches: Match[] = [...KNOCKOUT, ["third", 1, 3, 4, 1], ["knockout", 3, 1, 2, 1]];
  assert.deepEqual(shown(over(matches, 1)).slice(2, 4), [
    [3, 3, [3]],
    [4, 4, [4]],
  ]);
});

test("in a double knock-out the rounds of the losers' side count", () => {
  const matches: Match[] = [
    ["winners", 1, 1, 4, 3],
    ["winners", 1, 2, 3, 3],
    ["losers", 1, 3, 4],
    ["winners", 2, 1, 2, 2],
    ["losers", 2, 3, 2],
    ["final", 1, 3, 1, 1],
    ["final", 2, 1, 3, 1],
  ];
  assert.deepEqual(shown(over(matches, 1)), [
    [1, 1, [1]],
    [2, 2, [3]],
    [3, 3, [2]],
    [4, 4, [4]],
  ]);
});

test("those whom their group let go no further come after the knock-out", () => {
  const tables = { A: [row(1, 1), row(2, 3)], B: [row(1, 2), row(2, 4)] };
  assert.deepEqual(shown(over([["knockout", 1, 1, 2, 1]], 1, tables)), [
    [1, 1, [1]],
    [2, 2, [2]],
    [3, 4, [3, 4]],
  ]);
});

test("a table that is the whole tournament has its own order, with shared places", () => {
  const tables = { table: [row(1, 2), row(1, 1), row(3, 3)] };
  assert.deepEqual(shown(over([], undefined, tables)), [
    [1, 2, [2, 1]],
    [3, 3, [3]],
  ]);
});

test("there is no order while a tournament goes on", () => {
  assert.deepEqual(finalOrder({ ...over(KNOCKOUT), state: "running" }), []);
});
