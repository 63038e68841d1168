// What is written on the line of chances: a number without a name only where the sides can be counted.
import assert from "node:assert/strict";
import { test } from "node:test";

// The language of the messages is asked of the page's address when they are loaded.
for (const [name, value] of Object.entries({
  location: new URL("http://localhost/?lang=en"),
  navigator: { languages: [] },
  document: { documentElement: {} },
}))
  Object.defineProperty(globalThis, name, { value, configurable: true });
const { charactersOf, written } = await import("../src/pages/chance");

const television = charactersOf(1920, 1080);

test("a name that fits is written with its number", () => {
  assert.deepEqual(written({ names: "Ann", chance: 0.1 }, 16, television), { name: true, number: true });
});

test("few sides have their numbers also without names", () => {
  const narrow = { names: "Bartholomew Featherstonehaugh", chance: 0.05 };
  assert.deepEqual(written(narrow, 2, television), { name: false, number: true });
});

test("among many sides no number is without a name", () => {
  const narrow = { names: "Bartholomew Featherstonehaugh", chance: 0.05 };
  assert.deepEqual(written(narrow, 16, television), { name: false, number: false });
});
