// What of a player's name is cut last.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { partsOf } from "../src/tournament/name-parts";

test("a name is cut before the word in which it differs", () => {
  const names = ["Christopher Underhill 6", "Christopher Underhill 14", "Jean-Baptiste Roy", "Jean-Marie Roy", "Li"];
  const cuts = names.map((name) => partsOf(name, names));
  assert.deepEqual(cuts, [
    ["Christopher Underhill ", "6"],
    ["Christopher Underhill ", "14"],
    ["Jean-", "Baptiste Roy"],
    ["Jean-", "Marie Roy"],
    ["Li", ""],
  ]);
  assert.deepEqual(partsOf("Maximiliane", ["Maximiliane", "Maximilian"]), ["Maximilia", "ne"]);
  assert.deepEqual(partsOf("Maximiliane 2", ["Maximiliane", "Maximiliane 2"]), ["Maximiliane", " 2"]);
  assert.deepEqual(partsOf("Ann🎯a", ["Ann🎯a", "Ann🎯b"]), ["Ann", "🎯a"]);
  assert.deepEqual(partsOf("Anna🎯", ["Anna🎯", "Anna🎲"]), ["Anna", "🎯"]);
});

test("a name is whole, and no name with the same first part has the second", () => {
  const names = fc.uniqueArray(fc.stringMatching(/^(Anna|Jean)[- ][abé]{1,3}( [abé0-9]{1,3})?$/), { minLength: 2 });
  fc.assert(
    fc.property(names, (names) => {
      for (const name of names) {
        const [start, end] = partsOf(name, names);
        assert.equal(start + end, name);
        if (names.some((other) => other !== name && other[0] === name[0])) assert.notEqual(end, "");
        for (const other of names)
          if (other !== name && other.startsWith(start)) assert.notEqual(other.slice(start.length), end);
      }
    }),
  );
});
