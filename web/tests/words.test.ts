// Words that several pages have for one thing.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Match } from "../src/match";

// What the texts ask a browser for.
for (const [name, value] of Object.entries({
  location: new URL("http://localhost/?lang=en"),
  navigator: { languages: [] },
}))
  Object.defineProperty(globalThis, name, { value, configurable: true });
const { facts, figures } = await import("../src/games/words/view");
const { formatOf } = await import("../src/history/words");

test("a format is called as on the scoreboard: two sides play the best of some, three are first to some", () => {
  const of = (options: Record<string, unknown>, ...players: string[]) => formatOf({ game: "x01", options, players });
  assert.equal(of({ legs: 3 }, "Ann", "Bob"), "501 · best of 5");
  assert.equal(of({ start: 301, sets: 2 }, "Ann", "Bob"), "301 · best of 3 sets");
  assert.equal(of({ sets: 2 }, "Ann", "Bob", "Cem"), "501 · first to 2 sets");
  assert.equal(of({ legs: 2, teams: 2 }, "Ann", "Bob", "Cem", "Dora"), "501 · best of 3 · Teams");
});

test("a word has another name where it means something else", () => {
  const shown = (game: string, about: object) =>
    facts({ game, finished: true, players: [], winners: [], turn: {}, ...about } as unknown as Match);
  assert.deepEqual(shown("castle", { target: 15 }), [{ label: "Bricks to win", value: "15" }]);
  assert.deepEqual(shown("big_six", { target: "D6" }), [{ label: "Target", value: "D6" }]);
  assert.deepEqual(shown("checkout_121", { attempts: 10 }), [{ label: "Attempts in all", value: "10" }]);
  assert.deepEqual(figures({ name: "Ann", score: 121, attempts: 0 } as never), [
    { label: "Attempts so far", value: "0" },
  ]);
});
