// Where the darts of a turn are drawn.
import type { Geometry } from "../geometry";
import type { Turn } from "../match";

export interface PlacedDart {
  /** Stays the same as long as the dart does. */
  key: string;
  at: [number, number];
  latest: boolean;
}

/** Offsets in radians and radii, so that two or three darts in one bed are all visible. */
const SPREAD: [number, number][] = [
  [0, 0],
  [0.105, 0.008],
  [-0.1, -0.008],
  [0.05, 0.02],
];

/** Missed darts are in a free corner around the board. */
const OFF: [number, number][] = [
  [0.94, -1.15],
  [1.1, -1.08],
  [1.17, -0.92],
];

/** The positions of the darts of a turn: where they landed, or near the middle of their bed. */
export function placed(turn: Turn, geometry: Geometry): PlacedDart[] {
  const seen = new Map<string, number>();
  return turn.darts.flatMap((text, i) => {
    const nth = seen.get(text) ?? 0;
    seen.set(text, nth + 1);
    const at = turn.at?.[i] ?? place(text, nth, geometry);
    return at ? [{ key: `${i}-${text}`, at, latest: i === turn.darts.length - 1 }] : [];
  });
}

/** Where a dart is drawn if only its name is known; undefined for a miss. */
export function place(text: string, nth: number, geometry: Geometry): [number, number] | undefined {
  if (text === "MISS") return OFF[nth % OFF.length];
  const bed = geometry.beds[text];
  return bed && spreadOut(bed.at, nth);
}

/** A place for the nth dart at a point. */
export function spreadOut([x, y]: [number, number], nth: number): [number, number] {
  const [turn, out] = SPREAD[nth % SPREAD.length] ?? [0, 0];
  const radius = Math.hypot(x, y);
  // Near the centre a small angle has no effect: the darts form a triangle there.
  if (radius < 0.2) {
    const angle = Math.atan2(x, y) + (nth * 2 * Math.PI) / 3;
    const distance = Math.max(radius, nth === 0 ? 0 : 0.022);
    return [distance * Math.sin(angle), distance * Math.cos(angle)];
  }
  const angle = Math.atan2(x, y) + turn;
  return [(radius + out) * Math.sin(angle), (radius + out) * Math.cos(angle)];
}
