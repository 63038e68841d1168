// How the boards of a hall are spread over the parts of a wall.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { partsOf } from "../src/hall/paging";

const screens = fc.constantFrom([1920, 1020], [1280, 680], [1024, 720], [1080, 1860], [390, 800]);

test("every board is in one part, and no part is empty or larger than its grid", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1000 }), screens, (boards, [width = 0, height = 0]) => {
      const parts = partsOf(boards, width, height, Math.min(width, height) / 100);
      assert.deepEqual(
        parts.flatMap(({ first, end }) => Array.from({ length: end - first }, (_, i) => first + i)),
        Array.from({ length: boards }, (_, i) => i),
      );
      for (const { first, end, columns, rows } of parts) assert.ok(end > first && end - first <= columns * rows);
    }),
  );
});

test("no board is smaller than what can be read from a distance", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), screens, (boards, [width = 0, height = 0]) => {
      const unit = Math.min(width, height) / 100;
      for (const { columns, rows } of partsOf(boards, width, height, unit)) {
        assert.ok(width / columns >= 20 * unit - 0.001);
        assert.ok(height / rows >= 10 * unit - 0.001);
      }
    }),
  );
});

test("few boards are one part, drawn larger", () => {
  assert.deepEqual(partsOf(0, 1920, 1020, 10.8), []);
  assert.deepEqual(partsOf(2, 1920, 1020, 10.8), [{ first: 0, end: 2, columns: 2, rows: 1 }]);
  assert.equal(partsOf(200, 1920, 1020, 10.8).length, 3);
});
