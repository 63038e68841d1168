// Who can reach whom on a map of Dart Wars.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { DartWars } from "../src/games/dart-wars-map";
import { enemiesIn, frontOf, homelandOf, reachOf, threatsTo } from "../src/games/dart-wars-front";
import type { MapFace } from "../src/geometry";

const place = (ways: string[], land = true) => ({ title: "", land, white: false, beds: [], ways });
// a - b - c - d in a row, the sea s next to a.
const FACE: MapFace = {
  kind: "map",
  title: "",
  places: { a: place(["b", "s"]), b: place(["a", "c"]), c: place(["b", "d"]), d: place(["c"]), s: place(["a"], false) },
  links: [],
};

function war(zones: DartWars["zones"], about: { visited?: string[]; master?: string; phase?: string } = {}): DartWars {
  const players = [
    { name: "Ann", score: 3, homeland: "a" },
    { name: "Bob", score: 3, homeland: "c", ...(about.master ? { master: about.master } : {}) },
  ];
  const turn = { player: "Ann", phase: about.phase ?? "throws", moves: [], targets: [] };
  return { zones, visited: about.visited ?? [], players, turn } as unknown as DartWars;
}

test("what is next to the troops can be taken or attacked", () => {
  const { free, attacks } = reachOf(war({ a: { Ann: 3 }, c: { Bob: 1 } }, { visited: ["a"] }), FACE);
  assert.deepEqual(free, ["b"], "a sea gives no troop, and a visited country no second one");
  assert.deepEqual(attacks, []);
  const near = reachOf(war({ b: { Ann: 1 }, c: { Bob: 2 } }), FACE);
  assert.deepEqual(near.attacks, [{ zone: "c", names: ["Bob"] }]);
});

test("a threat is mutual, and none among those of one side", () => {
  const match = war({ b: { Ann: 1 }, c: { Bob: 2 }, d: { Bob: 1 } });
  assert.deepEqual(threatsTo(match, FACE, "Ann"), [{ by: "Bob", zones: ["b"] }]);
  assert.deepEqual(threatsTo(match, FACE, "Bob"), [{ by: "Ann", zones: ["c"] }]);
  const allied = war({ b: { Ann: 1 }, c: { Bob: 2 } }, { master: "Ann" });
  assert.deepEqual(threatsTo(allied, FACE, "Ann"), []);
  assert.deepEqual(enemiesIn(allied, "c", "Ann"), []);
});

test("a combat in a homeland of either side removes the loser's troop", () => {
  const match = war({ c: { Ann: 1, Bob: 1 } });
  assert.equal(homelandOf(match, "c", "Bob"), "Bob");
  assert.equal(homelandOf(match, "b", "Bob"), undefined);
});

test("the front is where something can happen", () => {
  assert.deepEqual(frontOf(war({ b: { Ann: 1 }, c: { Bob: 2 } }), FACE), ["b", "a", "c"]);
  assert.deepEqual(frontOf(war({ b: { Ann: 1 } }, { phase: "combat" }), FACE), []);
});
