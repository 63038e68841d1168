// What the daemon says in English has a translation: reasons of refusals, and the places of the maps.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import french from "../src/messages/french";
import german from "../src/messages/german";
import { SAID as FRENCH } from "../src/messages/french";
import { SAID as GERMAN } from "../src/messages/german";

const ROOT = "..";

test("every reason and every place is translated", () => {
  const listed = readFileSync(`${ROOT}/engine/refusals.py`, "utf8").match(/Literal\[([^\]]*)\]/)?.[1] ?? "";
  const reasons = [...listed.matchAll(/"(\w+)"/g)].map(([, reason = ""]) => reason);
  assert.ok(reasons.length > 20);
  const folder = `${ROOT}/boards/faces`;
  const faces = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, "utf8"));
  const places = faces.flatMap((face) =>
    [...face.matchAll(/\[\[place\]\]\nname = "(\w+)"/g)].map(([, name = ""]) => name),
  );
  assert.ok(places.length > 80);
  for (const { reasons: said, places: named } of [GERMAN, FRENCH]) {
    assert.deepEqual(
      reasons.filter((reason) => !said[reason]),
      [],
    );
    assert.deepEqual(
      [...new Set(places)].filter((place) => !named[place]),
      [],
    );
    assert.deepEqual(
      Object.keys(named).filter((place) => !places.includes(place)),
      [],
    );
  }
});

test("a message has the same values in every language", () => {
  const values = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
  for (const [key, text] of Object.entries(german)) {
    assert.deepEqual(values(text), values(french[key as keyof typeof french]), key);
  }
});

test("no French colon, question mark or quotation mark goes to the next line without its word", () => {
  const folder = "src/messages";
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith("fr.json"))
    .flatMap((name) => Object.entries(JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as Record<string, string>));
  assert.ok(texts.length > 500);
  // "http://", "--board" and the time of day need no space; a sentence of one mark alone has none.
  const breaks = (text: string) => /\s(?<![\u00a0\u202f])[:;!?»]|«(?!\u00a0)|\p{L}[;!?]|\p{L}:(?!\/\/)/u.test(text);
  assert.deepEqual(
    texts.filter(([, text]) => breaks(text)).map(([key]) => key),
    [],
  );
});
