// How tiles fill a wall, and which players are on a tile.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fitting, gridFor, shortName } from "../src/wall/grid";

test("every number of boards has its place, on every screen", () => {
  for (const [width, height] of [
    [1920, 1080],
    [1080, 1920],
    [1024, 768],
  ] as const)
    for (let boards = 1; boards <= 16; boards++) {
      const { columns, rows } = gridFor(boards, width, height);
      assert.ok(columns * rows >= boards);
      assert.ok((rows - 1) * columns < boards, "no row is empty");
    }
});

test("tiles fill the screen that there is", () => {
  assert.deepEqual(gridFor(2, 1920, 1080), { columns: 2, rows: 1 });
  assert.deepEqual(gridFor(2, 1080, 1920), { columns: 1, rows: 2 });
  assert.deepEqual(gridFor(4, 1920, 1080), { columns: 2, rows: 2 });
  assert.deepEqual(gridFor(16, 1920, 1080), { columns: 4, rows: 4 });
});

test("where not all players fit, the one who throws and the next ones are shown", () => {
  const names = ["a", "b", "c", "d", "e"];
  assert.deepEqual(fitting(names, 3, 5), { shown: names, more: 0 });
  assert.deepEqual(fitting(names, 3, 4), { shown: ["d", "e", "a", "b"], more: 1 });
  assert.deepEqual(fitting(names, -1, 3), { shown: ["a", "b", "c"], more: 2 });
  assert.deepEqual(fitting(names, 4, 0), { shown: ["e"], more: 4 });
});

test("a long name keeps its first word", () => {
  assert.equal(shortName("Maximilian Oberhuber"), "Maximilian O.");
  assert.equal(shortName("Jean-Baptiste"), "Jean-Baptiste");
  assert.equal(shortName("Anna Maria von Trapp"), "Anna M. v. T.");
  assert.equal(shortName("Ольга Ивановна"), "Ольга И.");
  assert.equal(shortName("Jürgen 🎯🎯"), "Jürgen 🎯.");
});
