// A map over the dartboard: places, their borders, links, names. Its unit is the radius of the outer double wire.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { type Geometry, type MapFace, polar, regions } from "../geometry";
import { t } from "../text";
import { Darts, EDGE } from "./dartboard";
import type { PlacedDart } from "./darts";

const SECTOR = Math.PI / 10;
const RINGS = ["SI", "T", "SO", "D"] as const;
type Ring = (typeof RINGS)[number];
const NUMBERS_AT = 1.205;
/** Names of places in the double ring are outside it. */
const OUTSIDE = 1.125;
const LETTER = 0.5;

/** Where the things of a place are drawn: an angle clockwise from the top, a radius, and the angle that it spans. */
interface Spot {
  angle: number;
  radius: number;
  span: number;
  ring: Ring;
}

export interface Atlas {
  placeOf: Record<string, string>;
  spots: Record<string, Spot>;
  tints: Record<string, number>;
}

/** Derived from a map once: the place of each bed, the position of its tokens, and its tint. */
export function atlas(geometry: Geometry, face: MapFace): Atlas {
  const placeOf: Record<string, string> = {};
  for (const [name, { beds }] of Object.entries(face.places)) for (const bed of beds) placeOf[bed] = name;
  const spots = Object.fromEntries(
    Object.keys(face.places).map((name) => [name, spotOf(geometry, (bed) => placeOf[bed] === name)]),
  );
  const tints: Record<string, number> = {};
  for (const [i, [name, { ways, land }]] of Object.entries(face.places).entries()) {
    const near = ways.map((way) => tints[way]);
    const left = [0, 1, 2, 3, 4].filter((tint) => !near.includes(tint));
    if (land) tints[name] = left[i % left.length] ?? 0;
  }
  return { placeOf, spots, tints };
}

/** The largest stretch of a place along one ring. */
function spotOf({ numbers, radii }: Geometry, inside: (bed: string) => boolean): Spot {
  let best: { spot: Spot; room: number } | undefined;
  for (const [i, ring] of RINGS.entries()) {
    const [inner = 0, outer = 0] = [radii[i + 1], radii[i + 2]];
    const here = numbers.map((number) => inside(`${ring}${number}`));
    for (let first = 0; first < 20; first++) {
      if (!here[first] || (here[(first + 19) % 20] && here.includes(false))) continue;
      let count = 1;
      while (count < 20 && here[(first + count) % 20]) count++;
      const room = (outer ** 2 - inner ** 2) * count;
      const at = ring === "SI" ? 0.72 : ring === "SO" ? 0.36 : 0.5;
      const spot = {
        angle: (first + (count - 1) / 2) * SECTOR,
        radius: inner + (outer - inner) * at,
        span: count * SECTOR,
        ring,
      };
      if (!best || room > best.room) best = { spot, room };
    }
  }
  return best?.spot ?? { angle: 0, radius: 0, span: SECTOR, ring: "SI" };
}

interface Props {
  geometry: Geometry;
  face: MapFace;
  /** Classes of each place, such as `visited`, and whose homeland it is. */
  classOf?: (place: string) => string;
  darts?: PlacedDart[];
  aimed?: string | undefined;
  /** A text alternative, for screen readers. */
  label: string;
  children?: (atlas: Atlas) => ComponentChildren;
}

export function WorldMap({ geometry, face, classOf, darts = [], aimed, label, children }: Props) {
  const known = useMemo(() => atlas(geometry, face), [geometry, face]);
  const beds = useMemo(() => regions(geometry), [geometry]);
  const lines = useMemo(() => borders(geometry, face, known), [geometry, face, known]);
  const names = useMemo(() => <Names face={face} atlas={known} />, [face, known]);
  const links = useMemo(() => face.links.map(linkPath), [face]);
  return (
    <svg class="dartboard worldmap" viewBox={`${-EDGE} ${-EDGE} ${2 * EDGE} ${2 * EDGE}`} role="img" aria-label={label}>
      <circle class="surround" r={EDGE - 0.01} />
      <g class="places">
        {beds.map(({ bed, path, ring }) => {
          const place = known.placeOf[bed];
          const about = place === undefined ? undefined : face.places[place];
          const kind = !about
            ? `pole ${ring}`
            : !about.land
              ? "sea"
              : about.white
                ? "white"
                : `tint-${known.tints[place ?? ""]}`;
          return (
            <path
              key={bed}
              data-bed={bed}
              data-place={place}
              class={[kind, place !== undefined && classOf?.(place), place !== undefined && place === aimed && "aimed"]
                .filter(Boolean)
                .join(" ")}
              d={path}
              fill-rule="evenodd"
            />
          );
        })}
      </g>
      <path class="border" d={lines.land} />
      <path class="border between-waters" d={lines.water} />
      <circle class="border" r="1" />
      {links.map((path) => (
        <g key={path} class="link">
          <path class="shore" d={path} />
          <path class="water" d={path} />
        </g>
      ))}
      <g class="numbers" aria-hidden="true">
        {geometry.numbers.map((number, i) => {
          const [x, y] = polar(NUMBERS_AT, i * SECTOR);
          return (
            <text key={number} x={x} y={y}>
              {number}
            </text>
          );
        })}
      </g>
      {names}
      {children?.(known)}
      <Darts darts={darts} />
      <title>{t("board.label")}</title>
    </svg>
  );
}

