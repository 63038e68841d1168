// Who begins a rematch, and with whom.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Match, Player } from "../src/match";
import { rematchOf } from "../src/result/rematch";

function over(players: Partial<Player>[], about: Partial<Match> = {}): Match {
  const turn = { player: "A", actor: "A", darts: [], awaits: "nothing" as const };
  const all = players.map((player) => ({ name: "", score: 0, ...player }));
  return { match: "m", revision: 1, game: "x01", finished: true, winners: ["A"], turn, players: all, ...about };
}

test("the next player begins, and the house does not count as one", () => {
  const players = [{ name: "A" }, { name: "B" }, { name: "C" }, { name: "Cerberus", house: true }];
  assert.deepEqual(rematchOf(over(players)).players, ["B", "C", "A"]);
});

test("teams stay as they are: of each the same partner is the first", () => {
  const two = ["A", "B", "C", "D"].map((name, i) => ({ name, team: (i % 2) + 1 }));
  assert.deepEqual(rematchOf(over(two)).players, ["B", "A", "D", "C"]);
  const three = ["A", "B", "C", "D", "E", "F"].map((name, i) => ({ name, team: (i % 3) + 1 }));
  assert.deepEqual(rematchOf(over(three)).players, ["B", "C", "A", "E", "F", "D"]);
});

test("a medley is started again as the medley, with its bots", () => {
  const match = over([{ name: "A" }, { name: "B" }], {
    game: "cricket",
    format: "medley",
    options: { legs: [] },
    bots: { B: 25 },
  });
  assert.deepEqual(rematchOf(match), { game: "medley", players: ["B", "A"], options: { legs: [] }, bots: { B: 25 } });
});

test("everybody throws at their own board again", () => {
  const players = [
    { name: "A", board: "lounge" },
    { name: "B", board: "kitchen" },
    { name: "C", board: "lounge" },
  ];
  const { players: names, boards } = rematchOf(over(players));
  assert.deepEqual(names, ["B", "C", "A"]);
  assert.deepEqual(boards, ["kitchen", "lounge", "lounge"]);
});
