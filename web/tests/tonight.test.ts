// What an idle screen says of the evening.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { MatchInfo, PlayerFigures, PlayerResult } from "../src/history/request";
import { reachedAlone } from "../src/games/alone";
import { eveningOf, isNight, lastResult, recordsOf, tableOf } from "../src/idle/tonight";

const NOW = new Date(2026, 10, 22, 1, 30);

function match(about: Partial<MatchInfo>): MatchInfo {
  const started = new Date(2026, 10, 21, 21, 0).toISOString();
  return {
    id: "m",
    board: "b",
    game: "x01",
    players: ["Ann", "Bob"],
    options: {},
    started,
    result: "finished",
    winners: ["Ann"],
    ...about,
  };
}

test("the last result is of a match that was finished", () => {
  const whole = match({ id: "whole" });
  const { result: _result, winners: _winners, ...running } = match({ id: "running" });
  assert.equal(lastResult([running, match({ result: "stopped" }), match({ damaged: true }), whole]), whole);
  assert.equal(lastResult([]), undefined);
});

test("an evening lasts over midnight", () => {
  assert.deepEqual(eveningOf(NOW), new Date(2026, 10, 21, 6, 0));
  assert.deepEqual(eveningOf(new Date(2026, 10, 22, 6, 0)), new Date(2026, 10, 22, 6, 0));
});

test("tonight's table counts what was finished tonight, without bots", () => {
  const played = [
    match({}),
    match({ winners: ["Bob"], players: ["Bob", "Cleo"] }),
    match({ winners: ["Bob"], players: ["Bob", "Rex"], bots: { Rex: 20 } }),
    match({ result: "stopped" }),
    match({ winners: ["Cleo"], players: ["Cleo"] }),
    match({ started: new Date(2026, 10, 20, 23, 0).toISOString() }),
  ];
  assert.deepEqual(tableOf(played, NOW), [
    { name: "Bob", won: 2, played: 3 },
    { name: "Ann", won: 1, played: 1 },
    { name: "Cleo", won: 0, played: 2 },
  ]);
});

test("records are the best of the house; fewer darts are better", () => {
  const player = (name: string, x01: object, cricket?: object) =>
    ({ name, matches: 1, won: 1, games: {}, beds: {}, x01: { tons: {}, ...x01 }, cricket }) as unknown as PlayerFigures;
  const found = recordsOf([
    player("Ann", { best_checkout: 120, best_leg: 15, tons: { "180": 2 } }),
    player("Bob", { best_checkout: 170, best_leg: 18, tons: { "180": 0 } }, { best_mpr: 3.5 }),
  ]);
  assert.deepEqual(found, [
    { kind: "checkout", value: 170, name: "Bob" },
    { kind: "maximums", value: 2, name: "Ann" },
    { kind: "leg", value: 15, name: "Ann" },
    { kind: "mpr", value: 3.5, name: "Bob" },
  ]);
  assert.deepEqual(recordsOf([]), []);
});

test("a night can lie over midnight, or not at all", () => {
  const at = (hour: number, minute = 0) => new Date(2026, 10, 22, hour, minute);
  assert.deepEqual(
    [22, 23, 0, 6, 7, 12].map((hour) => isNight(["23:00", "07:00"], at(hour))),
    [false, true, true, true, false, false],
  );
  assert.equal(isNight(["01:00", "05:30"], at(5, 29)), true);
  assert.equal(isNight(["01:00", "05:30"], at(5, 30)), false);
  assert.equal(isNight([], at(3)), false);
});

test("one player alone has reached a figure, and beaten nobody", () => {
  const alone = match({ game: "bobs_27", players: ["Ann"], results: [{ won: true, score: -11 } as PlayerResult] });
  assert.deepEqual(reachedAlone(alone), { name: "Ann", score: -11 });
  assert.equal(reachedAlone({ ...alone, game: "x01" }), undefined);
  assert.equal(reachedAlone({ ...alone, players: ["Ann", "Bob"] }), undefined);
});