function move([x, y]: [number, number]): string {
  return `${x.toFixed(4)} ${y.toFixed(4)}`;
}

/** The lines between places: those with land on a side, and those between two waters. */
function borders({ numbers, radii }: Geometry, face: MapFace, { placeOf }: Atlas) {
  const found = { land: "", water: "" };
  const draw = (one: string, other: string, path: string) => {
    const [a, b] = [placeOf[one], placeOf[other]];
    if (a === b || a === undefined || b === undefined) return;
    found[face.places[a]?.land || face.places[b]?.land ? "land" : "water"] += path;
  };
  for (const [i, number] of numbers.entries()) {
    const after = numbers[(i + 1) % 20];
    for (const [n, ring] of RINGS.entries()) {
      const [inner = 0, outer = 0] = [radii[n + 1], radii[n + 2]];
      const edge = (i + 0.5) * SECTOR;
      draw(`${ring}${number}`, `${ring}${after}`, `M${move(polar(inner, edge))}L${move(polar(outer, edge))}`);
      const next = RINGS[n + 1];
      if (next) {
        const arc = `M${move(polar(outer, (i - 0.5) * SECTOR))}A${outer} ${outer} 0 0 1 ${move(polar(outer, edge))}`;
        draw(`${ring}${number}`, `${next}${number}`, arc);
      }
    }
  }
  return found;
}

/** A strip of light water from one country to the other. */
function linkPath(line: [number, number][]): string {
  return `M${line.map(([x, y]) => move([x, -y])).join("L")}`;
}

/** The names along their rings; reversed in the lower half, so that none is upside down. */
function Names({ face, atlas: { spots } }: { face: MapFace; atlas: Atlas }) {
  return (
    <g class="place-names" aria-hidden="true">
      {Object.entries(face.places).map(([name, { title, land }]) => {
        const spot = spots[name];
        if (!spot) return null;
        const lower = Math.cos(spot.angle) < -0.01;
        const long = spot.ring === "T" || spot.ring === "D";
        const words = long ? [title] : title.split(" ");
        const middle = { SI: spot.radius, T: spot.radius - 0.078, SO: spot.radius + 0.148, D: OUTSIDE }[spot.ring];
        return words.map((word, row) => {
          const shift = ((words.length - 1) / 2 - row) * 0.052 * (lower ? -1 : 1);
          const radius = middle + shift;
          const half = spot.span / 2 + (spot.ring === "D" ? 0.05 : -0.015);
          const size = Math.min(0.056, (2 * half * radius) / (LETTER * Math.max(word.length, 3)));
          const base = radius + (lower ? size * 0.34 : -size * 0.34);
          const [from, to] = lower ? [spot.angle + half, spot.angle - half] : [spot.angle - half, spot.angle + half];
          const id = `name-${name}-${row}`;
          const arc = `M${move(polar(base, from))}A${base} ${base} 0 0 ${lower ? 0 : 1} ${move(polar(base, to))}`;
          return (
            <g key={id} class={land ? "land" : "water"}>
              <path id={id} d={arc} fill="none" stroke="none" />
              <text style={{ fontSize: `${size}px` }}>
                <textPath href={`#${id}`} startOffset="50%">
                  {word}
                </textPath>
              </text>
            </g>
          );
        });
      })}
    </g>
  );
}
