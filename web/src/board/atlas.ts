// Derived from a map once: the place of each bed, where the things of a place are drawn, and its tint.
import { type Geometry, type MapFace } from "../geometry";

export const SECTOR = Math.PI / 10;
export const RINGS = ["SI", "T", "SO", "D"] as const;
type Ring = (typeof RINGS)[number];

/**
 * The radii at which the troops and the name of a place are drawn, by its ring, so that neither covers the other nor
 * those of another ring. Names in the double ring are outside it.
 */
const BANDS: Record<Ring, { token: number; name: number }> = {
  SI: { token: 0.37, name: 0.5 },
  T: { token: 0.6, name: 0.7 },
  SO: { token: 0.8, name: 0.905 },
  D: { token: 1.005, name: 1.128 },
};

/** Where the things of a place are drawn: an angle clockwise from the top, the radii, and the angle that it spans. */
export interface Spot {
  angle: number;
  token: number;
  name: number;
  span: number;
  ring: Ring;
}

export interface Atlas {
  placeOf: Record<string, string>;
  spots: Record<string, Spot>;
  tints: Record<string, number>;
}

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
      const spot = { angle: (first + (count - 1) / 2) * SECTOR, ...BANDS[ring], span: count * SECTOR, ring };
      if (!best || room > best.room) best = { spot, room };
    }
  }
  return best?.spot ?? { angle: 0, ...BANDS.SI, span: SECTOR, ring: "SI" };
}
