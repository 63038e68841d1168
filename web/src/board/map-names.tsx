// The names of a map, along their rings; reversed in the lower half, so that none is upside down.
import { type MapFace, polar } from "../geometry";
import type { Atlas } from "./atlas";
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

export function MapNames({ face, atlas: { spots }, least, id }: Props) {
  // A little more, so that rounding makes none smaller.
  const size = Math.max(USUAL, least * 1.005);
  return (
    <g class="place-names" aria-hidden="true">
      {Object.entries(face.places).map(([name, { title, land }]) => {
        const spot = spots[name];
        if (!spot) return null;
        const lower = Math.cos(spot.angle) < -0.01;
        const half = spot.span / 2 + (spot.ring === "D" ? 0.03 : -0.012);
        const words = fitted(title, 2 * half * spot.name, size);
        const base = spot.name + (lower ? size * 0.34 : -size * 0.34);
        // The path is longer than the room: a word that a font makes wider still has all its letters.
        const arc = half + 0.1;
        const [from, to] = lower ? [spot.angle + arc, spot.angle - arc] : [spot.angle - arc, spot.angle + arc];
        const path = `M${point(base, from)}A${base} ${base} 0 0 ${lower ? 0 : 1} ${point(base, to)}`;
        return (
          <g key={name} class={land ? "land" : "water"}>
            <path id={`${id}-${name}`} d={path} fill="none" stroke="none" />
            {/* Letters along a path are drawn one by one: with its edge each would cover a part of the one before. */}
            {["edge", "letters"].map((layer) => (
              <text key={layer} class={layer} style={{ fontSize: `${size.toFixed(4)}px` }}>
                <textPath href={`#${id}-${name}`} startOffset="50%">
                  {words}
                </textPath>
              </text>
            ))}
          </g>
        );
      })}
    </g>
  );
}

function point(radius: number, angle: number): string {
  return polar(radius, angle)
    .map((n) => n.toFixed(4))
    .join(" ");
}
