// Where a dart landed, seen from what was aimed at; and darts that are typed.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dartsOf } from "../src/control/typed";
import { bedOf, whereFrom } from "../src/heard/where";

const NUMBERS = [20, 1, 18, 4, 13, 6, 10, 15, 2, 17, 3, 19, 7, 16, 8, 11, 14, 9, 12, 5];

const side = (dart: string, target: string | number) => {
  const where = whereFrom(NUMBERS, dart, [target]);
  return where?.kind === "side" ? `${where.steps} ${where.side} of ${where.of}` : where?.kind;
};

test("left and right are as the thrower sees them, all round the board", () => {
  assert.equal(side("S5", 20), "1 left of 20");
  assert.equal(side("T1", "T20"), "1 right of 20");
  assert.equal(side("S18", 20), "2 right of 20");
  // At the bottom the numbers go the other way.
  assert.equal(side("S19", 3), "1 left of 3");
  assert.equal(side("S17", 3), "1 right of 3");
  assert.equal(side("SO13", 6), "1 above of 6");
  assert.equal(side("S10", 6), "1 below of 6");
  assert.equal(side("S14", 11), "1 above of 11");
  assert.equal(side("S8", 11), "1 below of 11");
  assert.equal(side("S3", 20), "far");
});

test("the target itself, another ring, and the bull", () => {
  assert.equal(side("T20", "T20"), "on");
  assert.equal(side("SI20", 20), "on");
  assert.equal(side("S20", "T20"), "ring");
  assert.equal(side("SB", "bull"), "on");
  assert.equal(side("SB", "DB"), "ring");
  assert.equal(side("DB", 20), "bull");
  assert.deepEqual(whereFrom(NUMBERS, "S20", ["bull"]), { kind: "off-bull", side: "above" });
  assert.equal(whereFrom(NUMBERS, "MISS", [20]), undefined);
});

test("of several targets the nearest one is named", () => {
  assert.deepEqual(whereFrom(NUMBERS, "S1", [15, 20, "bull"]), { kind: "side", steps: 1, side: "right", of: 20 });
});

test("every bed has a place from every number, and its mirror image the other side", () => {
  const number = fc.constantFrom(...NUMBERS);
  fc.assert(
    fc.property(number, number, (dart, aim) => {
      const there = whereFrom(NUMBERS, `S${dart}`, [aim]);
      assert.ok(there);
      assert.equal(there.kind === "on", dart === aim);
      const back = whereFrom(NUMBERS, `S${aim}`, [dart]);
      assert.equal(back?.kind, there.kind);
      if (there.kind === "side" && back?.kind === "side") assert.equal(back.steps, there.steps);
    }),
  );
});

test("typed darts are beds, and what is none is named", () => {
  assert.deepEqual(dartsOf("t20, 5 D16  25 bull 0 miss s7"), ["T20", "S5", "D16", "SB", "DB", "MISS", "MISS", "S7"]);
  for (const wrong of ["t21", "x", "t25", "100", "__proto__", "constructor"])
    assert.equal(dartsOf(`20 ${wrong}`), wrong);
  fc.assert(
    fc.property(fc.string(), (text) => {
      const found = dartsOf(text);
      if (Array.isArray(found)) for (const bed of found) assert.ok(bed === "MISS" || bedOf(bed), bed);
    }),
  );
});
