// Names on a map, and the part of it that a phone shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { EDGE } from "../src/board/edge";
import { shows, windowOn } from "../src/board/map-window";
import { fitted } from "../src/board/short-names";

test("a name is written in full, short, or cut, as there is room", () => {
  const size = 0.05;
  const room = (letters: number) => letters * 0.43 * size * 1.001;
  assert.equal(fitted("Kamchatka", room(9), size), "Kamchatka");
  assert.equal(fitted("Kamchatka", room(7), size), "Kamch.");
  assert.equal(fitted("Athabasca", room(8), size), "Athabas.");
  assert.equal(fitted("Kamchatka", room(1), size), "Kam");
  assert.equal(fitted("Scandinavia", room(10), size), "Scand.");
  assert.equal(fitted("Aleutians", room(6), size), "Aleut.");
  assert.equal(fitted("Aleutians", room(5), size), "Aleu.");
  assert.equal(fitted("Gulf of Alaska", room(10), size), "G. Alaska");
  assert.equal(fitted("New England", room(10), size), "N. England");
  assert.equal(fitted("Gulf of Alaska", room(8), size), "G. Alas.");
  assert.equal(fitted("North Atlantic", room(6), size), "N. Atl");
  assert.equal(fitted("Baltic Sea", room(7), size), "Baltic");
  // Nothing but words that are written short: the first one is the name.
  assert.equal(fitted("North Sea", room(6), size), "North");
  assert.equal(fitted("Mer du Nord", room(6), size), "Nord");
  assert.equal(fitted("Nouvelle-Zélande", room(11), size), "N. Zélande");
  assert.equal(fitted("Pacifique Nord", room(8), size), "N. Pac.");
  assert.equal(fitted("Mer d’Okhotsk", room(8), size), "Okhotsk");
  assert.equal(fitted("Golf von Alaska", room(9), size), "G. Alaska");
  // A cut name ends with a consonant, and a compound at one of its parts.
  assert.equal(fitted("Britain", room(6), size), "Brit.");
  assert.equal(fitted("Dänemarkstraße", room(10), size), "Dänemark");
  assert.equal(fitted("Ochotskisches Meer", room(10), size), "Ochotsk");
  assert.equal(fitted("Nordpazifik", room(10), size), "N. Pazifik");
  assert.equal(fitted("Keltische See", room(9), size), "Keltische");
});

test("a window shows the points if it can, and never more than the board", () => {
  const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 8 }), (points) => {
      const window = windowOn(points, 0.72);
      assert.ok(window);
      assert.ok(Math.abs(window.x) + window.half <= EDGE + 1e-9 && Math.abs(window.y) + window.half <= EDGE + 1e-9);
      const fit = ([0, 1] as const).every((axis) => {
        const all = points.map((point) => point[axis]);
        return Math.max(...all) - Math.min(...all) < 2 * 0.72 * 0.89;
      });
      assert.ok(!fit || points.every((point) => shows(window, point)));
      const [x = 0, y = 0] = points[0] ?? [];
      const one = windowOn([[x, y]], 0.72);
      assert.ok(one && shows(one, [x, y]));
    }),
  );
  assert.equal(windowOn([], 0.72), undefined);
  assert.ok(!shows({ x: 0.3, y: 0, half: 0.5 }, [-0.3, 0]));
  assert.ok(!shows({ x: 0.3, y: 0, half: 0.5 }, [0.3, 0.6]));
});
