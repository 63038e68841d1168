// Where players are on a screen, and when a match has not begun.
import assert from "node:assert/strict";
import { test } from "node:test";
import { boardOfTurn, isUnthrown, ownFirst, seated } from "../src/games/seats";
import type { Match } from "../src/match";

const players = (...names: string[]) => names.map((name) => ({ name, score: 501 }));

test("the same players keep their places when another one begins", () => {
  const places = (found: { name: string }[]) => found.map(({ name }) => name);
  assert.deepEqual(places(seated(players("Bob", "Ann"), ["Ann", "Bob"])), ["Ann", "Bob"]);
  assert.deepEqual(places(seated(players("Bob", "Cleo"), ["Ann", "Bob"])), ["Bob", "Cleo"]);
  assert.deepEqual(places(seated(players("Bob"), ["Ann", "Bob"])), ["Bob"]);
  assert.deepEqual(places(seated(players("Bob", "Ann"), [""])), ["Bob", "Ann"]);
});

test("a match has not begun until its first dart", () => {
  const turn = { player: "Ann", actor: "Ann", darts: [] as string[], awaits: "throw" as const };
  const state = (about: Partial<Match>): Match => ({
    ...{ match: "m", revision: 1, game: "x01", finished: false, winners: [], turn, players: players("Ann", "Bob") },
    ...about,
  });
  const visited = (...visits: number[]) => players("Ann", "Bob").map((player) => ({ ...player, visits }));
  assert.equal(isUnthrown(state({ round: 1, leg: 1 })), true);
  assert.equal(isUnthrown(state({ players: visited() })), true);
  assert.equal(isUnthrown(state({ players: visited(0) })), false);
  assert.equal(isUnthrown(state({})), false, "a game with neither rounds nor visits");
  assert.equal(isUnthrown(state({ round: 1, turn: { ...turn, darts: ["T20"] } })), false);
  assert.equal(isUnthrown(state({ round: 1, turn: { ...turn, player: "Bob", actor: "Bob" } })), false);
  assert.equal(isUnthrown(state({ round: 1, turn: { ...turn, awaits: "roll" } })), false);
  assert.equal(isUnthrown(state({ round: 2 })), false);
  assert.equal(isUnthrown(state({ round: 1, finished: true })), false);
});

test("a screen shows those first who throw at its board, and says where the turn is", () => {
  const turn = { player: "Ann", actor: "Bob", darts: [] as string[], awaits: "throw" as const };
  const match: Match = {
    ...{ match: "m", revision: 1, game: "x01", finished: false, winners: [], turn },
    players: [
      { name: "Ann", score: 1, board: "lounge" },
      { name: "Bob", score: 2, board: "kitchen" },
      { name: "Cid", score: 3, board: "lounge" },
    ],
  };
  const order = (board: string) => ownFirst(match, board).players.map(({ name }) => name);
  assert.deepEqual(order("kitchen"), ["Bob", "Ann", "Cid"]);
  assert.deepEqual(order("lounge"), ["Ann", "Cid", "Bob"]);
  assert.equal(ownFirst(match, "attic"), match);
  assert.equal(boardOfTurn(match), "kitchen");
  assert.equal(boardOfTurn({ ...match, turn: { ...turn, awaits: "next" } }), "lounge");
  assert.equal(boardOfTurn({ ...match, finished: true }), undefined);
  assert.equal(boardOfTurn({ ...match, players: players("Ann", "Bob") }), undefined);
});
