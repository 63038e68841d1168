// The engine's geometry of the dartboard: `GET /geometry.json`. Lengths are in radii of the outer double wire, y up.
import type { Venue } from "./venue";

interface Bed {
  points: number;
  number: number;
  multiplier: number;
  at: [number, number];
  /** The beds that a board takes this one for, likeliest first. */
  neighbours: string[];
}

export interface Geometry {
  node: string;
  /** Clockwise from the top. */
  numbers: number[];
  /** Outer radii of inner bull, outer bull, inner single, triple, outer single, double. */
  radii: number[];
  beds: Record<string, Bed>;
  /** The beds of a board that does not tell the halves of a single apart. */
  playable: string[];
  faces: Record<string, MapFace | CirclesFace>;
  /** The titles of the games by name; not on the pages of a lesson. */
  games?: Record<string, string>;
  /** What the venue has configured; not on the pages of a lesson. */
  web?: Venue;
}

/** A place of a map: a country or a water. */
interface Place {
  title: string;
  land: boolean;
  /** A white territory. */
  white: boolean;
  /** The beds that it consists of, inner and outer singles apart. */
  beds: string[];
  /** The places that a troop can reach from here. */
  ways: string[];
}

export interface MapFace {
  kind: "map";
  title: string;
  places: Record<string, Place>;
  /** The lines over water by which two countries are joined: x to the right, y up, in board radii. */
  links: [number, number][][];
}

/** A figure of overlapping circles with rings round a star. */
export interface CirclesFace {
  kind: "circles";
  title: string;
  /** The star's radius. */
  star: number;
  /** From the middle outwards. */
  rings: { name: string; to: number; times: number }[];
  circles: { number: number; at: [number, number]; radius: number }[];
  /** A point in the middle of each zone, and what a dart in it can score. */
  zones: Record<string, { at: [number, number]; numbers: number[]; times: number }>;
  /** The zone of each bed, for a board that reports beds. */
  overlay: Record<string, string>;
}

/** The same geometry with the places of its maps named in the page's language. */
export function inLanguage(geometry: Geometry, name: (place: string, title: string) => string): Geometry {
  const named = (face: MapFace | CirclesFace) =>
    face.kind !== "map"
      ? face
      : { ...face, places: mapped(face.places, (place, key) => ({ ...place, title: name(key, place.title) })) };
  return { ...geometry, faces: mapped(geometry.faces, named) };
}

function mapped<V, W>(values: Record<string, V>, change: (value: V, key: string) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]));
}

/** The map of this name; undefined if the face is not a map. */
export function mapFace({ faces }: Geometry, name: string): MapFace | undefined {
  const face = faces[name];
  return face?.kind === "map" ? face : undefined;
}

/** The figure of this name; undefined if the face is not a figure. */
export function circlesFace({ faces }: Geometry, name: string): CirclesFace | undefined {
  const face = faces[name];
  return face?.kind === "circles" ? face : undefined;
}

/** One bed as it is drawn: a plain single is two of them. */
interface Region {
  bed: string;
  number: number;
  ring: "bull" | "outer-bull" | "single" | "triple" | "double";
  path: string;
}

const SECTOR = Math.PI / 10;

/** The name of a place for people; names of places are the same on every map. */
export function placeTitle({ faces }: Geometry, place: string): string {
  for (const face of Object.values(faces)) {
    const title = face.kind === "map" ? face.places[place]?.title : undefined;
    if (title !== undefined) return title;
  }
  return place;
}

/** A point of the board in SVG's coordinates, y down. `angle` is clockwise from the top. */
export function polar(radius: number, angle: number): [number, number] {
  return [radius * Math.sin(angle), -radius * Math.cos(angle)];
}

function point(radius: number, angle: number): string {
  return polar(radius, angle)
    .map((n) => n.toFixed(4))
    .join(" ");
}

function sector(inner: number, outer: number, angle: number): string {
  const [a, b] = [angle - SECTOR / 2, angle + SECTOR / 2];
  return (
    `M${point(inner, a)}L${point(outer, a)}A${outer} ${outer} 0 0 1 ${point(outer, b)}` +
    `L${point(inner, b)}A${inner} ${inner} 0 0 0 ${point(inner, a)}Z`
  );
}

function disc(inner: number, outer: number): string {
  const circle = (r: number) => `M0 ${-r}A${r} ${r} 0 1 1 0 ${r}A${r} ${r} 0 1 1 0 ${-r}Z`;
  return circle(outer) + (inner > 0 ? circle(inner) : "");
}

/** Every bed of the board with its outline. */
export function regions({ numbers, radii }: Geometry): Region[] {
  const [bull = 0, outerBull = 0, inner = 0, triple = 0, outer = 0, double = 0] = radii;
  const rings = [
    ["SI", "single", outerBull, inner],
    ["T", "triple", inner, triple],
    ["SO", "single", triple, outer],
    ["D", "double", outer, double],
  ] as const;
  const beds = numbers.flatMap((number, i) =>
    rings.map(([prefix, ring, from, to]) => ({
      bed: `${prefix}${number}`,
      number,
      ring,
      path: sector(from, to, i * SECTOR),
    })),
  );
  return [
    ...beds,
    { bed: "SB", number: 25, ring: "outer-bull", path: disc(bull, outerBull) },
    { bed: "DB", number: 25, ring: "bull", path: disc(0, bull) },
  ];
}

/** The drawn beds of a name: a bed (`S20` is both its singles), a number, or `bull`. */
export function bedsOf(name: string | number): string[] {
  if (name === "bull") return ["SB", "DB"];
  if (typeof name === "number" || /^\d+$/.test(name)) return [`SI${name}`, `SO${name}`, `T${name}`, `D${name}`];
  const single = /^S(\d+)$/.exec(name);
  return single ? [`SI${single[1]}`, `SO${single[1]}`] : [name];
}

/** The bed under a point, inner and outer singles told apart. */
export function bedAt({ numbers, radii }: Geometry, x: number, y: number): string {
  const radius = Math.hypot(x, y);
  const ring = radii.findIndex((edge) => radius < edge);
  const number = numbers[Math.floor((Math.atan2(x, y) / SECTOR + 20.5) % 20)];
  return ["DB", "SB", `SI${number}`, `T${number}`, `SO${number}`, `D${number}`][ring] ?? "MISS";
}

/** The zone of a figure under a point, for the label under a finger; the engine decides what counts. */
export function zoneAt({ star, rings, circles }: CirclesFace, x: number, y: number): string {
  const radius = Math.hypot(x, y);
  if (radius < star) return "star";
  const ring = rings.find(({ to }) => radius < to);
  const numbers = circles
    .filter(({ at: [u, v], radius: r }) => Math.hypot(x - u, y - v) <= r)
    .map(({ number }) => number);
  return ring && numbers.length > 0 ? `${numbers.sort().join("+")}.${ring.name}` : "out";
}
