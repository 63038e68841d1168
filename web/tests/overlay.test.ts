// The settings in the address of an overlay.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Match } from "../src/match";
import { PARTS, readSettings, SIZES } from "../src/overlay/settings";
import { severalOf } from "../src/overlay/several";

test("without a query everything is shown as usual", () => {
  const { settings, mistakes } = readSettings("");
  assert.deepEqual(mistakes, []);
  assert.deepEqual([...settings.parts], [...PARTS]);
  assert.equal(settings.size, SIZES.usual);
  assert.equal(settings.place, "bottom-left");
  assert.equal(settings.back, "panel");
});

test("parts, size, place and back are chosen", () => {
  const { settings, mistakes } = readSettings("?parts=visit,checkout&size=60&place=top&back=none&lang=de&theme=light");
  assert.deepEqual(mistakes, []);
  assert.deepEqual([...settings.parts], ["visit", "checkout"]);
  assert.equal(settings.size, 60);
  assert.equal(settings.place, "top");
  assert.equal(settings.back, "none");
  assert.deepEqual([...readSettings("?parts=").settings.parts], []);
});

test("everything that is wrong is said at once", () => {
  const { mistakes } = readSettings("?part=visit&parts=visit,name&size=4em&place=left&back=blue");
  assert.deepEqual(
    mistakes.map(({ name, value }) => [name, value]),
    [
      ["part", undefined],
      ["size", "4em"],
      ["parts", "name"],
      ["place", "left"],
      ["back", "blue"],
    ],
  );
  for (const size of ["0", "15", "121", "-44", "", "1e2", "NaN"])
    assert.equal(readSettings(`?size=${size}`).mistakes.length, 1, size);
});

test("legs and sets are shown where several are played, in whatever format", () => {
  const turn = { player: "Ann", actor: "Ann", darts: [], awaits: "throw" as const };
  const of = (about: Partial<Match>) => {
    const match = { match: "m", revision: 1, game: "count_up", finished: false, winners: [], turn, players: [] };
    const { legs, sets } = severalOf({ ...match, ...about });
    return [legs, sets];
  };
  const medley = { legs: ["x01", "cricket"] };
  assert.deepEqual(of({ options: { best_of: { legs: 3, sets: 5 } }, to_win: { legs: 2, sets: 3 } }), [true, true]);
  assert.deepEqual(of({ options: medley, to_win: { legs: 2 } }), [true, false]);
  assert.deepEqual(of({ options: medley }), [true, false], "a medley of three players");
  assert.deepEqual(of({ options: { legs: 2 }, to_win: { legs: 2, sets: 1 } }), [true, false]);
  assert.deepEqual(of({ options: { legs: 1 } }), [false, false]);
});
