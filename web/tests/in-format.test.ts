// Which options of a match in a format belong to the match, and which to the game of its first leg.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hasOwnLegs, inFormat, ofThesePlayers } from "../src/control/in-format";

const PLAYERS = ["Ann", "Bob"];
const option = (name: string) => ({ name, help: "", schema: {} });
const FORMATS = ["best_of", "order", "compare", "again", "decides"].map(option);

test("the option order of a game that has one itself stays with its leg in a medley", () => {
  const wars = { game: "dart_wars", players: PLAYERS, options: { order: "listed", supply: 9 } };
  const formats = FORMATS.filter(({ name }) => name !== "order");
  assert.deepEqual(inFormat(wars, { formats }, ["x01"]), {
    game: "medley",
    players: PLAYERS,
    options: { legs: [{ game: "dart_wars", options: { order: "listed", supply: 9 } }, { game: "x01" }] },
  });
});

test("the throw for the bull and the options of every match go to the medley", () => {
  const x01 = {
    game: "x01",
    players: PLAYERS,
    options: { start: 301, legs: 2, order: "bull", auto_next: 5, best_of: 3 },
  };
  assert.deepEqual(inFormat(x01, { formats: FORMATS }, ["choice"]).options, {
    legs: [{ game: "x01", options: { start: 301, legs: 2 } }, "choice"],
    order: "bull",
    auto_next: 5,
  });
});

test("a game with legs or sets of its own is sent without the formats that would be refused", () => {
  const options = { start: 301, legs: 2, order: "bull", again: "never" };
  assert.deepEqual(inFormat({ game: "x01", players: PLAYERS, options }, { formats: FORMATS }, []).options, {
    start: 301,
    legs: 2,
  });
  assert.equal(hasOwnLegs({ legs: 1, sets: 1 }), false);
  assert.equal(hasOwnLegs({ sets: 2 }), true);
});

test("one game in several legs keeps its formats", () => {
  const options = { best_of: 3, order: "bull" };
  const start = { game: "cricket", players: PLAYERS, options };
  assert.deepEqual(inFormat(start, { formats: FORMATS }, []), start);
});

const HANDICAP = [option("start"), { ...option("handicap"), schema: { type: "object" as const } }];

test("what is said of players who are not in the match is left out", () => {
  const given = { start: 301, handicap: { Ann: 201, Cleo: 401 }, best_of: { legs: 3 } };
  const kept = { start: 301, handicap: { Ann: 201 }, best_of: { legs: 3 } };
  assert.deepEqual(ofThesePlayers({ options: HANDICAP }, given, ["Ann", "Bob"]), kept);
  assert.deepEqual(ofThesePlayers({ options: HANDICAP }, given, ["Bob"]), { start: 301, best_of: { legs: 3 } });
  assert.deepEqual(ofThesePlayers({ options: HANDICAP }, { start: 501 }, ["Bob"]), { start: 501 });
});
