// Which rounds of a knock-out a screen shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bracketsOf } from "../src/tournament/rounds";
import type { Fixture, Tournament } from "../src/tournament/state";

/** A knock-out of which the first rounds are over; the round after them has its first match over. */
function knockout(rounds: number, over: number, bye = false): Tournament {
  const fixtures: Fixture[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (let index = 0; index < 2 ** (rounds - round); index++) {
      const done = round <= over || (round === over + 1 && index === 0);
      const state = bye && round === 1 && index === 1 ? "bye" : done ? "done" : "waits";
      const from_end = rounds - round + 1;
      fixtures.push({ id: `${round}-${index}`, stage: "knockout", round, from_end, best_of: 3, game: "x01", state });
    }
  }
  return { id: "1", name: "Cup", format: "knockout", state: "running", entrants: [], fixtures, tables: {} };
}

const shown = (tournament: Tournament) =>
  (bracketsOf(tournament)[0] ?? []).map(({ fixtures, columns }) => [fixtures[0]?.round, fixtures.length, columns]);

test("a large round has the whole width, and the rounds after it come as there is room", () => {
  assert.deepEqual(shown(knockout(6, 0)), [[1, 32, 4]]);
  assert.deepEqual(shown(knockout(6, 1)), [
    [2, 16, 2],
    [3, 8, 1],
    [4, 4, 1],
  ]);
});

test("from the last sixteen on all rounds to the final are there", () => {
  const last = [
    [3, 8, 1],
    [4, 4, 1],
    [5, 2, 1],
    [6, 1, 1],
  ];
  for (const over of [2, 3, 5, 6]) assert.deepEqual(shown(knockout(6, over)), last);
});

test("a small knock-out is shown whole, and a round that no screen holds is not shown", () => {
  assert.deepEqual(shown(knockout(2, 0)), [
    [1, 2, 1],
    [2, 1, 1],
  ]);
  assert.deepEqual(shown(knockout(7, 0))[0], [4, 8, 1]);
});

test("a round of several columns has no byes", () => {
  assert.deepEqual(shown(knockout(5, 0, true))[0], [1, 15, 2]);
});

test("a double knock-out has the losers' side below, each with half of the height", () => {
  const upper = knockout(3, 1).fixtures.map((fixture) => ({ ...fixture, stage: "winners" }));
  const lower = [4, 4, 2, 2, 1, 1].flatMap((count, index) =>
    Array.from({ length: count }, (_, at): Fixture => {
      const round = index + 1;
      return {
        id: `L${round}-${at}`,
        stage: "losers",
        round,
        best_of: 3,
        game: "x01",
        state: round < 3 ? "done" : "waits",
      };
    }),
  );
  const final: Fixture = { id: "F1", stage: "final", round: 1, from_end: 1, best_of: 3, game: "x01", state: "waits" };
  const double = { ...knockout(0, 0), fixtures: [...upper, ...lower, final] };
  const sizes = bracketsOf(double).map((rounds) => rounds.map(({ fixtures, columns }) => [fixtures.length, columns]));
  assert.deepEqual(sizes, [
    [
      [4, 1],
      [2, 1],
      [1, 1],
      [1, 1],
    ],
    [
      [2, 1],
      [2, 1],
      [1, 1],
      [1, 1],
    ],
  ]);
});
