// Which addresses are pages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pageAt } from "../src/page-paths";

test("a page is found with the parts of its address", () => {
  assert.deepEqual(pageAt("/"), { page: "home", parts: {} });
  assert.deepEqual(pageAt("/board/lounge"), { page: "scoreboard", parts: { board: "lounge" } });
  assert.deepEqual(pageAt("/board/lounge/control/"), { page: "control", parts: { board: "lounge" } });
  assert.deepEqual(pageAt("/board/lounge/health"), { page: "health", parts: { board: "lounge" } });
  assert.deepEqual(pageAt("/overlay/den-2"), { page: "overlay", parts: { board: "den-2" } });
  assert.deepEqual(pageAt("/players/AC%2FDC"), { page: "player", parts: { name: "AC%2FDC" } });
});

test("other addresses are no pages", () => {
  for (const path of ["/sw.js", "/board/", "/board/A", "/wall/x", "/boardx", "//", `/board/${"a".repeat(33)}`])
    assert.equal(pageAt(path), undefined, path);
});
