// What a browser keeps, where it can keep nothing.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { getStored, setStored } from "../src/storage";

function withStore(store: PropertyDescriptor): void {
  Object.defineProperty(globalThis, "localStorage", { ...store, configurable: true });
}

const own = Object.getOwnPropertyDescriptor(globalThis, "localStorage");

afterEach(() => {
  if (own) Object.defineProperty(globalThis, "localStorage", own);
  else Reflect.deleteProperty(globalThis, "localStorage");
});

test("a browser that keeps texts gives them back", () => {
  const kept = new Map<string, string>();
  const value = { getItem: (key: string) => kept.get(key) ?? null, setItem: (k: string, v: string) => kept.set(k, v) };
  withStore({ value });
  setStored("oche.sides.lounge", "Jürgen\nОльга");
  assert.equal(getStored("oche.sides.lounge"), "Jürgen\nОльга");
  assert.equal(getStored("oche.sides.bar"), null);
});

test("a store that is full or forbidden disturbs no page", () => {
  const fails = () => {
    throw new Error("QuotaExceededError");
  };
  withStore({ value: { getItem: () => "before", setItem: fails } });
  setStored("oche.sound", "on");
  assert.equal(getStored("oche.sound"), "before");
  // Where it is forbidden even its name fails.
  withStore({ get: fails });
  setStored("oche.sound", "on");
  assert.equal(getStored("oche.sound"), null);
});
