// A heat map of a player's darts: the more darts, the brighter a bed.
import { useMemo } from "preact/hooks";
import { EDGE } from "../board/dartboard";
import { bedsOf, type Geometry, polar, regions } from "../geometry";
import { t } from "../text";
import { bedName } from "./words";

/** Brightness of a bed with one dart, so that it differs from one with none. */
const LEAST = 0.12;
const NAMED = 8;

export function HeatMap({ geometry, beds }: { geometry: Geometry; beds: Record<string, number> }) {
  const drawn = useMemo(() => regions(geometry), [geometry]);
  const most = Math.max(1, ...Object.values(beds));
  const heat = new Map<string, number>();
  // A board that does not distinguish inner and outer singles reports `S20`: both get this brightness.
  for (const [bed, darts] of Object.entries(beds))
    for (const part of bedsOf(bed)) heat.set(part, (heat.get(part) ?? 0) + darts);
  const named = Object.entries(beds)
    .sort(([, a], [, b]) => b - a)
    .slice(0, NAMED);
  return (
    <figure class="heat">
      <svg
        viewBox={`${-EDGE} ${-EDGE} ${2 * EDGE} ${2 * EDGE}`}
        role="img"
        aria-label={t("past.heat", { beds: named.map(([bed, n]) => `${bedName(bed)} ${n}`).join(", ") })}
      >
        <circle class="surround" r={EDGE - 0.01} />
        {drawn.map(({ bed, path }) => {
          const darts = heat.get(bed) ?? 0;
          return (
            <path
              key={bed}
              data-bed={bed}
              data-darts={darts}
              d={path}
              fill-rule="evenodd"
              fill-opacity={darts ? Math.min(1, LEAST + (1 - LEAST) * Math.sqrt(darts / most)) : 0}
            />
          );
        })}
        {geometry.numbers.map((number, i) => {
          const [x, y] = polar(1.122, (i * Math.PI) / 10);
          return (
            <text key={number} x={x} y={y}>
              {number}
            </text>
          );
        })}
      </svg>
      <figcaption>
        <ol>
          {named.map(([bed, darts]) => (
            <li key={bed}>
              <b>{bedName(bed)}</b> {darts}
            </li>
          ))}
        </ol>
      </figcaption>
    </figure>
  );
}
