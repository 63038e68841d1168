// The settings in the address of an overlay.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PARTS, readSettings, SIZES } from "../src/overlay/settings";

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
