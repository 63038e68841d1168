// A map over the dartboard: places, their borders, links, names. Its unit is the radius of the outer double wire.
import type { ComponentChildren } from "preact";
import { useId, useMemo, useRef } from "preact/hooks";
import { type Geometry, type MapFace, polar, regions } from "../geometry";
import { t } from "../text";
import { type Atlas, atlas, RINGS, SECTOR } from "./atlas";
import { Darts, EDGE } from "./dartboard";
import type { PlacedDart } from "./darts";
import { besideNames, MapNames } from "./map-names";
import { type MapWindow, useLeast, WHOLE } from "./map-window";

const NUMBERS_AT = 1.203;

interface Props {
  geometry: Geometry;
  face: MapFace;
  /** Classes of each place, such as `visited`, and whose homeland it is. */
  classOf?: (place: string) => string;
  darts?: PlacedDart[];
  aimed?: string | undefined;
  /** The part that is shown; else all of it. */
  window?: MapWindow | undefined;
  /** A text alternative, for screen readers. */
  label: string;
  children?: (atlas: Atlas) => ComponentChildren;
}

export function WorldMap({ geometry, face, classOf, darts = [], aimed, window = WHOLE, label, children }: Props) {
  const map = useRef<SVGSVGElement>(null);
  const least = useLeast(map, window);
  const id = useId();
  const known = useMemo(() => atlas(geometry, face), [geometry, face]);
  const beds = useMemo(() => regions(geometry), [geometry]);
  const lines = useMemo(() => borders(geometry, face, known), [geometry, face, known]);
  const names = useMemo(() => <MapNames {...{ face, atlas: known, least, id }} />, [face, known, least, id]);
  const links = useMemo(() => face.links.map(linkPath), [face]);
  return (
    <svg
      ref={map}
      class="dartboard worldmap"
      viewBox={[window.x - window.half, -window.y - window.half, 2 * window.half, 2 * window.half].join(" ")}
      style={{ "--least": `${Math.max(0.085, least)}px` }}
      role="img"
      aria-label={label}
    >
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
      <g mask={`url(#${besideNames(id)})`}>
        {links.map((path) => (
          <g key={path} class="link">
            <path class="shore" d={path} />
            <path class="water" d={path} />
          </g>
        ))}
      </g>
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
