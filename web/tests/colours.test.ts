// Every colour has its name in one file, so that a theme is read, and changed, in one place.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const FOLDER = "src/css";
const COLOURS = "colours.css";
const css = (name: string) => readFileSync(`${FOLDER}/${name}`, "utf8");
const files = readdirSync(FOLDER).filter((name) => name.endsWith(".css"));

test("no other file names a colour by its number", () => {
  const found = files
    .filter((name) => name !== COLOURS)
    .flatMap((name) => [...css(name).matchAll(/#[\da-f]{3,8}(?=[\s;,)])/gi)].map(([colour]) => `${name}: ${colour}`));
  assert.deepEqual(found, []);
});

test("every colour is used", () => {
  const named = new Set([...css(COLOURS).matchAll(/^ {2}--([\w-]+):/gm)].map(([, name]) => name));
  const everything = files.map(css).join("\n");
  const unused = [...named].filter((name) => !everything.includes(`var(--${name})`));
  assert.deepEqual(unused, []);
});
