// What a player's phone may do, as the daemon decides it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { userOf } from "../src/control/user-name";

test("the user name of a player is the one that the daemon makes", () => {
  const known = { Ann: "ann", "Jürgen K.": "jurgen-k", Zoë: "zoe", Groß: "gross", "--Bo--": "bo", "７ Up": "7-up" };
  for (const [player, user] of Object.entries(known)) assert.equal(userOf(player), user, player);
  // Of these the daemon takes a hash.
  for (const player of ["180", "Ольга", "…"]) assert.equal(userOf(player), undefined, player);
  assert.equal(userOf("x".repeat(40)), "x".repeat(32));
});
