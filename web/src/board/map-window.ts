// The part of a map that is shown, and how large a unit of it is on the screen.
import { useEffect, useState } from "preact/hooks";
import { EDGE } from "./edge";

/** A square of the board: its middle, y up, and half of its width, in radii of the outer double wire. */
export interface MapWindow {
  x: number;
  y: number;
  half: number;
}

export const WHOLE: MapWindow = { x: 0, y: 0, half: EDGE };

/** At arm's length no word is smaller, in pixels. */
const ARMS_LENGTH = 12;
/** On a wall with 1080 lines. */
const WALL = 24;
/** A screen whose short side is less is a phone. */
const PHONE = 600;

/** The window that shows as many of these points as one of this size can; undefined if the whole board is needed. */
export function windowOn(points: [number, number][], half: number): MapWindow | undefined {
  const [first] = points;
  if (!first) return undefined;
  const middle = (axis: 0 | 1) => {
    const all = points.map((point) => point[axis]);
    return (Math.min(...all) + Math.max(...all)) / 2;
  };
  const inside = half * 0.9;
  const seen = ({ x, y }: MapWindow) =>
    points.filter(([px, py]) => Math.abs(px - x) <= inside && Math.abs(py - y) <= inside).length;
  const most = EDGE - half;
  const at = (x: number, y: number): MapWindow => ({
    x: Math.min(most, Math.max(-most, x)),
    y: Math.min(most, Math.max(-most, y)),
    half,
  });
  // Of the windows that show most, one has a point at its left edge and one at its lower edge, unless the board ends there.
  const edge = inside * 0.999;
  const tried = [at(middle(0), middle(1)), ...points.flatMap(([x]) => points.map(([, y]) => at(x + edge, y + edge)))];
  return tried.reduce((best, one) => (seen(one) > seen(best) ? one : best));
}

/** Whether a window shows a point. */
export function shows({ x, y, half }: MapWindow, [px, py]: [number, number]): boolean {
  return Math.abs(px - x) <= half && Math.abs(py - y) <= half;
}

/** The least height of letters in radii, on a map that shows this window; the map's element is `ref`. */
export function useLeast(ref: { current: SVGSVGElement | null }, { half }: MapWindow): number {
  const [least, setLeast] = useState(0);
  useEffect(() => {
    const map = ref.current;
    if (!map) return undefined;
    const measure = () => {
      const width = Math.min(map.clientWidth, map.clientHeight);
      const short = Math.min(innerWidth, innerHeight);
      const pixels = map.closest(".tv") && short >= PHONE ? (WALL * short) / 1080 : ARMS_LENGTH;
      if (width > 0) setLeast((pixels * 2 * half) / width);
    };
    const watch = new ResizeObserver(measure);
    watch.observe(map);
    measure();
    return () => watch.disconnect();
  }, [ref, half]);
  return least;
}
