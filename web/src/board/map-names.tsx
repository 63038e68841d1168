// The names of a map, along their rings; reversed in the lower half, so that none is upside down.
import { type MapFace, polar } from "../geometry";
import type { Atlas } from "./atlas";
import { EDGE } from "./edge";
import { fitted } from "./short-names";

/** The height of letters where there is room, in radii. */
const USUAL = 0.057;

interface Props {
  face: MapFace;
  atlas: Atlas;
  /** No letter is lower. */
  least: number;
  /** Of several maps on a page each needs names of its own for its paths. */
  id: string;
}

/** The mask of what is drawn beside the names, and never through their letters. */
export const besideNames = (id: string) => `${id}-beside-names`;

export function MapNames({ face, atlas: { spots }, least, id }: Props) {
  // A little more, so that rounding makes none smaller.
  const size = Math.max(USUAL, least * 1.005);
  const names = Object.entries(face.places).flatMap(([name, { title, land }]) => {
    const spot = spots[name];
    if (!spot) return [];
    const lower = Math.cos(spot.angle) < -0.01;
    const half = spot.span / 2 + (spot.ring === "D" ? 0.03 : -0.012);
    const words = fitted(title, 2 * half * spot.name, size);
    const base = spot.name + (lower ? size * 0.34 : -size * 0.34);
    // The path is longer than the room: a word that a font makes wider still has all its letters.
    const arc = half + 0.1;
    const [from, to] = lower ? [spot.angle + arc, spot.angle - arc] : [spot.angle - arc, spot.angle + arc];
    const path = `M${point(base, from)}A${base} ${base} 0 0 ${lower ? 0 : 1} ${point(base, to)}`;
    const layer = (kind: string) => (
      <text key={kind} class={kind} style={{ fontSize: `${size.toFixed(4)}px` }}>
        <textPath href={`#${id}-${name}`} startOffset="50%">
          {words}
        </textPath>
      </text>
    );
    return [{ name, kind: land ? "land" : "water", path, layer }];
  });
  return (
    <g class="place-names" aria-hidden="true">
      <mask id={besideNames(id)} maskUnits="userSpaceOnUse" x={-EDGE} y={-EDGE} width={2 * EDGE} height={2 * EDGE}>
        <circle r={EDGE} />
        {names.map(({ name, kind, layer }) => (
          <g key={name} class={kind}>
            {layer("gap")}
          </g>
        ))}
      </mask>
      {names.map(({ name, kind, path, layer }) => (
        <g key={name} class={kind}>
          <path id={`${id}-${name}`} d={path} fill="none" stroke="none" />
          {/* Letters along a path are drawn one by one: with its edge each would cover a part of the one before. */}
          {["edge", "letters"].map(layer)}
        </g>
      ))}
    </g>
  );
}

function point(radius: number, angle: number): string {
  return polar(radius, angle)
    .map((n) => n.toFixed(4))
    .join(" ");
}
