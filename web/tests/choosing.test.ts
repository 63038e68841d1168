// Who is said to choose: the player of the turn, or another one for them.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Match } from "../src/match";

// The language of the messages is asked of the page's address when they are loaded.
for (const [name, value] of Object.entries({
  location: new URL("http://localhost/?lang=en"),
  navigator: { languages: [] },
  document: { documentElement: {} },
}))
  Object.defineProperty(globalThis, name, { value, configurable: true });
const { choosing } = await import("../src/games/choosing");

function match(player: string, actor: string, playing?: string): Match {
  const turn = { player, actor, darts: [], awaits: "choose" as const };
  const found: Match = { match: "m", revision: 1, game: "call_three", finished: false, winners: [], turn, players: [] };
  return playing ? { ...found, playing } : found;
}

test("whoever throws at what another one chooses is named", () => {
  assert.equal(choosing(match("Bob", "Bob")), "Bob must choose");
  assert.equal(choosing(match("Bob", "Ann")), "Ann chooses for Bob");
});

test("the next game of a medley is chosen for all", () => {
  assert.equal(choosing(match("Bob", "Ann", "choice")), "Ann must choose");
});
