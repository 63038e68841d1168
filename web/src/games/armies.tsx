// The signs of the players of Dart Wars: a colour and a shape each, so that colour is never the only sign.
import type { Atlas } from "../board/atlas";
import { polar } from "../geometry";

/** In a box from -1 to 1, with about the same room inside. */
const SHAPES = [
  "M0-1A1 1 0 1 1 0 1A1 1 0 1 1 0-1Z",
  "M-.9-.9H.9V.9H-.9Z",
  "M0-1.22 1.22 0 0 1.22-1.22 0Z",
  "M-.58-1H.58L1.15 0 .58 1H-.58L-1.15 0Z",
  "M-.95-1H.95V.25L0 1.2-.95.25Z",
];

const ARMIES = SHAPES.length;

export function Sign({ seat }: { seat: number }) {
  return (
    <svg class={`sign army-${seat}`} viewBox="-1.3 -1.3 2.6 2.6" aria-hidden="true">
      <path d={SHAPES[seat % ARMIES]} />
    </svg>
  );
}

interface TokensProps {
  atlas: Atlas;
  place: string;
  /** Seats and their troops, none of them 0. */
  troops: [seat: number, count: number][];
  /** Ready troops of the current player. */
  ready: { seat: number; count: number } | undefined;
}

/** Half the size of a token, in radii: it leaves the name of its place free. */
const SIZE = 0.064;
/** Between the inner singles there is less room. */
const SMALL = 0.054;

/** The troops in a place. Several armies are next to each other. */
export function Tokens({ atlas, place, troops, ready }: TokensProps) {
  const spot = atlas.spots[place];
  if (!spot) return null;
  const size = spot.ring === "SI" ? SMALL : SIZE;
  const apart = Math.min(2.3 * size, (spot.span * spot.token) / troops.length) / spot.token;
  return (
    <>
      {troops.map(([seat, count], i) => {
        const [x, y] = polar(spot.token, spot.angle + (i - (troops.length - 1) / 2) * apart);
        const able = ready?.seat === seat ? ready.count : 0;
        return (
          <g key={seat} class={`token army-${seat}${able ? " ready" : ""}`} transform={`translate(${x} ${y})`}>
            <path d={SHAPES[seat % ARMIES]} transform={`scale(${size})`} />
            <text>{count}</text>
          </g>
        );
      })}
    </>
  );
}

/** A flag in the owner's colour on their homeland, beside the troops. */
export function Flag({ atlas, place, seat }: { atlas: Atlas; place: string; seat: number }) {
  const spot = atlas.spots[place];
  if (!spot) return null;
  const [x, y] = polar(spot.token, spot.angle + 0.092 / spot.token);
  return (
    <g class={`flag army-${seat}`} transform={`translate(${x} ${y})`}>
      <path class="pole" d="M-.022.062V-.07" />
      <path class="cloth" d="M-.022-.07 .05-.04 -.022-.01Z" />
    </g>
  );
}
