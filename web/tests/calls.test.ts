// What the caller says, in which order, and never later than a dart.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Call, CallQueue } from "../src/sound/call-queue";
import { stepsOf } from "../src/sound/pack";
import { named, playerFile } from "../src/sound/player-file";

function call(text: string, priority = 1): Call {
  return { parts: [{ text, files: [] }], priority };
}

/** A voice that speaks until a test says that it has spoken. */
class Voice {
  said: string[] = [];
  stopped = 0;
  #end: (() => void) | undefined;

  readonly speak = (spoken: Call) => {
    this.said.push(spoken.parts.map(({ text }) => text).join(" "));
    let end: () => void = () => undefined;
    const done = new Promise<void>((resolve) => (end = resolve));
    this.#end = end;
    return {
      done,
      stop: () => {
        this.stopped++;
        end();
      },
    };
  };

  async ends(): Promise<void> {
    this.#end?.();
    await settled();
  }
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

test("calls are spoken one after the other, the important ones first", async () => {
  const voice = new Voice();
  const queue = new CallQueue(voice.speak);
  for (const [text, priority] of [
    ["60", 2],
    ["Bob", 1],
    ["Ann", 1],
    ["game shot", 4],
  ] as const) {
    queue.add(call(text, priority));
  }
  assert.deepEqual(voice.said, ["60"]);
  for (let i = 0; i < 4; i++) await voice.ends();
  assert.deepEqual(voice.said, ["60", "game shot", "Bob", "Ann"]);
});

test("a call that is two darts old is dropped, also while it is spoken", async () => {
  const voice = new Voice();
  const queue = new CallQueue(voice.speak);
  queue.add(call("60"));
  queue.add(call("Bob"));
  queue.dart();
  assert.equal(voice.stopped, 0);
  queue.add(call("140"));
  queue.dart();
  await settled();
  assert.equal(voice.stopped, 1);
  assert.deepEqual(voice.said, ["60", "140"]);
});

test("what was taken back is not called", async () => {
  const voice = new Voice();
  const queue = new CallQueue(voice.speak);
  queue.add(call("1"));
  queue.add(call("180"));
  queue.clear();
  queue.add(call("100"));
  await voice.ends();
  await voice.ends();
  assert.deepEqual(voice.said, ["1", "100"]);
});

test("whatever comes, no call begins later than one dart after it was due, and none is said twice", async () => {
  const steps = fc.array(fc.oneof(fc.constant("dart"), fc.constant("end"), fc.integer({ min: 1, max: 5 })));
  await fc.assert(
    fc.asyncProperty(steps, async (actions) => {
      const voice = new Voice();
      const queue = new CallQueue(voice.speak);
      const due: number[] = [];
      let darts = 0;
      let seen = 0;
      for (const action of actions) {
        if (action === "dart") {
          darts++;
          queue.dart();
        } else if (action === "end") await voice.ends();
        else {
          due.push(darts);
          queue.add(call(String(due.length - 1), action as number));
        }
        await settled();
        for (; seen < voice.said.length; seen++) assert.ok(darts - (due[Number(voice.said[seen])] ?? 0) <= 1);
      }
      assert.equal(new Set(voice.said).size, voice.said.length);
    }),
    { numRuns: 50 },
  );
});

test("a part is played if the pack has all its files, else it is spoken", () => {
  const pack = { name: "Russ", files: { you_require: "you_require.ogg", "40": "40.ogg", "x01.60": "own.mp3" } };
  const parts = [
    { text: "Ann", files: ["x01.player_ann|player_ann"] },
    { text: "you require 40", files: ["x01.you_require|you_require", "x01.40|40"] },
  ];
  assert.deepEqual(stepsOf({ parts, priority: 1 }, pack), [
    { text: "Ann" },
    { file: "/callers/Russ/you_require.ogg" },
    { file: "/callers/Russ/40.ogg" },
  ]);
  assert.deepEqual(stepsOf({ parts, priority: 1 }, undefined), [{ text: "Ann, you require 40" }]);
  const score = { parts: [{ text: "60", files: ["x01.60|60"] }], priority: 2 };
  assert.deepEqual(stepsOf(score, pack), [{ file: "/callers/Russ/own.mp3" }]);
});

test("the file of a name has the player's user name, and a name without one is spoken with its sentence", () => {
  assert.equal(playerFile("Jürgen Groß"), "player_jurgen-gross");
  for (const player of ["Борис", "180", "…"]) assert.equal(playerFile(player), undefined, player);
  assert.deepEqual(named(["game_shot"], ["Groß"]), ["game_shot", "player_gross"]);
  assert.deepEqual(named(["out"], []), ["out"]);
  assert.deepEqual(named(["won"], ["Ann", "Борис"]), []);
});
