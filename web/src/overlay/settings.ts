// What the address of an overlay says: which parts it shows, how large they are, and where.

/** What can be left out; names and scores are always there. The order is that of the documentation. */
export const PARTS = ["title", "legs", "visit", "average", "darts", "checkout"] as const;
export type Part = (typeof PARTS)[number];

export const PLACES = ["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"] as const;
export type Place = (typeof PLACES)[number];

const BACKS = ["panel", "none"] as const;

/** The heights of a line in pixels. */
export const SIZES = { least: 16, most: 120, usual: 44 } as const;

export interface Settings {
  parts: ReadonlySet<Part>;
  size: number;
  place: Place;
  back: (typeof BACKS)[number];
}

/** A setting that is not known, or one with a value that it does not take; `allowed` is what it takes. */
export interface Mistake {
  name: string;
  value?: string;
  allowed: string;
}

const OWN = ["parts", "size", "place", "back"] as const;
/** Settings of every page, which have checks of their own. */
const OF_PAGES = ["lang", "theme"];

/** Reads a query: the settings, with the usual ones for what is left out or wrong, and every mistake. */
export function readSettings(query: string): { settings: Settings; mistakes: Mistake[] } {
  const asked = new URLSearchParams(query);
  const mistakes: Mistake[] = [];
  const names = new Set<string>([...OWN, ...OF_PAGES]);
  for (const name of new Set(asked.keys())) if (!names.has(name)) mistakes.push({ name, allowed: OWN.join(", ") });

  function one<T extends string>(name: string, among: readonly T[], usual: T): T {
    const value = asked.get(name);
    if (value === null) return usual;
    const found = among.find((known) => known === value);
    if (found === undefined) mistakes.push({ name, value, allowed: among.join(", ") });
    return found ?? usual;
  }

  const size = asked.get("size");
  const height = size === null ? SIZES.usual : Number(size);
  const isSize = size === null || (/^[0-9]+$/.test(size) && height >= SIZES.least && height <= SIZES.most);
  if (!isSize) mistakes.push({ name: "size", value: size, allowed: `${SIZES.least}–${SIZES.most}` });

  const listed = asked.get("parts");
  const wanted = listed === null ? [...PARTS] : listed.split(",").filter(Boolean);
  for (const value of wanted)
    if (!PARTS.includes(value as Part)) mistakes.push({ name: "parts", value, allowed: PARTS.join(", ") });

  const settings = {
    parts: new Set(wanted.filter((value): value is Part => PARTS.includes(value as Part))),
    size: isSize ? height : SIZES.usual,
    place: one("place", PLACES, "bottom-left"),
    back: one("back", BACKS, "panel"),
  };
  return { settings, mistakes };
}
