// When the result of a leg is shown, in which order its sides are, and the points of its curve.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Match, MatchResult } from "../src/match";
import { curveOf, dueIn, follow, RESULT_AFTER_MS, RESULT_STAYS_MS, standing, tops } from "../src/result/result";

const RESULT: MatchResult = {
  of: "leg",
  winners: ["Ann"],
  players: [
    { name: "Bob", legs: 0 },
    { name: "Ann", legs: 1 },
  ],
};

function state(about: Partial<Match>): Match {
  const turn = { player: "Ann", actor: "Ann", darts: [], awaits: "throw" as const };
  return { match: "m", revision: 1, game: "x01", finished: false, winners: [], turn, players: [], leg: 1, ...about };
}

test("a result is due when the third dart would have been", () => {
  const ended = follow(undefined, state({ result: RESULT }), 1000, false);
  assert.ok(ended);
  assert.equal(dueIn(ended, 1000), RESULT_AFTER_MS);
  assert.equal(dueIn(ended, 1000 + RESULT_AFTER_MS), 0);
});

test("a page that is opened later, and a match that is over, show it at once", () => {
  const late = follow(undefined, state({ result: RESULT }), 1000, true);
  assert.equal(late && dueIn(late, 1000), 0);
  const over = follow(undefined, state({ result: RESULT, finished: true }), 1000, false);
  assert.equal(over && dueIn(over, 1000), 0);
});

test("the same result again does not begin its time again", () => {
  const first = follow(undefined, state({ result: RESULT }), 1000, false);
  const again = follow(first, state({ result: RESULT, revision: 2 }), 4000, false);
  assert.equal(again?.at, 1000);
});

test("after next the result of the leg stays until the first dart, and no longer than its time", () => {
  const ended = follow(undefined, state({ result: RESULT }), 1000, false);
  const next = follow(ended, state({ leg: 2 }), 2000, false);
  assert.ok(next);
  assert.equal(dueIn(next, 2000), 0);
  assert.equal(dueIn(next, 2000 + RESULT_STAYS_MS), undefined);
  const dart = state({ leg: 2, turn: { player: "Bob", actor: "Bob", darts: ["T20"], awaits: "throw" } });
  assert.equal(follow(next, dart, 3000, false), undefined);
});

test("an undone or corrected winning dart takes the result away, as another match does", () => {
  const ended = follow(undefined, state({ result: RESULT }), 1000, false);
  assert.equal(follow(ended, state({}), 2000, false), undefined);
  assert.equal(follow(ended, state({ match: "other", leg: 2 }), 2000, false), undefined);
  assert.equal(follow(ended, undefined, 2000, false), undefined);
});

test("the winners come first, also a team, and then the order of the game", () => {
  const match = state({ players: [] });
  assert.deepEqual(
    standing({ match, result: RESULT }).map(({ name }) => name),
    ["Ann", "Bob"],
  );
  const teams = {
    of: "match" as const,
    winners: ["Cid", "Ann"],
    players: [{ name: "Bob & Dee" }, { name: "Ann & Cid" }],
  };
  assert.deepEqual(
    standing({ match, result: teams }).map(({ name }) => name),
    ["Ann & Cid", "Bob & Dee"],
  );
  const scores = state({
    players: [
      { name: "Ann", score: 3 },
      { name: "Bob", score: 9 },
      { name: "Cid", score: 5 },
    ],
  });
  const plain = standing({ match: scores, result: { of: "match", winners: ["Bob"] } });
  assert.deepEqual(
    plain.map(({ name }) => name),
    ["Bob", "Cid", "Ann"],
  );
});

test("a curve counts down from the start, or up without one", () => {
  assert.deepEqual(curveOf({ name: "Ann", start: 101, visits: [60, 0, 41] }), [101, 41, 41, 0]);
  assert.deepEqual(curveOf({ name: "Ann", visits: [3, 5] }), [0, 3, 8]);
});

test("numbers at the ends of a curve keep their order and a distance", () => {
  const step = "3.5 * var(--unit)";
  assert.deepEqual(tops([1, 0.5]), [
    `min(max(100.0%, min(50.0%, 100% - 1 * ${step}) + ${step}), 100% - 0 * ${step})`,
    `min(50.0%, 100% - 1 * ${step})`,
  ]);
  assert.deepEqual(tops([]), []);
});
