// Whose first turn of a match a page has seen begin.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Match, MatchEvent } from "../src/match";
import { onWalkOn } from "../src/sound/walk-on";

function walksOf(events: Omit<MatchEvent, "id">[]): string[] {
  const found: string[] = [];
  const turn = { player: "Ann", actor: "Ann", darts: [], awaits: "throw" as const };
  const match: Match = { match: "m", revision: 1, game: "x01", finished: false, winners: [], turn, players: [] };
  let tell: (event: MatchEvent) => void = () => undefined;
  onWalkOn({ match, onEvent: (listener) => ((tell = listener), () => undefined) }, (player) => found.push(player));
  for (const event of events) tell({ id: "", event: "", ...event });
  return found;
}

const started = { event: "started", match: "m" };
const turnOf = (player: string, match = "m") => ({ event: "turn", match, player });

test("each player walks on once, at the first turn of the match", () => {
  assert.deepEqual(walksOf([started, turnOf("Bob"), turnOf("Ann"), turnOf("Bob")]), ["Ann", "Bob"]);
  assert.deepEqual(walksOf([started, turnOf("Bob"), started, turnOf("Bob")]), ["Ann", "Bob", "Ann", "Bob"]);
});

test("nobody walks on in a match whose start the page has not seen", () => {
  assert.deepEqual(walksOf([turnOf("Ann"), turnOf("Bob")]), []);
  assert.deepEqual(walksOf([started, turnOf("Bob", "other")]), ["Ann"]);
});
