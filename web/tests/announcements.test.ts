// What is announced at the end of a match: who has won, or that somebody who plays alone has finished.
import assert from "node:assert/strict";
import { test } from "node:test";
import { onlyPlayer } from "../src/games/alone";
import type { Match, MatchEvent } from "../src/match";

// The language of the messages is asked of the page's address when they are loaded.
for (const [name, value] of Object.entries({
  location: new URL("http://localhost/?lang=en"),
  navigator: { languages: [] },
  document: { documentElement: {} },
}))
  Object.defineProperty(globalThis, name, { value, configurable: true });
const { announcementOf, withoutRepeats } = await import("../src/sound/announcements");

function match(game: string, ...names: string[]): Match {
  const turn = { player: "Ann", actor: "Ann", darts: [], awaits: "throw" as const };
  const players = names.map((name) => ({ name, score: 45 }));
  return { match: "m", revision: 1, game, finished: false, winners: [], turn, players };
}

function shouts(alone: boolean, ...events: MatchEvent[]): (string | undefined)[] {
  const news = withoutRepeats(() => alone);
  return events.map((event) => {
    const left = news(event);
    return left && announcementOf(left, String)?.text;
  });
}

const DECIDED: MatchEvent = { id: "1", revision: 1, event: "decided", winners: ["Ann"] };
const WON: MatchEvent = { id: "2", revision: 2, event: "won", winners: ["Ann"] };

test("one player alone has finished, and nobody has won", () => {
  assert.deepEqual(shouts(true, WON), ["Ann has finished"]);
  assert.deepEqual(shouts(true, DECIDED, WON), ["Ann has finished", undefined]);
  assert.deepEqual(shouts(false, WON), ["Ann wins"]);
  assert.deepEqual(shouts(false, DECIDED, WON), ["Ann wins the match", undefined]);
});

test("a match is that of one player if there is one and its end is a figure", () => {
  assert.equal(onlyPlayer(match("jdc_challenge", "Ann"))?.name, "Ann");
  assert.equal(onlyPlayer(match("jdc_challenge", "Ann", "Bob")), undefined);
  assert.equal(onlyPlayer(match("x01", "Ann")), undefined);
});
