// How many columns of tiles fill a screen best, and how many players a tile has room for.

/** The shape that a tile should have: its width for a height of one. */
const SHAPE = 1.4;

/** A tile that is narrower than this part of the screen's short side has no room for long names. */
const NARROW = 0.42;

/** The columns and rows for a number of tiles, so that they are as large as possible. */
export function gridFor(tiles: number, width: number, height: number): { columns: number; rows: number } {
  let best = { columns: 1, rows: Math.max(1, tiles), size: 0 };
  for (let columns = 1; columns <= tiles; columns++) {
    const rows = Math.ceil(tiles / columns);
    const wide = Math.min(1, width / columns / (NARROW * Math.min(width, height)));
    const size = wide * Math.min(width / columns / SHAPE, height / rows);
    if (size > best.size * 1.001) best = { columns, rows, size };
  }
  return { columns: best.columns, rows: best.rows };
}

/** Whether tiles in so many columns have no room for long names. */
export function isNarrow(columns: number, width: number, height: number): boolean {
  return width / columns < NARROW * Math.min(width, height);
}

/** A name of several words with initials instead of all but the first. */
export function shortName(name: string): string {
  const [first = "", ...rest] = name.split(" ").filter(Boolean);
  return [first, ...rest.map((word) => `${[...word][0]}.`)].join(" ");
}

/** Of the sides of a match those that fit: all of them, else the one that throws and those who come next. */
export function fitting<S>(sides: S[], active: number, room: number): { shown: S[]; more: number } {
  const places = Math.max(1, room);
  if (sides.length <= places) return { shown: sides, more: 0 };
  const first = Math.max(0, active);
  const shown = Array.from({ length: places }, (_, i) => sides[(first + i) % sides.length] as S);
  return { shown, more: sides.length - places };
}
